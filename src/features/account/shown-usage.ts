import { type Static, Type } from 'typebox'
import { instant, nullable } from '../../core/schema.ts'
import type { PagedUsage } from './usage-page-store.ts'
import { usageIdOf } from './usage-position.ts'
import { withoutSites } from './without-sites.ts'

export const shownUsage = Type.Object({
  id: Type.String(),
  requested_at: instant(),
  endpoint: Type.String(),
  status: Type.Integer(),
  credits: Type.Integer(),
  duration_ms: Type.Integer(),
  request_params: Type.Unsafe<unknown>({}),
  settlement_status: Type.String(),
  source: Type.String(),
  request_id: nullable(Type.String()),
  key: nullable(Type.Object({ name: nullable(Type.String()), last_four: Type.String() })),
  client_version: nullable(Type.String()),
  mcp_tool_name: nullable(Type.String()),
  connector_session_id: nullable(Type.String()),
  mcp_client_name: nullable(Type.String()),
  mcp_client_version: nullable(Type.String()),
})
export type ShownUsage = Static<typeof shownUsage>

/** Requested sites are stored, but not shown to customers (§2.15): several people share an account. */
export function describeUsage(row: PagedUsage): ShownUsage {
  const { usageId: _, at: __, requested_at, key_name, key_last_four, ...rest } = row
  return {
    ...rest,
    id: usageIdOf(row),
    requested_at: requested_at.toISOString(),
    request_params: withoutSites(row.request_params),
    key: key_last_four === null ? null : { name: key_name, last_four: key_last_four },
  }
}
