import { join } from 'node:path'
import { openPool } from '@baize/postgres'
import type { PoolConfig } from 'pg'
import { connectionTo } from '../../src/instance/index.ts'
import { eventually } from '../../test/harness/eventually.ts'
import {
  type Ended,
  type From,
  type Instance,
  type Program,
  startInstance,
  startProgram,
} from '../../test/harness/program.ts'
import type { Clock } from './clock.ts'
import { lastingPort, type Running, redisProgram, run } from './processes.ts'
import type { Cluster } from './start-cluster.ts'

const readyWithinMs = 120_000
const jobWithinMs = 60_000
const credits = 100_000_000
/** Each request is counted in Redis, and none is throttled. */
const throttlePerMinute = 1_000_000

type ServiceOptions = {
  cluster: Cluster
  directory: string
  ports: number[]
  redis: Running | null
  /** Lets the clock of the first API process jump. */
  clock: Clock | null
  /** The checkout of an older release, which runs until it is upgraded. */
  older: URL | null
}

type Ready = { status: string; warning?: string }

/**
 * Two API processes and two workers. One of each finds the servers by itself, one uses HAProxy. The first API
 * process reads from a standby.
 */
export class Service {
  readonly redis: Running | null
  readonly apis: Instance[] = []
  readonly #environments: { api: Record<string, string>; worker: Record<string, string> }[]
  readonly #command: Record<string, string>
  readonly #awaitedEnds = new Set<Program>()
  #workers: Program[] = []
  #from: From = {}
  #unexpectedEnds = 0
  account = { accountRef: '', key: '' }
  /** Of another account, because the charges of the first one are counted. */
  readersKey = ''

