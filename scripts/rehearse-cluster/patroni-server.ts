import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Command, Network } from './network.ts'
import { postgresPrograms, type Running, run } from './processes.ts'

const root = resolve(import.meta.dirname, '../..')
const answerWithinMs = 1_000
const changeWithinMs = 60_000

/** Letters only, because it becomes part of a URL. */
export const password = 'rehearsal'

export type Member = { name: string; role: string; state: string }

/** One PostgreSQL server with its Patroni. */
export class PatroniServer {
  readonly name: string
  readonly address: string
  readonly #host: string
  readonly #network: Network | null
  readonly #port: number
  readonly #health: number
  readonly #directory: string
  readonly #etcd: string
  #patroni: Running | null = null

  constructor(
    name: string,
    {
      port,
      health,
      directory,
      etcd,
      network,
    }: { port: number; health: number; directory: string; etcd: string; network: Network | null },
  ) {
    this.name = name
    this.#network = network
    this.#host = network?.addressOf(name) ?? '127.0.0.1'
    this.address = `${this.#host}:${port}`
    this.#port = port
    this.#health = health
    this.#directory = directory
    this.#etcd = etcd
  }

  get health(): string {
    return String(this.#health)
  }

  async start(): Promise<void> {
    const health = `${this.#host}:${this.#health}`
    const command: Command = ['/usr/bin/patroni', [join(root, 'cluster/patroni.yaml')]]
    const [program, args] = (await this.#network?.inside(this.name, command)) ?? command
    this.#patroni = await run(program, args, {
      cwd: root,
      asRoot: this.#network !== null,
      log: `${this.#directory}.log`,
      env: {
        PATH: `${postgresPrograms}:/usr/bin:/bin:/usr/sbin:/sbin`,
        BAIZE_DATABASE_PASSWORD: password,
        PATRONI_NAME: this.name,
        PATRONI_ETCD_HOSTS: this.#etcd,
        PATRONI_RESTAPI_LISTEN: health,
        PATRONI_RESTAPI_CONNECT_ADDRESS: health,
        PATRONI_POSTGRESQL_LISTEN: this.address,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: this.address,
        PATRONI_POSTGRESQL_DATA_DIR: join(this.#directory, 'data'),
        PATRONI_POSTGRESQL_BIN_DIR: postgresPrograms,
        PATRONI_POSTGRESQL_PGPASS: join(this.#directory, 'pgpass'),
        PATRONI_SUPERUSER_USERNAME: 'postgres',
        PATRONI_SUPERUSER_PASSWORD: password,
        PATRONI_REPLICATION_USERNAME: 'replicator',
        PATRONI_REPLICATION_PASSWORD: password,
      },
    })
  }

  /** Returns Patroni, the server, and the server's processes. */
  async processes(): Promise<number[]> {
    const text = await readFile(join(this.#directory, 'data', 'postmaster.pid'), 'utf8')
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

  /** Returns the processes that send to standbys. */
  async senders(): Promise<number[]> {
    const client = new pg.Client({ host: this.#host, port: this.#port, user: 'postgres', password })
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_replication')
    await client.end()
    return rows.map(row => row.pid)
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
