/** Shows usage to the signed-in account (§2.15). */

import { Type } from 'typebox'
import { openCursor, sealCursor } from '../../core/cursor.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { type AnswerOf, accountOf, defineSessionOperation } from '../session-operation.ts'
import { recentDays } from './day-range.ts'
import { readKeyLabels } from './own-keys-store.ts'
import { describeUsage, usagePositionOf } from './shown-usage.ts'
import { readUsageDays, type UsageDay } from './usage-days-store.ts'
import { cursorField, cursorScopeOf, type Filters, filterFields, usageFiltersOf } from './usage-filters.ts'
import { readUsagePage, type UsageFilters } from './usage-store.ts'

const perPageDefault = 10
const perPageMax = 50
const compactRowsMax = 50
const chartDaysDefault = 30

export const listUsage = defineSessionOperation({
  name: 'list_usage',
  method: 'GET',
  path: '/dashboard/usage',
  access: ['owner', 'member', 'billing'],
  summary: 'The usage records of the account, latest first, and a chart',
  query: closedObject({
    ...filterFields,
    chart_days: Type.Unsafe<30 | 90>({ type: 'integer', enum: [30, 90], default: chartDaysDefault }),
    view: Type.Optional(oneOf(['compact'], { description: 'The latest 50 records, without pages.' })),
    per_page: Type.Optional(Type.Integer({ minimum: 1, default: perPageDefault })),
    after: cursorField,
  }),
  failures: ['invalid_parameter', 'invalid_cursor', 'cursor_filter_mismatch'],
  async answer(context, { per_page: perPage = perPageDefault, after, view, chart_days, ...sent }) {
    const { world, now } = context
    const { accountId } = accountOf(context)
    const isCompact = view === 'compact'
    const limit = isCompact ? compactRowsMax : Math.min(perPage, perPageMax)
    const scope = cursorScopeOf(context, sent)
    const secret = await world.cursorSecret()
    const before = after === undefined ? null : usagePositionOf(openCursor(scope, after, secret)[0] ?? '')
    const span = chartSpan(now, chart_days, sent)
    const [filters, days] = await Promise.all([
      usageFiltersOf(context, sent),
      readUsageDays(world.database, { accountId, ...span }),
    ])
    const used = [...new Set(days.flatMap(each => each.key_id ?? []))]
    const [keys, rows] = await Promise.all([
      readKeyLabels(world.database, accountId, used),
      filters === null ? [] : readUsagePage(world.database, { accountId, before, limit: limit + 1, filters }),
    ])
    const records = rows.slice(0, limit).map(describeUsage)
    const last = rows.length > limit && !isCompact ? records.at(-1) : undefined
    return {
      records,
      next_cursor: last === undefined ? null : sealCursor(scope, [last.id], secret),
      // The sums of the chart know neither the status nor the MCP client of a request.
      days: filters === null ? [] : byEndpoint(days.filter(each => isCharted(each, filters))),
      chart: span,
      endpoints: [...new Set(days.map(each => each.endpoint))].toSorted(),
      keys: keys.map(({ id: _, ...key }) => key),
    }
  },
})

export type UsageList = AnswerOf<typeof listUsage>

/** Sums the usage of all keys by day and endpoint. */
function byEndpoint(days: readonly UsageDay[]) {
  const groups = Map.groupBy(days, each => `${each.day} ${each.endpoint}`)
  return [...groups.values()].map(group => ({
    day: group[0]?.day ?? '',
    endpoint: group[0]?.endpoint ?? '',
    requests: group.reduce((sum, each) => sum + each.requests, 0),
    credits: group.reduce((sum, each) => sum + each.credits, 0),
  }))
}

type Span = { from: string; until: string }

/** Returns the last `days` days of the requested range. */
function chartSpan(now: Date, days: number, { from, to }: Filters): Span {
  const today = now.toISOString().slice(0, 10)
  const last = to !== undefined && to < today ? new Date(`${to}T00:00:00Z`) : now
  const span = recentDays(last, days)
  return from !== undefined && from > span.from ? { ...span, from } : span
}

const isCharted = (day: UsageDay, { endpoint, keyId }: UsageFilters) =>
  (endpoint === undefined || day.endpoint === endpoint) && (keyId === undefined || day.key_id === keyId)
