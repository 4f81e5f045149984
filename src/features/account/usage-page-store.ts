import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'

export type UsageFilters = {
  endpoint?: string | undefined
  /** Both included. */
  status?: { least: number; most: number } | undefined
  keyId?: number | undefined
  /** The name of an MCP client. */
  mcpClient?: string | undefined
  /** Days, UTC; both included. */
  from?: string | undefined
  to?: string | undefined
}

/** A record's place: it is between the pages before and after, whatever is recorded meanwhile. */
export type UsagePosition = { requestedAt: string; usageId: string }

export type PagedUsage = {
  usage_id: string
  /** With microseconds, as in `UsagePosition`. */
  at: string
  requested_at: Date
  endpoint: string
  status: number
  credits: number
  duration_ms: number
  request_params: unknown
  settlement_status: string
  source: string
  request_id: string | null
  key_ref: string | null
  key_name: string | null
  key_last_four: string | null
  client_version: string | null
  mcp_tool_name: string | null
  connector_session_id: string | null
  mcp_client_name: string | null
  mcp_client_version: string | null
}

type Wanted = { accountId: number; filters: UsageFilters; before: UsagePosition | null; limit: number }

const columns = sql`
  record.usage_id::text, record.requested_at::text as at, record.requested_at, record.endpoint, record.status,
  record.credits, record.duration_ms, record.request_params, record.settlement_status, record.source,
  record.request_id, key.key_ref, key.name as key_name, key.last_four as key_last_four,
  record.client_version, record.mcp_tool_name, record.connector_session_id, record.mcp_client_name,
  record.mcp_client_version`

/** Latest first. */
export async function readUsagePage(
  database: Database,
  { accountId, filters, before, limit }: Wanted,
): Promise<PagedUsage[]> {
  const { rows } = await sql<PagedUsage>`
    select ${columns}
      from usage_records record
      left join api_keys key on key.id = record.key_id
     where record.account_id = ${accountId}
       ${conditions(filters)}
       ${
         before === null
           ? sql``
           : sql`and (record.requested_at, record.usage_id)
                   < (${before.requestedAt}::timestamptz, ${before.usageId}::bigint)`
       }
     order by record.requested_at desc, record.usage_id desc
     limit ${limit}`.execute(database)
  return rows
}

function conditions({ endpoint, status, keyId, mcpClient, from, to }: UsageFilters) {
  const at = (day: string) => sql`${day}::date::timestamp at time zone 'UTC'`
  return sql`
    ${endpoint === undefined ? sql`` : sql`and record.endpoint = ${endpoint}`}
    ${status === undefined ? sql`` : sql`and record.status between ${status.least} and ${status.most}`}
    ${status !== undefined && status.least >= 400 ? sql`and record.status >= 400` : sql``}
    ${keyId === undefined ? sql`` : sql`and record.key_id = ${keyId}`}
    ${mcpClient === undefined ? sql`` : sql`and record.mcp_client_name = ${mcpClient}`}
    ${from === undefined ? sql`` : sql`and record.requested_at >= ${at(from)}`}
    ${to === undefined ? sql`` : sql`and record.requested_at < ${at(to)} + interval '1 day'`}`
}

export async function findUsage(
  database: Database,
  accountId: number,
  { requestedAt, usageId }: UsagePosition,
): Promise<PagedUsage | undefined> {
  const { rows } = await sql<PagedUsage>`
    select ${columns}
      from usage_records record
      left join api_keys key on key.id = record.key_id
     where record.account_id = ${accountId}
       and record.requested_at = ${requestedAt}::timestamptz
       and record.usage_id = ${usageId}::bigint`.execute(database)
  return rows[0]
}

export type BillLine = {
  recorded_at: Date
  kind: string
  price_key: string | null
  units: number | null
  credits: number
  note: string | null
}

/** Settled after the request began, and at most this long after it was answered. */
const settledWithinSeconds = 60

/** The ledger entries of a request. */
export async function readBill(
  database: Database,
  accountId: number,
  { requested_at: requestedAt, duration_ms: durationMs, request_id: requestId }: PagedUsage,
): Promise<BillLine[]> {
  if (requestId === null) return []
  const { rows } = await sql<BillLine>`
    select recorded_at, kind, price_key, units, credits, note
      from ledger_entries
     where account_id = ${accountId}
       and request_id = ${requestId}
       and recorded_at >= ${requestedAt}::timestamptz - make_interval(secs => ${settledWithinSeconds})
       and recorded_at <= ${requestedAt}::timestamptz
                          + make_interval(secs => ${durationMs / 1_000 + settledWithinSeconds})
     order by entry_id`.execute(database)
  return rows
}
