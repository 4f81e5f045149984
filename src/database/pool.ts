import pg from 'pg'
import { silentServerTimeoutMs } from './batch-reader.ts'
import { UnsafeInteger } from './errors.ts'
import { messageSocket } from './message-socket.ts'

/**
 * The schemas of one database: customers' data, the fictional world of the demo key (contract section 6), and empty ones
 * that a verification replays the history into.
 */
export type WorldName = 'public' | 'demo' | `replay_${string}`

export type PoolOptions = {
  connectionsMax?: number
  /** Statements are planned once a connection, whatever their values. */
  genericPlans?: boolean
  /** For point reads: plans are kept, and follow indexes alone. */
  isByKey?: boolean
  /** For searches: every statement is planned for its values, and has less time. */
  isSearch?: boolean
  /** Told of errors of idle connections, e.g. when the server stops; without it nobody is. */
  onError?: (error: Error) => void
}

export const connectTimeoutMs = 3_000
const statementTimeoutMs = 10_000
const searchTimeoutMs = 5_000
const lockTimeoutMs = 2_000
const idleTransactionTimeoutMs = 60_000
const connectionsMaxDefault = 8

/**
 * A common word matches every second row, which are sorted in memory. A planner overrates how many rows bear one of many words,
 * and would read them all: 28 times the time of the index.
 */
const searchPlanning = ['-c work_mem=32MB', '-c enable_seqscan=off']

/**
 * Left to itself, PostgreSQL finds a plan for the keys at hand cheaper than one for any, and makes it anew in each statement, which
 * takes longer than the read. One that is kept may have been made while the tables were small, and a small table is read whole, along
 * an index where nothing else is allowed: a point read therefore asks for its rows one by one (`offset 0`; see point-plans.test.ts).
 */
const pointPlanning = [
  '-c plan_cache_mode=force_generic_plan',
  '-c enable_seqscan=off',
  '-c enable_hashjoin=off',
  '-c enable_mergejoin=off',
]

const int8 = 20
const date = 1082

/** bigint and count() as numbers (a balance past 2^53 credits is refused by name), dates as the text they are. */
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
    throw new UnsafeInteger(`${text} is beyond the integers that JSON carries exactly`)
  return value
}

export function openPool(connection: pg.PoolConfig, world: WorldName, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    stream: messageSocket,
    types,
    max: options.connectionsMax ?? connectionsMaxDefault,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: `baize ${world}`,
    keepAlive: true,
    ...(options.isSearch ? { query_timeout: silentServerTimeoutMs } : {}),
    options: [
      `-c search_path=${world},extensions`,
      '-c timezone=UTC',
      // Compiling a plan takes longer than a request's statement: 525 of the 530 ms of a thousand ledger entries were that.
      '-c jit=off',
      `-c statement_timeout=${options.isSearch ? searchTimeoutMs : statementTimeoutMs}`,
      // A search waits for nobody but a migration, and is late by its own time then.
      `-c lock_timeout=${options.isSearch ? 0 : lockTimeoutMs}`,
      `-c idle_in_transaction_session_timeout=${idleTransactionTimeoutMs}`,
      ...(options.genericPlans ? ['-c plan_cache_mode=force_generic_plan'] : []),
      ...(options.isSearch && !options.genericPlans ? ['-c plan_cache_mode=force_custom_plan'] : []),
      ...(options.isSearch ? searchPlanning : []),
      ...(options.isByKey ? pointPlanning : []),
    ].join(' '),
  })
  pool.on('error', error => options.onError?.(error))
  // A connection that is lent out when it breaks tells itself, not the pool, and untold that would end Node. The
  // statement under way fails with it.
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}
