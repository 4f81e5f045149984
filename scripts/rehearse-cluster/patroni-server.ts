import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Network } from './network.ts'
import { postgresPrograms, type Running, run } from './processes.ts'

const root = resolve(import.meta.dirname, '../..')
const configuration = join(root, 'cluster/patroni.yaml')
const answerWithinMs = 1_000
const changeWithinMs = 60_000

/** Letters only, because it becomes part of a URL. */
export const password = 'rehearsal'

export type Member = { name: string; role: string; state: string; pending_restart?: boolean }

type ServerOptions = {
  port: number
  health: number
  directory: string
  etcd: string
  network: Network | null
  /** Further variables of Patroni and of its server. */
  environment: NodeJS.ProcessEnv
}

/** One PostgreSQL server with its Patroni. */
export class PatroniServer {
  readonly name: string
  readonly address: string
  readonly directory: string
  readonly port: number
  readonly #host: string
  readonly #network: Network | null
  readonly #health: number
  readonly #etcd: string
  readonly #environment: NodeJS.ProcessEnv
  #patroni: Running | null = null

  constructor(name: string, { port, health, directory, etcd, network, environment }: ServerOptions) {
    this.name = name
    this.#network = network
    this.#host = network?.addressOf(name) ?? '127.0.0.1'
    this.address = `${this.#host}:${port}`
    this.port = port
    this.directory = directory
    this.#health = health
    this.#etcd = etcd
    this.#environment = environment
  }

  get data(): string {
    return join(this.directory, 'data')
  }

  get health(): string {
    return String(this.#health)
  }

  get #variables(): NodeJS.ProcessEnv {
    const health = `${this.#host}:${this.#health}`
    return {
      ...this.#environment,
      PATH: `${postgresPrograms}:/usr/bin:/bin:/usr/sbin:/sbin`,
      BAIZE_DATABASE_PASSWORD: password,
      PATRONI_NAME: this.name,
      PATRONI_ETCD_HOSTS: this.#etcd,
      PATRONI_RESTAPI_LISTEN: health,
      PATRONI_RESTAPI_CONNECT_ADDRESS: health,
      PATRONI_POSTGRESQL_LISTEN: this.address,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: this.address,
      PATRONI_POSTGRESQL_DATA_DIR: this.data,
      PATRONI_POSTGRESQL_PGPASS: join(this.directory, 'pgpass'),
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: password,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: password,
    }
  }

  async start(): Promise<void> {
    this.#patroni = await this.#begin('/usr/bin/patroni', [configuration])
  }

  /** Removes what etcd knows of the cluster, with the answers that patronictl asks for. */
  async forgetCluster(): Promise<void> {
    const answers = String.raw`printf 'baize\nYes I am aware\n' | patronictl -c "$0" remove baize`
    await this.run('/bin/sh', ['-c', answers, configuration])
  }

  /** Runs a program beside the server, as its user. */
  async run(program: string, args: string[]): Promise<void> {
    const { child } = await this.#begin(program, args)
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${this.directory}.log`)
  }

  async #begin(program: string, args: string[]): Promise<Running> {
    const [command, given] = (await this.#network?.inside(this.name, [program, args])) ?? [program, args]
    return run(command, given, {
      cwd: root,
      asRoot: this.#network !== null,
      log: `${this.directory}.log`,
      env: this.#variables,
    })
  }

  /** Returns Patroni, the server, and the server's processes. */
  async processes(): Promise<number[]> {
    const text = await readFile(join(this.data, 'postmaster.pid'), 'utf8')
    const server = text.split('\n')[0] ?? ''
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', server])
    return [this.#patroni?.child.pid ?? 0, Number(server), ...stdout.trim().split(/\s+/).map(Number)]
  }

  async isPrimary(): Promise<boolean> {
    const answer = await this.#fetch('/primary', { timeoutMs: answerWithinMs }).catch(() => null)
    return answer?.status === 200
  }

  /** Returns all servers that the cluster knows, or null from a server that does not answer. */
  async members(): Promise<Member[] | null> {
    return this.#fetch('/cluster', { timeoutMs: answerWithinMs })
      .then(async answer => ((await answer.json()) as { members: Member[] }).members)
      .catch(() => null)
  }

  async ask(method: 'PATCH' | 'POST', path: string, body: object): Promise<void> {
    const answer = await this.#fetch(path, { method, body, timeoutMs: changeWithinMs })
    if (!answer.ok) throw new Error(`Patroni answered ${answer.status} to ${path}: ${await answer.text()}`)
  }

  /** Asks the server as its superuser. */
  async query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ host: this.#host, port: this.port, user: 'postgres', password })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(sql)).rows
    } finally {
      await client.end()
    }
  }

  async stop(): Promise<void> {
    await this.#patroni?.end()
  }

  #fetch(
    path: string,
    { method, body, timeoutMs }: { method?: string; body?: object; timeoutMs: number },
  ): Promise<Response> {
    return fetch(`http://${this.#host}:${this.#health}${path}`, {
      ...(method === undefined ? {} : { method, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
  }
}