  constructor({ cluster, directory, ports, redis, clock, older }: ServiceOptions) {
    this.redis = redis
    if (older !== null) this.#from = { release: older }
    const of = (name: string, url: string) => ({
      DATA_DIR: join(directory, name),
      FILES_URL: join(directory, 'files'),
      DATABASE_URL: url,
      LOG_LEVEL: 'warn',
      ...(redis === null ? {} : { REDIS_URL: `redis://127.0.0.1:${redis.port}` }),
    })
    this.#environments = [cluster.urls.direct, cluster.urls.proxied].map((url, index) => ({
      api: {
        ...of(`api-${index}`, url),
        ...(redis === null ? {} : { THROTTLE_PER_MINUTE: String(throttlePerMinute) }),
        PORT: String(ports[index]),
        STOP_DELAY_SECONDS: '4',
        ...(index === 0 ? { DATABASE_REPLICA_URL: url, ...clock?.environmentOf('api') } : {}),
      },
      worker: of(`worker-${index}`, url),
    }))
    this.#command = of('command', cluster.urls.direct)
  }

  /** The addresses of the API processes. */
  get urls(): string[] {
    return this.apis.map(each => each.url)
  }

  get accountRef(): string {
    return this.account.accountRef
  }

  get key(): string {
    return this.account.key
  }

  /** Leads to the primary, for the count. */
  get database(): PoolConfig {
    return connectionTo({ url: this.#command.DATABASE_URL as string })
  }

  /** Returns DATABASE_URL with one server only. */
  urlOf(address: string): string {
    const url = new URL(this.#command.DATABASE_URL?.replace(/@.*\//, `@${address}/`) ?? '')
    return url.href
  }

  async start(): Promise<void> {
    for (const index of this.#environments.keys()) await this.#startApi(index)
    this.startWorkers()
  }

  startWorkers(): void {
    this.#workers = this.#environments.map(({ worker }) =>
      this.#watched(startProgram('work', [], worker, this.#from)),
    )
  }

  async stopWorkers(): Promise<void> {
    await this.#stop(this.#workers)
  }

  /** Lets the processes that start from now on be of this release. */
  upgrade(): void {
    this.#from = {}
  }

  /** Stops an API process as an upgrade does, and starts it again. */
  async restartApi(index: number): Promise<void> {
    await this.#stop([this.apis[index] as Instance])
    await this.#startApi(index)
  }

  async stop(): Promise<void> {
    await this.#stop([...this.apis, ...this.#workers])
  }

  async close(): Promise<void> {
    await this.stop()
    await this.redis?.end()
  }

  readiness(): Promise<Ready[]> {
    return Promise.all(this.urls.map(async url => (await (await fetch(`${url}/readyz`)).json()) as Ready))
  }

  async untilReady(): Promise<void> {
    const areReady = async () => (await this.readiness()).every(each => each.status === 'ready')
    await eventually('both are ready', areReady, readyWithinMs)
  }

  /** Waits until each API process warns, and returns the warnings. */
  async untilWarned(): Promise<string[]> {
    const warnings = async () => {
      const all = (await this.readiness()).map(each => each.warning ?? '')
      return all.includes('') ? null : all
    }
    return (await eventually('both warn', warnings, readyWithinMs)) as string[]
  }

  /** Waits until the first API process reads from a standby again. */
  async untilStandbyIsRead(): Promise<void> {
    const isRead = async () =>
      /^baize_replica_fit 1$/m.test(await (await fetch(`${this.urls[0]}/metrics`)).text())
    await eventually('a standby is read', isRead, readyWithinMs)
  }

  /** Adds a job, and waits until a worker has done it. */
  async untilJobIsDone(): Promise<void> {
    const pool = openPool(this.database, 'public', { connectionsMax: 1 })
    try {
      await pool.query(`select graphile_worker.add_job('tend_checks', job_key => 'rehearsal')`)
      const isDone = async () => {
        const { rows } = await pool
          .query(`select from graphile_worker.jobs where key = 'rehearsal'`)
          .catch(() => ({ rows: [null] }))
        return rows.length === 0
      }
      await eventually('a worker has done a job', isDone, jobWithinMs)
    } finally {
      await pool.end()
    }
  }

  isUnchanged(): boolean {
    return this.#unexpectedEnds === 0
  }

  async verifies(): Promise<boolean> {
    const { code, stdout } = await this.command('verify')
    if (code !== 0) console.log(stdout)
    return code === 0
  }

  command(...args: string[]): Promise<Ended> {
    return startProgram('cli', [...args, '--json'], this.#command, this.#from).ended
  }

  async #startApi(index: number): Promise<void> {
    const { api } = this.#environments[index] as { api: Record<string, string> }
    this.apis[index] = this.#watched(await startInstance('serve', api, this.#from))
  }

  #watched<Started extends Program>(program: Started): Started {
    void program.ended.then(() => {
      if (!this.#awaitedEnds.has(program)) this.#unexpectedEnds++
    })
    return program
  }

  async #stop(programs: readonly Program[]): Promise<void> {
    for (const each of programs) this.#awaitedEnds.add(each)
    for (const each of programs) each.signal('SIGTERM')
    await Promise.all(programs.map(each => each.ended))
  }
}

export async function startService(
  cluster: Cluster,
  directory: string,
  { clock, older }: Pick<ServiceOptions, 'clock' | 'older'>,
): Promise<Service> {
  const ports = [await lastingPort(), await lastingPort()]
  await cluster.startProxy(ports.map(port => `127.0.0.1:${port}`))
  const service = new Service({ cluster, directory, ports, redis: await startRedis(directory), clock, older })
  await service.start()
  async function baize(...args: string[]) {
    const { code, stdout, stderr } = await service.command(...args)
    if (code !== 0) throw new Error(`baize ${args.join(' ')} failed: ${stderr}`)
    return JSON.parse(stdout)
  }
  async function createAccount(name: string) {
    const created = ['account', 'create', '--name', name, '--plan', 'growth', '--credits', String(credits)]
    const { account_ref: accountRef } = await baize(...created)
    const { api_key: key } = await baize('key', 'create', accountRef)
    return { accountRef, key }
  }
  service.account = await createAccount('C')
  service.readersKey = (await createAccount('R')).key
  return service
}

async function startRedis(directory: string): Promise<Running | null> {
  if (redisProgram === null) return null
  const port = await lastingPort()
  const args = ['--port', String(port), '--save', '', '--dir', '/tmp']
  return { ...(await run(redisProgram, args, { log: join(directory, 'redis.log') })), port }
}
