import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/open.ts'

export type UsageFilters = {
  endpoint?: string | undefined
  /** Both included. */
  status?: { least: number; most: number } | undefined
  keyId?: number | undefined
  /** The name of an MCP client. */
  mcpClient?: string | undefined
  /** Days, UTC; both included. */
  from: string | null
  to: string | null
}

/** A record's place: it is between the pages before and after, whatever is recorded meanwhile. */
export type UsagePosition = {
  /** Microseconds since 1970. */
  at: string
  usageId: string
}

export type PagedUsage = {
  usageId: string
  /** As in `UsagePosition`. */
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

export const microsecondsOf = (column: RawBuilder<unknown>) =>
  sql`(extract(epoch from ${column}) * 1000000)::bigint::text`
const momentOf = ({ at }: UsagePosition) =>
  sql`timestamptz 'epoch' + ${at}::bigint * interval '1 microsecond'`

const columns = sql`
  record.usage_id::text as "usageId", ${microsecondsOf(sql`record.requested_at`)} as at,
  record.requested_at, record.endpoint, record.status,
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
                   < (${momentOf(before)}, ${before.usageId}::bigint)`
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
    ${from === null ? sql`` : sql`and record.requested_at >= ${at(from)}`}
    ${to === null ? sql`` : sql`and record.requested_at < ${at(to)} + interval '1 day'`}`
}

export async function findUsage(
  database: Database,
  accountId: number,
  position: UsagePosition,
): Promise<PagedUsage | undefined> {
  const { rows } = await sql<PagedUsage>`
    select ${columns}
      from usage_records record
      left join api_keys key on key.id = record.key_id
     where record.account_id = ${accountId}
       and record.requested_at = ${momentOf(position)}
       and record.usage_id = ${position.usageId}::bigint`.execute(database)
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

export type KeyLabel = { id: number; key_ref: string; name: string | null; last_four: string }

/** The account's keys, the newest first: those that are not deleted, and the deleted ones of `used`. */
export async function readKeyLabels(
  database: Database,
  accountId: number,
  used: readonly number[],
): Promise<KeyLabel[]> {
  return database
    .selectFrom('api_keys')
    .select(['id', 'key_ref', 'name', 'last_four'])
    .where('account_id', '=', accountId)
    .where(each => each.or([each('revoked_at', 'is', null), each('id', 'in', [...used, 0])]))
    .orderBy('id', 'desc')
    .execute()
}

/** Of a key that may be deleted. */
export async function findKeyId(
  database: Database,
  accountId: number,
  keyRef: string,
): Promise<number | undefined> {
  const key = await database
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('key_ref', '=', keyRef)
    .executeTakeFirst()
  return key?.id
}
