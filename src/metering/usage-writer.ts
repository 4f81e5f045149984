import { isConnectionLoss } from '@baize/postgres'
import { sql } from 'kysely'
import type { Database } from '../database/open.ts'
import type { UsageFacts } from './usage.ts'

export type UnsettledUsage = UsageFacts & {
  accountId: number
  status: number
  requestId: string
  /** `none` means that the operation is free. */
  settlementStatus: 'replayed' | 'refused' | 'none'
}

const flushEveryMs = 500
/** Limits the records of a statement, because encoding blocks the event loop. */
const recordsMax = 2_000
const retryEveryMs = 2_000
const bufferedMax = 20_000

/**
 * Writes usage records of requests that settle nothing (free operations, replays, refusals) within a
 * second. A killed process may lose them. The settlement writes the records of charges.
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

  /** Resolves when all records so far are written, or put back because the database is down. */
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

  /** Returns false if the database is down, and the records are put back. */
  async #write(records: UnsettledUsage[]): Promise<boolean> {
    try {
      await sql`
        insert into usage_records
          (account_id, requested_at, endpoint, status, credits, duration_ms, request_params,
           settlement_status, source, request_id, client_version, mcp_tool_name,
           connector_session_id, mcp_client_name,
           mcp_client_version, key_id)
        select account_id, requested_at, endpoint, status, 0, duration_ms, params::json, settlement_status,
               source, request_id,
               client ->> 'client_version', client ->> 'mcp_tool_name', client ->> 'connector_session_id',
               client ->> 'mcp_client_name', client ->> 'mcp_client_version',
               key_id
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
            ${records.map(record => (record.client === null ? null : JSON.stringify(record.client)))}::json[],
            ${records.map(record => record.keyId)}::bigint[]
          ) as record
            (account_id, requested_at, endpoint, status, duration_ms, params, settlement_status, source,
             request_id, client, key_id)
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

  /** Puts records back into the buffer. Records that do not fit are dropped. */
  #putBack(records: UnsettledUsage[]): void {
    const fitting = records.slice(0, Math.max(0, bufferedMax - this.#buffer.length))
    this.dropped += records.length - fitting.length
    this.#buffer = [...fitting, ...this.#buffer]
    this.#timer ??= setTimeout(() => void this.flush(), retryEveryMs)
  }
}
