import pg from 'pg'
import { silentServerTimeoutMs } from './client-timeout.ts'
import { isConnectionLoss, UnsafeInteger } from './errors.ts'
import { messageSocket } from './message-socket.ts'
import { ServerClient } from './servers.ts'

export type PoolOptions = {
  connectionsMax?: number
  /** Limits the wait for a connection, also for a free one of the pool. */
  connectWithinMs?: number
  genericPlans?: boolean
  /** Selects generic plans that use indexes only, for point reads. */
  isByKey?: boolean
  /** Selects a shorter timeout for searches, and a plan for the values unless `genericPlans` is set. */
  isSearch?: boolean
  onError?: (error: Error) => void
}

export const connectTimeoutMs = 3_000
const statementTimeoutMs = 10_000
const searchTimeoutMs = 5_000
const lockTimeoutMs = 2_000
const idleTransactionTimeoutMs = 60_000
const connectionsMaxDefault = 8

/**
 * Sequential scans are off, because the planner overestimates the matches of common words. A scan takes 28
 * times as long.
 */
const searchPlanning = { work_mem: '32MB', enable_seqscan: 'off' }

/**
 * These statements use generic plans, because planning them for their keys takes longer than the read. A
 * generic plan made for a small table reads all of it, so point reads look up rows one by one (`lateral …
 * offset 0`; point-plans.faults.test.ts).
 */
const pointPlanning = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
}

const int8 = 20
const date = 1082

/** Parses bigint and count() as numbers, with an error beyond 2^53, and leaves dates as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8) return readInteger
    if (oid === date) return (text: string) => text
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

function readInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value))
    throw new UnsafeInteger(`${text} exceeds the integers that JSON can represent exactly`)
  return value
}

/** Opens connections whose statements see the tables of one schema, and functions of `extensions`. */
export function openPool(connection: pg.PoolConfig, schema: string, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    stream: messageSocket,
    types,
    max: options.connectionsMax ?? connectionsMaxDefault,
    connectionTimeoutMillis: options.connectWithinMs ?? connectTimeoutMs,
    application_name: `baize ${schema}`,
    ...(options.isSearch ? { query_timeout: silentServerTimeoutMs } : {}),
    Client: ServerClient,
    settings: {
      search_path: `${schema},extensions`,
      timezone: 'UTC',
      // Compiling a plan takes longer than our statements: 525 of the 530 ms for a thousand ledger entries.
      jit: 'off',
      statement_timeout: String(options.isSearch ? searchTimeoutMs : statementTimeoutMs),
      // A search waits for migrations only, and its statement timeout covers that.
      lock_timeout: String(options.isSearch ? 0 : lockTimeoutMs),
      idle_in_transaction_session_timeout: String(idleTransactionTimeoutMs),
      ...(options.genericPlans ? { plan_cache_mode: 'force_generic_plan' } : {}),
      ...(options.isSearch && !options.genericPlans ? { plan_cache_mode: 'force_custom_plan' } : {}),
      ...(options.isSearch ? searchPlanning : {}),
      ...(options.isByKey ? pointPlanning : {}),
    },
  })
  pool.on('error', error => options.onError?.(error))
  // Without a listener, the error of a connection in use would end Node. Its statement fails too.
  pool.on('connect', client => client.on('error', () => {}))
  // A silent server fails the statement only, by the timeout of the client.
  pool.on('release', (error, client) => {
    if (isConnectionLoss(error) && client instanceof ServerClient) client.lost()
  })
  return pool
}
