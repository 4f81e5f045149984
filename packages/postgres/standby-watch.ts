import { type QueryExecutorProvider, sql } from 'kysely'
import type { Servers } from './servers.ts'

const asynchronous =
  'no standby is synchronous, so a failover may lose the last charges: set synchronous_standby_names ' +
  '(Patroni: synchronous_mode: true)'

const unwritten =
  'synchronous_commit is off or local, so a crash or a failover may lose the last charges: set it to on'

/** Knows whether a failover may lose charges that were answered. */
export class StandbyWatch {
  readonly #database: QueryExecutorProvider
  readonly #servers: Servers | undefined
  /** Why charges may be lost, and the cure, as of the last check; null if none may be. */
  warning: string | null = null
  /** Patroni ends synchronous replication when all standbys are lost, which then looks like a single server. */
  #hadStandbys = false

  constructor(database: QueryExecutorProvider, servers: Servers | undefined) {
    this.#database = database
    this.#servers = servers
  }

  /** Returns true if the warning changed. */
  async check(): Promise<boolean> {
    const before = this.warning
    this.warning = this.#servers === undefined ? null : await this.#read(this.#servers)
    return this.warning !== before
  }

  async #read(servers: Servers): Promise<string | null> {
    const { rows } = await sql<{ commit: string; names: string; standbys: number }>`
      select current_setting('synchronous_commit') as commit,
             current_setting('synchronous_standby_names') as names,
             (select count(*)
                from pg_stat_replication
               where state is distinct from 'backup') as standbys`.execute(this.#database)
    const { commit = 'on', names = '', standbys = 0 } = rows[0] ?? {}
    this.#hadStandbys ||= names !== '' || standbys > 0 || servers.count > 1
    if (commit === 'off' || commit === 'local') return unwritten
    return names === '' && this.#hadStandbys ? asynchronous : null
  }
}
