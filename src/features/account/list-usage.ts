/** The signed-in usage view (§2.15). */
import { type Static, Type } from 'typebox'
import { csvText } from '../../core/csv-cell.ts'
import { openCursor, sealCursor } from '../../core/cursor.ts'
import { Failure } from '../../core/failure.ts'
import { closed, instant, nullable } from '../../core/schema.ts'
import { cursorCharactersMax } from '../paging.ts'
import { accountOf, defineSessionOperation, type SessionContext } from '../session-operation.ts'
import { csvAttachment } from './csv-attachment.ts'
import { readOwnKeys } from './own-keys-store.ts'
import { recentDays } from './recent-days.ts'
import { readUsageDays } from './usage-days-store.ts'
import {
  findUsage,
  type PagedUsage,
  readBill,
  readUsagePage,
  type UsageFilters,
  type UsagePosition,
} from './usage-page-store.ts'
import { withoutSites } from './without-sites.ts'

const everybody = ['owner', 'member', 'billing'] as const
const perPageDefault = 10
const perPageMax = 50
const chartDays = 30
const csvRowsAtOnce = 1_000
const feed = 'us1'
/** Before any record. */
const firstDay = '2020-01-01'

const day = Type.Optional(Type.String({ format: 'date' }))

const filterFields = {
  endpoint: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(
    Type.String({ pattern: '^(?:[1-5]xx|[1-5]\\d\\d)$', takes: 'a status such as 429, or 4xx' }),
  ),
  key_ref: Type.Optional(Type.String({ maxLength: 64 })),
  mcp_client: Type.Optional(Type.String({ maxLength: 200 })),
  from: day,
  to: day,
}
const filterSchema = Type.Object(filterFields)
type Filters = Static<typeof filterSchema>

