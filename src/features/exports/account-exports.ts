/**
 * Lists and orders exports in the dashboard, by the operations of the API. The page shows the price first.
 */
import { type Static, Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { closedObject, oneOf } from '../../core/schema.ts'
import { prices } from '../../metering/pricing.ts'
import { observationSections } from '../domains/index.ts'
import { attachmentOf, dataOf, newNonce, paidFields } from '../send-request.ts'
import { type AnswerOf, accountOf, defineSessionOperation } from '../session-operation.ts'
import { paymentCategories } from '../value-sets.ts'
import { createExport, quoteExport } from './create-export.ts'
import { downloadExport } from './download-export.ts'
import { type ExportRow, findExport, listExports } from './export-store.ts'
import { canonicalRequest } from './filters.ts'
import { type ExportBody, exportFilters, exportId, exportRowsMax } from './schemas.ts'

const roles = ['owner', 'member'] as const
const rowsPerPage = 20

const filters = exportFilters.properties

/** The fields of the dashboard's form for an export. */
const exportForm = {
  jurisdiction: filters.jurisdiction,
  payment_category: filters.payment_category,
  exclude_payment: filters.exclude_payment,
  supplier_brand: filters.supplier_brand,
  exclude_provider: filters.exclude_provider,
  has_affiliate: filters.has_affiliate,
  geo_hint: filters.geo_hint,
  enriched_after: Type.Optional(Type.String({ format: 'date' })),
  export_format: oneOf(['csv', 'json']),
  max_rows: Type.Optional(Type.Integer({ minimum: 1, maximum: exportRowsMax })),
  'fields[]': Type.Optional(Type.Array(oneOf(observationSections), { uniqueItems: true })),
}

type ExportForm = Static<ReturnType<typeof Type.Object<typeof exportForm>>>

function requestOf(form: ExportForm): ExportBody {
  const { export_format, max_rows, 'fields[]': fields, ...sent } = form
  return {
    filters: sent,
    export_format,
    ...(max_rows === undefined ? {} : { max_rows }),
    ...(fields === undefined ? {} : { fields }),
  }
}

const exportFormChoices = {
  payment_categories: [...paymentCategories],
  sections: [...observationSections],
  rows_max: exportRowsMax,
  credits_per_row: prices['export.row'].credits,
  credits_per_profile: prices['export.operator_launch_profile'].credits,
}

function shownExport(row: ExportRow) {
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

export type ShownExport = ReturnType<typeof shownExport>

const listAccountExports = defineSessionOperation({
  name: 'list_account_exports',
  method: 'GET',
  path: '/dashboard/exports',
  access: roles,
  summary: 'The exports of the account, latest first',
  query: closedObject({ before: Type.Optional(Type.Integer({ minimum: 1 })) }),
  failures: [],
  async answer(context, { before }) {
    const { accountId } = accountOf(context)
    const page = { accountId, before: before ?? null, limit: rowsPerPage + 1 }
    const rows = await listExports(context.world.database, page)
    const shown = rows.slice(0, rowsPerPage).map(shownExport)
    return {
      exports: shown,
      // The next page is requested with this `before`, which is null on the last page.
      before: rows.length > rowsPerPage ? (shown.at(-1)?.id ?? null) : null,
      choices: exportFormChoices,
    }
  },
})

export type ExportList = AnswerOf<typeof listAccountExports>

const priceExport = defineSessionOperation({
  name: 'price_export',
  method: 'POST',
  path: '/dashboard/exports/price',
  access: roles,
  summary: 'What an export may cost at most, free',
  form: closedObject(exportForm),
  failures: ['unknown_include'],
  async answer(context, form) {
    const { rows, credits } = await quoteExport(context.world, canonicalRequest(requestOf(form)))
    // The fields of the form are sent again with the order.
    const fields = Object.entries(form).map(([name, value]) => [name, [value].flat().map(String)] as const)
    return { rows, credits, fields: Object.fromEntries(fields), nonce: newNonce() }
  },
})

export type PricedExport = AnswerOf<typeof priceExport>

const orderExport = defineSessionOperation({
  name: 'order_export',
  method: 'POST',
  path: '/dashboard/exports',
  access: roles,
  summary: 'Create an export',
  form: closedObject({ ...exportForm, ...paidFields }),
  failures: createExport.failures,
  async answer(context, { max_credits, nonce, ...form }) {
    const body: ExportBody = { ...requestOf(form as ExportForm), max_credits }
    const received = await context.send({
      operation: createExport.name,
      body,
      idempotencyKey: `${nonce}.export`,
    })
    const { export_id } = dataOf(received) as { export_id: number }
    return { export_id }
  },
})

const showAccountExport = defineSessionOperation({
  name: 'show_account_export',
  method: 'GET',
  path: '/dashboard/exports/{id}',
  access: roles,
  summary: 'One export, finished or not',
  params: exportId,
  failures: ['not_found'],
  async answer(context, { id }) {
    const row = await findExport(context.world.database, accountOf(context).accountId, id)
    if (row === undefined) throw new Failure('not_found', { message: `There is no export ${id}.` })
    return shownExport(row)
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
  failures: downloadExport.failures,
  answer: async (context, { id, spreadsheet = false }) =>
    attachmentOf(
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
