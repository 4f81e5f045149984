import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { withClientTimeout } from './client-timeout.ts'
import { isPoolBusy, isStatementTimeout } from './errors.ts'
import type { ReplicaWatch } from './replica-watch.ts'

export type ReadPool = { query(statement: pg.QueryConfig): Promise<pg.QueryResult> } & PostgresPool

/** Reads have no effects, so a read that fails on the replica is repeated on the primary. */
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

  end(): Promise<void> {
    return this.#replica.end()
  }
}
