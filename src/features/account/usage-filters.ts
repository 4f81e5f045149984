import { type Static, Type } from 'typebox'
import type { CursorScope } from '../../core/cursor.ts'
import { cursorCharactersMax } from '../paging.ts'
import { accountOf, type SessionContext } from '../session-operation.ts'
import { dayRange, requireOrder } from './day-range.ts'
import { findKeyId } from './own-keys-store.ts'
import { readUsageDays } from './usage-days-store.ts'
import type { UsageFilters } from './usage-store.ts'

/** The earliest day that a usage record can have. */
const firstDay = '2020-01-01'

export const filterFields = {
  endpoint: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(
    Type.String({ pattern: '^(?:[1-5]xx|[1-5]\\d\\d)$', takes: 'a status such as 429, or 4xx' }),
  ),
  key_ref: Type.Optional(Type.String({ maxLength: 64 })),
  mcp_client: Type.Optional(Type.String({ maxLength: 200 })),
  ...dayRange,
}
const filterSchema = Type.Object(filterFields)
export type Filters = Static<typeof filterSchema>

export const cursorField = Type.Optional(Type.String({ maxLength: cursorCharactersMax }))

/** The list and the file of usage records accept each other's cursors. */
export const cursorScopeOf = (context: SessionContext, filters: Filters): CursorScope => ({
  feed: 'us1',
  filters: { ...filters, account: accountOf(context).accountRef },
})

/**
 * Reads the filters of a request; null if nothing can match. The stored days narrow the range of dates, so
 * that rare endpoints and keys are found fast.
 */
export async function usageFiltersOf(context: SessionContext, sent: Filters): Promise<UsageFilters | null> {
  requireOrder(sent)
  const { endpoint, status, key_ref: keyRef, mcp_client: mcpClient, from = null, to = null } = sent
  const { accountId } = accountOf(context)
  const { database } = context.world
  const keyId = keyRef === undefined ? undefined : await findKeyId(database, accountId, keyRef)
  if (keyRef !== undefined && keyId === undefined) return null
  const filters: UsageFilters = { endpoint, mcpClient, keyId, status: statusOf(status), from, to }
  if (endpoint === undefined && keyId === undefined) return filters
  const today = context.now.toISOString().slice(0, 10)
  const days = await readUsageDays(database, {
    accountId,
    from: from === null || from < firstDay ? firstDay : from,
    until: to === null || to > today ? today : to,
  })
  const matching = days.filter(
    each =>
      (endpoint === undefined || each.endpoint === endpoint) &&
      (keyId === undefined || each.key_id === keyId),
  )
  const [first] = matching
  if (first === undefined) return null
  return { ...filters, from: first.day, to: matching.at(-1)?.day ?? to }
}

function statusOf(status: string | undefined): UsageFilters['status'] {
  if (status === undefined) return undefined
  if (!status.endsWith('xx')) return { least: Number(status), most: Number(status) }
  const least = Number(status[0]) * 100
  return { least, most: least + 99 }
}
