import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { withClientTimeout } from './client-timeout.ts'
import { isPoolBusy, isStatementTimeout } from './errors.ts'
import type { ReplicaWatch } from './replica-watch.ts'

export type ReadPool = { query(statement: pg.QueryConfig): Promise<pg.QueryResult> } & PostgresPool

/**
 * Sends reads to the replica. A read that fails there is repeated on the primary, because reads have no
 * effects.
 */
export class ReplicaPool implements ReadPool {
  readonly #replica: pg.Pool
  readonly #primary: pg.Pool
  readonly #watch: ReplicaWatch
  /** Kysely's type requires this member, which nothing uses. */
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
        // A slow statement would be slow on the primary too, and a busy replica must not overload the
        // primary.
        if (isStatementTimeout(error) || (isPoolBusy(error) && this.#watch.isFit)) throw error
        this.#watch.failed(error)
      }
    }
    return this.#primary.query(withClientTimeout(statement))
  }

  /**
   * Returns a connection to Kysely. Each statement uses another connection, so transactions are not
   * supported.
   */
  async connect(): Promise<PostgresPoolClient> {
    const query = (text: string, values: readonly unknown[]) => this.query({ text, values: [...values] })
    return { query, release: () => {} } as unknown as PostgresPoolClient
  }

  end(): Promise<void> {
    return this.#replica.end()
  }
}
