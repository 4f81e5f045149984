import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { withClientTimeout } from './client-timeout.ts'
import { isPoolBusy, isStatementTimeout } from './errors.ts'
import type { ReplicaWatch } from './replica-watch.ts'

/** Runs single statements: a pool, or ReplicaPool. */
export type ReadPool = { query(statement: pg.QueryConfig): Promise<pg.QueryResult> } & PostgresPool

/**
 * Sends reads to the replica, and again to the primary when the replica fails: it is unreachable, cancels a
 * statement because of replay, or lacks a migration. Reads have no effects, so repeating one is safe.
 */
export class ReplicaPool implements ReadPool {
  readonly #replica: pg.Pool
  readonly #primary: pg.Pool
  readonly #watch: ReplicaWatch
  /** Required by Kysely's type; unused. */
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
        // A slow statement would be slow on the primary too, and a busy replica must not overload it.
        if (isStatementTimeout(error) || (isPoolBusy(error) && this.#watch.isFit)) throw error
        this.#watch.failed(error)
      }
    }
    return this.#primary.query(withClientTimeout(statement))
  }

  /** For Kysely. Each statement uses its own connection, so transactions are not supported. */
  async connect(): Promise<PostgresPoolClient> {
    const query = (text: string, values: readonly unknown[]) => this.query({ text, values: [...values] })
    return { query, release: () => {} } as unknown as PostgresPoolClient
  }

  /** Leaves the primary's pool open. */
  end(): Promise<void> {
    return this.#replica.end()
  }
}
