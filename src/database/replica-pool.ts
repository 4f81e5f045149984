import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { withClientTimeout } from './batch-reader.ts'
import { isPoolBusy, isStatementTimeout } from './errors.ts'
import type { ReplicaWatch } from './replica-watch.ts'

/** Where reads go, one statement each. */
export type ReadPool = { query(statement: pg.QueryConfig): Promise<pg.QueryResult> } & PostgresPool

/**
 * Reads of the replica, each of which the primary answers where the replica cannot: it is away, cancels a statement because of what
 * it has to replay, or has not heard yet of a migration. A read has no effects, so that asking twice changes nothing.
 */
export class ReplicaPool implements ReadPool {
  readonly #replica: pg.Pool
  readonly #primary: pg.Pool
  readonly #watch: ReplicaWatch
  /** Kysely asks for them; nothing is read there. */
  readonly options = {}

  constructor(replica: pg.Pool, primary: pg.Pool, watch: ReplicaWatch) {
    this.#replica = replica
    this.#primary = primary
    this.#watch = watch
  }

  async query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#watch.isFit) {
      try {
        return await this.#replica.query(withClientTimeout(statement))
      } catch (error) {
        // What takes too long there takes too long here as well, and a crowd is not to move on.
        if (isStatementTimeout(error) || (isPoolBusy(error) && this.#watch.isFit)) throw error
        this.#watch.failed(error)
      }
    }
    return this.#primary.query(withClientTimeout(statement))
  }

  /** For Kysely. Each statement finds its own connection: a transaction would not be one. */
  async connect(): Promise<PostgresPoolClient> {
    const query = (text: string, values: readonly unknown[]) => this.query({ text, values: [...values] })
    return { query, release: () => {} } as unknown as PostgresPoolClient
  }

  /** The primary's pool is ended by whoever opened it. */
  end(): Promise<void> {
    return this.#replica.end()
  }
}
