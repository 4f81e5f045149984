import { type RawBuilder, sql } from 'kysely'
import type { Database, RowOf } from '../../database/open.ts'

/** A stored usage record (§2.15). */
export type UsageRow = Omit<RowOf<'usage_records'>, 'usage_id' | 'account_id' | 'key_id' | 'request_id'>

export type UsageFilters = {
  endpoint?: string | undefined
  /** The lowest and highest status, both included. */
  status?: { least: number; most: number } | undefined
  keyId?: number | undefined
  /** The name of the MCP client. */
  mcpClient?: string | undefined
  /** The first and last day (UTC), both included. */
  from: string | null
  to: string | null
}

/** The position of a record between pages. Records that arrive later do not move it. */
export type UsagePosition = {
  /** The time of the request in microseconds since 1970. */
  at: string
  usageId: string
}

export type PagedUsage = UsageRow &
  UsagePosition & {
    request_id: string | null
    key: { key_ref: string; name: string | null; last_four: string } | null
  }

type Wanted = { accountId: number; filters: UsageFilters; before: UsagePosition | null; limit: number }

export const microsecondsOf = (column: RawBuilder<unknown>) =>
  sql`(extract(epoch from ${column}) * 1000000)::bigint::text`
const momentOf = ({ at }: UsagePosition) =>
  sql`timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond'`

const columns = sql`
  record.usage_id::text as "usageId", ${microsecondsOf(sql`record.requested_at`)} as at,
  record.requested_at, record.endpoint, record.status,
  record.credits, record.duration_ms, record.request_params, record.settlement_status, record.source,
  record.request_id,
  case when key.id is not null
       then json_build_object('key_ref', key.key_ref, 'name', key.name, 'last_four', key.last_four)
  end as key,
  record.client_version, record.mcp_tool_name, record.connector_session_id, record.mcp_client_name,
  record.mcp_client_version`

/** Returns the usage records before a position, the latest first. */
export async function readUsagePage(database: Database, { accountId, filters, before, limit }: Wanted) {
  const { rows } = await sql<PagedUsage>`
    select ${columns}
      from usage_records record
      left join api_keys key on key.id = record.key_id
     where record.account_id = ${accountId}
       ${usageConditions(filters)}
       ${
         before === null
           ? sql``
           : sql`and (record.requested_at, record.usage_id)
                   < (${momentOf(before)}, ${before.usageId}::bigint)`
       }
     order by record.requested_at desc, record.usage_id desc
     limit ${limit}`.execute(database)
  return rows
}

function usageConditions({ endpoint, status, keyId, mcpClient, from, to }: UsageFilters) {
  const at = (day: string) => sql`${day}::date::timestamp at time zone 'UTC'`
  return sql`
    ${endpoint === undefined ? sql`` : sql`and record.endpoint = ${endpoint}`}
    ${status === undefined ? sql`` : sql`and record.status between ${status.least} and ${status.most}`}
    ${status !== undefined && status.least >= 400 ? sql`and record.status >= 400` : sql``}
    ${keyId === undefined ? sql`` : sql`and record.key_id = ${keyId}`}
    ${mcpClient === undefined ? sql`` : sql`and record.mcp_client_name = ${mcpClient}`}
    ${from === null ? sql`` : sql`and record.requested_at >= ${at(from)}`}
    ${to === null ? sql`` : sql`and record.requested_at < ${at(to)} + interval '1 day'`}`
}

/** Returns the usage records up to a moment, the latest first; `usage_id` orders records of one moment. */
export async function readUsage(
  database: Database,
  { accountId, asOf, skipped, limit }: { accountId: number; asOf: Date; skipped: number; limit: number },
): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`
    select requested_at, endpoint, status, credits, duration_ms, request_params, settlement_status, source,
           client_version, mcp_tool_name, connector_session_id, mcp_client_name, mcp_client_version
      from usage_records
     where account_id = ${accountId}
       and requested_at <= ${asOf}
     order by requested_at desc, usage_id desc
    offset ${skipped}
     limit ${limit}`.execute(database)
  return rows
}

export async function findUsage(database: Database, accountId: number, position: UsagePosition) {
  const { rows } = await sql<PagedUsage>`
    select ${columns}
      from usage_records record
      left join api_keys key on key.id = record.key_id
     where record.account_id = ${accountId}
       and record.requested_at = ${momentOf(position)}
       and record.usage_id = ${position.usageId}::bigint`.execute(database)
  return rows[0]
}

export type BillLine = RowOf<
  'ledger_entries',
  'recorded_at' | 'kind' | 'price_key' | 'units' | 'credits' | 'note'
>

/** A ledger entry of a request is at most this long before its start or after its answer. */
const settledWithinSeconds = 60

/** Returns the ledger entries that a request caused. */
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
