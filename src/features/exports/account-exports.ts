/** Exports in the dashboard: the same operations as with a key, listed and with a price before the button. */
import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closed, instant, nullable, oneOf } from '../../core/schema.ts'
import { dataOf, fileOf, newNonce, paidFields } from '../send-request.ts'
import { accountOf, defineSessionOperation } from '../session-operation.ts'
import { createExport, quoteExport } from './create-export.ts'
import { downloadExport } from './download-export.ts'
import { type ExportForm, exportForm, exportFormChoices, requestOf } from './export-form.ts'
import { type ExportRow, findExport, listExports } from './export-store.ts'
import { canonicalRequest } from './filters.ts'
import { type ExportBody, exportId } from './schemas.ts'

const roles = ['owner', 'member'] as const
const rowsPerPage = 20

const shownExport = Type.Object({
  id: Type.Integer(),
  state: oneOf(['queued', 'running', 'completed', 'expired', 'failed']),
  format: Type.String(),
  requested_at: instant(),
  quoted_credits: Type.Integer(),
  credits_used: nullable(Type.Integer()),
  total_rows: nullable(Type.Integer()),
  expected_rows: nullable(Type.Integer()),
  truncated_by: nullable(Type.String()),
  bytes: nullable(Type.Integer()),
  completed_at: nullable(instant()),
  expires_at: nullable(instant()),
})

export type ShownExport = Static<typeof shownExport>

function describe(row: ExportRow): ShownExport {
  return {
    id: row.id,
    state: row.state,
    format: row.format,
    requested_at: row.requested_at.toISOString(),
    quoted_credits: row.quoted_credits,
    credits_used: row.credits_used,
    total_rows: row.total_rows,
    expected_rows: row.expected_rows,
    truncated_by: row.truncated_by,
    bytes: row.bytes,
    completed_at: row.completed_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  }
}

const exportList = Type.Object({
  exports: Type.Array(shownExport),
  /** Send it as `before` for the next page; null at the end. */
  before: nullable(Type.Integer()),
  choices: exportFormChoices.schema,
})

export type ExportList = Static<typeof exportList>

const listAccountExports = defineSessionOperation({
  name: 'list_account_exports',
  method: 'GET',
  path: '/dashboard/exports',
  access: roles,
  summary: 'The exports of the account, latest first',
  query: Type.Object({ before: Type.Optional(Type.Integer({ minimum: 1 })) }, closed),
  data: exportList,
  failures: [],
  async answer(context, { before }) {
    const { accountId } = accountOf(context)
    const page = { accountId, before: before ?? null, limit: rowsPerPage + 1 }
    const rows = await listExports(context.world.database, page)
    const shown = rows.slice(0, rowsPerPage).map(describe)
    return {
      exports: shown,
      before: rows.length > rowsPerPage ? (shown.at(-1)?.id ?? null) : null,
      choices: exportFormChoices.values,
    }
  },
})

const priced = Type.Object({
  rows: Type.Integer(),
  credits: Type.Integer(),
  /** What was asked for, to be sent with the order. */
  fields: Type.Record(Type.String(), Type.Array(Type.String())),
  nonce: Type.String(),
})

export type PricedExport = Static<typeof priced>

const priceExport = defineSessionOperation({
  name: 'price_export',
  method: 'POST',
  path: '/dashboard/exports/price',
  access: roles,
  summary: 'What an export may cost at most, free',
  query: Type.Object({}, closed),
  form: Type.Object(exportForm, closed),
  data: priced,
  failures: ['unknown_include'],
  async answer(context, form) {
    const { rows, credits } = await quoteExport(context.world, canonicalRequest(requestOf(form)))
    const fields = Object.entries(form).map(([name, value]) => [name, [value].flat().map(String)] as const)
    return { rows, credits, fields: Object.fromEntries(fields), nonce: newNonce() }
  },
})

const orderExport = defineSessionOperation({
  name: 'order_export',
  method: 'POST',
  path: '/dashboard/exports',
  access: roles,
  summary: 'Create an export',
  query: Type.Object({}, closed),
  form: Type.Object({ ...exportForm, ...paidFields }, closed),
  data: Type.Object({ export_id: Type.Integer() }),
  failures: createExport.failures,
  async answer(context, { max_credits, nonce, ...form }) {
    const body: ExportBody = { ...requestOf(form as ExportForm), max_credits }
    const received = await context.send({
      operation: createExport.name,
      body,
      idempotencyKey: `${nonce}.export`,
    })
    return dataOf(received) as { export_id: number }
  },
})

const showAccountExport = defineSessionOperation({
  name: 'show_account_export',
  method: 'GET',
  path: '/dashboard/exports/{id}',
  access: roles,
  summary: 'One export, finished or not',
  query: Type.Object({}, closed),
  params: exportId,
  data: shownExport,
  failures: ['not_found'],
  async answer(context, { id }) {
    const row = await findExport(context.world.database, accountOf(context).accountId, id)
    if (row === undefined) throw new Failure('not_found', { message: `There is no export ${id}.` })
    return describe(row)
  },
})

const downloadAccountExport = defineSessionOperation({
  name: 'download_account_export',
  method: 'GET',
  path: '/dashboard/exports/{id}/download',
  access: roles,
  summary: 'The file of an export',
  query: downloadExport.query,
  params: exportId,
  data: Type.Object({}, closed),
  failures: downloadExport.failures,
  answer: async (context, { id, spreadsheet = false }) =>
    fileOf(
      await context.send({
        operation: downloadExport.name,
        query: { spreadsheet: String(spreadsheet) },
        params: { id: String(id) },
      }),
    ),
})

export const exportSessionOperations = [
  listAccountExports,
  priceExport,
  orderExport,
  showAccountExport,
  downloadAccountExport,
]
