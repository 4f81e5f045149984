import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'

/** A stored usage record (§2.15). */
export type UsageRow = {
  requested_at: Date
  endpoint: string
  status: number
  credits: number
  duration_ms: number
  request_params: unknown
  settlement_status: string
  source: string
  client_version: string | null
  mcp_tool_name: string | null
  connector_session_id: string | null
  mcp_client_name: string | null
  mcp_client_version: string | null
}

export type UsageWindow = {
  accountId: number
  /** Inclusive. */
  asOf: Date
  skipped: number
  limit: number
}

/** Latest first; `usage_id` orders those of one moment. */
export async function readUsage(
  database: Database,
  { accountId, asOf, skipped, limit }: UsageWindow,
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
