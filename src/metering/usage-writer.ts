import { sql } from 'kysely'
import { isConnectionLoss } from '../database/errors.ts'
import type { Database } from '../database/open.ts'
import type { UsageFacts } from './usage.ts'

export type UnsettledUsage = UsageFacts & {
  accountId: number
  status: number
  requestId: string
  /** `none`: nothing was to be paid. */
  settlementStatus: 'replayed' | 'refused' | 'none'
}

const flushEveryMs = 500
/** More are not written at once: to encode them holds up every request that comes meanwhile. */
const recordsMax = 2_000
const retryEveryMs = 2_000
const bufferedMax = 20_000

/**
 * Usage records of requests that settle nothing (free operations, replays, refusals): buffered and written within a second.
 * They may be lost in a kill; what was charged never is, for that is written by the settlement itself.
 */
export class UsageWriter {
  readonly #database: Database
  readonly #onError: (error: unknown) => void
  #buffer: UnsettledUsage[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  dropped = 0

  constructor(database: Database, onError: (error: unknown) => void) {
    this.#database = database
    this.#onError = onError
  }

  record(usage: UnsettledUsage): void {
    if (this.#buffer.length >= bufferedMax) {
      this.dropped += 1
      return
    }
    this.#buffer.push(usage)
    if (this.#buffer.length === recordsMax) void this.flush()
    else this.#timer ??= setTimeout(() => void this.flush(), flushEveryMs)
  }

  /** Resolves when everything that was recorded so far is written, or put back because the database is away. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#buffer.length > 0) this.#writing ??= this.#writeAll()
    return this.#writing ?? Promise.resolve()
  }

  async #writeAll(): Promise<void> {
    try {
      let isAway = false
      while (this.#buffer.length > 0 && !isAway) {
        isAway = !(await this.#write(this.#buffer.splice(0, recordsMax)))
      }
    } finally {
      this.#writing = null
    }
  }

  /** Whether the database took or refused them; false: it is away. */
  async #write(records: UnsettledUsage[]): Promise<boolean> {
    try {
      await sql`
        insert into usage_records
          (account_id, requested_at, endpoint, status, credits, duration_ms, request_params, settlement_status,
           source, request_id, client_version, mcp_tool_name, connector_session_id, mcp_client_name,
           mcp_client_version)
        select account_id, requested_at, endpoint, status, 0, duration_ms, params::json, settlement_status, source,
               request_id,
               client ->> 'client_version', client ->> 'mcp_tool_name', client ->> 'connector_session_id',
               client ->> 'mcp_client_name', client ->> 'mcp_client_version'
          from unnest(
            ${records.map(record => record.accountId)}::bigint[],
            ${records.map(record => record.requestedAt)}::timestamptz[],
            ${records.map(record => record.endpoint)}::text[],
            ${records.map(record => record.status)}::int[],
            ${records.map(record => record.durationMs)}::int[],
            ${records.map(record => record.requestParams)}::text[],
            ${records.map(record => record.settlementStatus)}::text[],
            ${records.map(record => record.source)}::text[],
            ${records.map(record => record.requestId)}::text[],
            ${records.map(record => (record.client === null ? null : JSON.stringify(record.client)))}::json[]
          ) as record
            (account_id, requested_at, endpoint, status, duration_ms, params, settlement_status, source, request_id, client)
      `.execute(this.#database)
      return true
    } catch (error) {
      this.#onError(error)
      if (isConnectionLoss(error)) {
        this.#putBack(records)
        return false
      }
      this.dropped += records.length
      return true
    }
  }

  /** Kept for when the database is back, as far as the buffer reaches. */
  #putBack(records: UnsettledUsage[]): void {
    const kept = records.slice(0, Math.max(0, bufferedMax - this.#buffer.length))
    this.dropped += records.length - kept.length
    this.#buffer = [...kept, ...this.#buffer]
    this.#timer ??= setTimeout(() => void this.flush(), retryEveryMs)
  }
}