const record = Type.Object({
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

const usageList = Type.Object({
  records: Type.Array(record),
  next_cursor: nullable(Type.String()),
  days: Type.Array(
    Type.Object({
      day: Type.String(),
      endpoint: Type.String(),
      requests: Type.Integer(),
      credits: Type.Integer(),
    }),
    { description: `The last ${chartDays} days, by endpoint. Filters do not change it.` },
  ),
  chart: Type.Object({ from: Type.String(), until: Type.String() }),
  endpoints: Type.Array(Type.String()),
  keys: Type.Array(
    Type.Object({ key_ref: Type.String(), name: nullable(Type.String()), last_four: Type.String() }),
  ),
})

export type UsageList = Static<typeof usageList>
export type ShownUsage = Static<typeof record>

/** Requested sites are stored, but not shown to customers (§2.15): several people share an account. */
function describe(row: PagedUsage): ShownUsage {
  const { usage_id, at, requested_at, key_ref: _, key_name, key_last_four, ...rest } = row
  return {
    ...rest,
    id: idOf({ requestedAt: at, usageId: usage_id }),
    requested_at: requested_at.toISOString(),
    request_params: withoutSites(row.request_params),
    key: key_last_four === null ? null : { name: key_name, last_four: key_last_four },
  }
}

const idOf = ({ requestedAt, usageId }: UsagePosition) =>
  Buffer.from(`${usageId} ${requestedAt}`).toString('base64url')

function positionOf(id: string): UsagePosition {
  const [, usageId, requestedAt] =
    /^(\d{1,18}) (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?)$/.exec(
      Buffer.from(id, 'base64url').toString(),
    ) ?? []
  if (usageId === undefined || requestedAt === undefined) throw new Failure('route_not_found')
  return { usageId, requestedAt }
}

const statusOf = (status: string) =>
  status.endsWith('xx')
    ? { least: Number(status[0]) * 100, most: Number(status[0]) * 100 + 99 }
    : { least: Number(status), most: Number(status) }

/** null: nothing can match. Endpoints and keys are looked up by day first, so that rare ones are found. */
async function filtersOf(context: SessionContext, sent: Filters): Promise<UsageFilters | null> {
  const { endpoint, status, key_ref: keyRef, mcp_client: mcpClient } = sent
  const { accountId } = accountOf(context)
  const { database } = context.world
  const key =
    keyRef === undefined
      ? undefined
      : (await readOwnKeys(database, accountId)).find(each => each.key_ref === keyRef)
  if (keyRef !== undefined && key === undefined) return null
  const span = { from: sent.from ?? firstDay, until: sent.to ?? context.now.toISOString().slice(0, 10) }
  const days =
    endpoint === undefined && key === undefined
      ? null
      : (await readUsageDays(database, { accountId, ...span })).filter(
          each =>
            (endpoint === undefined || each.endpoint === endpoint) &&
            (key === undefined || each.key_id === key.id),
        )
  if (days?.length === 0) return null
  return {
    endpoint,
    mcpClient,
    keyId: key?.id,
    status: status === undefined ? undefined : statusOf(status),
    from: days?.[0]?.day ?? sent.from,
    to: days?.at(-1)?.day ?? sent.to,
  }
}

const listUsage = defineSessionOperation({
  name: 'list_usage',
  method: 'GET',
  path: '/dashboard/usage',
  access: everybody,
  summary: 'The usage records of the account, latest first, and a chart',
  query: Type.Object(
    {
      ...filterFields,
      per_page: Type.Optional(Type.Integer({ minimum: 1, default: perPageDefault })),
      after: Type.Optional(Type.String({ maxLength: cursorCharactersMax })),
    },
    closed,
  ),
  data: usageList,
  failures: ['invalid_cursor', 'cursor_filter_mismatch'],
  async answer(context, { per_page: perPage = perPageDefault, after, ...sent }) {
    const { world, now } = context
    const { accountId, accountRef } = accountOf(context)
    const limit = Math.min(perPage, perPageMax)
    const scope = { feed, filters: { ...sent, account: accountRef } }
    const secret = await world.cursorSecret()
    const before = after === undefined ? null : positionOf(openCursor(scope, after, secret)[0] ?? '')
    const span = recentDays(now, chartDays)
    const [filters, days, keys] = await Promise.all([
      filtersOf(context, sent),
      readUsageDays(world.database, { accountId, ...span }),
      readOwnKeys(world.database, accountId),
    ])
    const wanted = { accountId, before, limit: limit + 1 }
    const rows = filters === null ? [] : await readUsagePage(world.database, { ...wanted, filters })
    const records = rows.slice(0, limit).map(describe)
    const last = rows.length > limit ? records.at(-1) : undefined
    return {
      records,
      next_cursor: last === undefined ? null : sealCursor(scope, [last.id], secret),
      days: byEndpoint(days),
      chart: span,
      endpoints: [...new Set(days.map(each => each.endpoint))].toSorted(),
      keys: keys.map(({ key_ref, name, last_four }) => ({ key_ref, name, last_four })),
    }
  },
})

/** Sums over the keys. */
function byEndpoint(days: Awaited<ReturnType<typeof readUsageDays>>): UsageList['days'] {
  const groups = Map.groupBy(days, each => `${each.day} ${each.endpoint}`)
  return [...groups.values()].map(group => ({
    day: group[0]?.day ?? '',
    endpoint: group[0]?.endpoint ?? '',
    requests: group.reduce((sum, each) => sum + each.requests, 0),
    credits: group.reduce((sum, each) => sum + each.credits, 0),
  }))
}

const usageWithBill = Type.Object({
  record,
  bill: Type.Array(
    Type.Object({
      recorded_at: instant(),
      kind: Type.String(),
      price_key: nullable(Type.String()),
      units: nullable(Type.Integer()),
      credits: Type.Integer(),
      note: nullable(Type.String()),
    }),
  ),
})

export type UsageWithBill = Static<typeof usageWithBill>

const showUsageRecord = defineSessionOperation({
  name: 'show_usage_record',
  method: 'GET',
  path: '/dashboard/usage/{id}',
  access: everybody,
  summary: 'A usage record with the lines of its bill',
  query: Type.Object({}, closed),
  params: Type.Object({ id: Type.String({ maxLength: 200 }) }, closed),
  data: usageWithBill,
  failures: ['route_not_found'],
  async answer(context, { id }) {
    const { accountId } = accountOf(context)
    const { database } = context.world
    const found = await findUsage(database, accountId, positionOf(id))
    if (found === undefined) throw new Failure('route_not_found')
    const bill = await readBill(database, accountId, found)
    return {
      record: describe(found),
      bill: bill.map(line => ({ ...line, recorded_at: line.recorded_at.toISOString() })),
    }
  },
})

const csvColumns = [
  'requested_at',
  'endpoint',
  'status',
  'credits',
  'duration_ms',
  'settlement_status',
  'source',
  'request_id',
  'mcp_client_name',
  'mcp_tool_name',
] as const

const downloadUsage = defineSessionOperation({
  name: 'download_usage',
  method: 'GET',
  path: '/dashboard/usage.csv',
  access: everybody,
  summary: 'The usage records as CSV for a spreadsheet',
  query: Type.Object(filterFields, closed),
  data: Type.Object({}, closed),
  failures: [],
  async answer(context, sent) {
    const filters = await filtersOf(context, sent)
    const { accountId } = accountOf(context)
    const { database } = context.world
    const forSpreadsheet = { forSpreadsheet: true }
    return csvAttachment(`usage-${context.now.toISOString().slice(0, 10)}.csv`, async write => {
      await write(csvText([[...csvColumns, 'key', 'request_params']]))
      let before: UsagePosition | null = null
      while (filters !== null) {
        const rows: PagedUsage[] = await readUsagePage(database, {
          accountId,
          filters,
          before,
          limit: csvRowsAtOnce,
        })
        await write(csvText(rows.map(csvRow), forSpreadsheet))
        const last = rows.at(-1)
        if (last === undefined || rows.length < csvRowsAtOnce) return
        before = { requestedAt: last.at, usageId: last.usage_id }
      }
    })
  },
})

function csvRow(row: PagedUsage) {
  const shown = describe(row)
  const cells = csvColumns.map(column => shown[column])
  const key = shown.key === null ? null : `${shown.key.name ?? ''} …${shown.key.last_four}`.trim()
  return [...cells, key, JSON.stringify(shown.request_params)]
}

export const usageOperations = [listUsage, downloadUsage, showUsageRecord]
