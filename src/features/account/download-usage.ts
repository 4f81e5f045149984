import { openCursor, sealCursor } from '../../core/cursor.ts'
import { closedObject } from '../../core/schema.ts'
import { csvAttachment, csvText } from '../csv-text.ts'
import { accountOf, defineSessionOperation } from '../session-operation.ts'
import { describeUsage, usageIdOf, usagePositionOf } from './shown-usage.ts'
import { cursorField, cursorScopeOf, filterFields, usageFiltersOf } from './usage-filters.ts'
import { type PagedUsage, readUsagePage, type UsagePosition } from './usage-store.ts'

const path = '/dashboard/usage.csv'
const rowsAtOnce = 1_000
const rowsMax = 100_000

const columns = [
  'requested_at',
  'endpoint',
  'status',
  'credits',
  'duration_ms',
  'settlement_status',
  'source',
  'client_version',
  'request_id',
  'mcp_client_name',
  'mcp_client_version',
  'mcp_tool_name',
  'connector_session_id',
] as const

export const downloadUsage = defineSessionOperation({
  name: 'download_usage',
  method: 'GET',
  path,
  access: ['owner', 'member', 'billing'],
  summary: 'The usage records as CSV for a spreadsheet, latest first',
  query: closedObject({ ...filterFields, after: cursorField }),
  failures: ['invalid_parameter', 'invalid_cursor', 'cursor_filter_mismatch'],
  async answer(context, { after, ...sent }) {
    const filters = await usageFiltersOf(context, sent)
    const scope = cursorScopeOf(context, sent)
    const secret = await context.world.cursorSecret()
    const start = after === undefined ? null : usagePositionOf(openCursor(scope, after, secret)[0] ?? '')
    const { accountId } = accountOf(context)
    // The file itself names the next file, because it is opened without the page.
    const nextFile = (last: UsagePosition) => {
      const query = new URLSearchParams({ ...sent, after: sealCursor(scope, [usageIdOf(last)], secret) })
      const address = `${context.baseUrl}${path}?${query}`
      return `Earlier records are left out: a file has at most ${rowsMax}. The next file: ${address}`
    }
    const read = (before: UsagePosition | null, limit: number) =>
      filters === null ? [] : readUsagePage(context.world.database, { accountId, filters, before, limit })
    return csvAttachment(`usage-${context.now.toISOString().slice(0, 10)}.csv`, async write => {
      await write(csvText([[...columns, 'key', 'request_params']]))
      let last = start
      for (let count = 0; count < rowsMax; count += rowsAtOnce) {
        const rows = await read(last, rowsAtOnce)
        await write(csvText(rows.map(cellsOf), { forSpreadsheet: true }))
        last = rows.at(-1) ?? last
        if (rows.length < rowsAtOnce) return
      }
      const more = await read(last, 1)
      if (last !== null && more.length > 0)
        await write(csvText([[nextFile(last), ...columns.map(() => null), null]]))
    })
  },
})

function cellsOf(row: PagedUsage) {
  const shown = describeUsage(row)
  const cells = columns.map(column => shown[column])
  const key = shown.key === null ? null : `${shown.key.name ?? ''} …${shown.key.last_four}`.trim()
  return [...cells, key, JSON.stringify(shown.request_params)]
}
