import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'
import { fileStoreUnavailable } from '../../core/file-store.ts'
import type { FileAnswer } from '../../core/operation.ts'
import { closed } from '../../core/schema.ts'
import { type Context, defineOperation } from '../operation.ts'
import { demoExport, demoExportId } from './demo-export.ts'
import { downloadName } from './file-names.ts'
import { findCompleted } from './find-completed.ts'
import { exportRow } from './json-format.ts'
import { exportId } from './schemas.ts'
import { spreadsheetFile } from './spreadsheet-file.ts'

const contentTypes = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const

export const downloadExport = defineOperation({
  name: 'download_export',
  method: 'GET',
  path: '/v1/exports/{id}/download',
  tag: 'Exports',
  section: '§4.19',
  summary: 'Download an export',
  description: `Returns the file of a completed export as an attachment: a CSV with the columns
domain_normalized, company_name, status and last_enriched_at (RFC 4180, UTF-8, empty without rows), or a JSON
array. Free, any number of times until it expires. Supports \`Range\` and \`HEAD\`. The \`ETag\` is the
\`sha256\` of the export, for \`If-None-Match\` and \`If-Range\`. To open a CSV in a spreadsheet, use
\`spreadsheet=true\`: it escapes cells that the spreadsheet would run as formulas.`,
  query: Type.Object(
    {
      spreadsheet: Type.Optional(
        Type.Boolean({
          default: false,
          description: [
            'CSV only: adds an apostrophe before cells that begin with `=`, `+`, `-`, `@` or a tab.',
            '`sha256` and `bytes` of the export are those of the file without them.',
          ].join(' '),
        }),
      ),
    },
    closed,
  ),
  params: exportId,
  data: Type.Object({}, closed),
  download: { [contentTypes.csv]: Type.String(), [contentTypes.json]: Type.Array(exportRow) },
  prices: [],
  failures: ['not_found', 'export_pending', 'export_expired', 'export_failed'],
  demo: [
    { title: 'A small CSV', query: {}, params: { id: String(demoExportId) } },
    {
      title: 'A small CSV for a spreadsheet',
      query: { spreadsheet: 'true' },
      params: { id: String(demoExportId) },
    },
  ],
  example: null,

  async quote(context, { id, spreadsheet = false }) {
    const exact =
      context.world.name === 'demo' ? (await demoExport(context)).file : await storedFile(context, id)
    const file = spreadsheet ? await asSpreadsheet(exact) : exact
    return { ceiling: 0, deliver: async () => ({ data: {}, charges: [], file }) }
  },
})

async function asSpreadsheet(exact: FileAnswer): Promise<FileAnswer> {
  if (exact.contentType === contentTypes.csv)
    return { ...exact, ...(await spreadsheetFile(exact)), etag: `${exact.etag}-spreadsheet` }
  const accepted = 'false for an export in JSON'
  throw new Failure('invalid_parameter', {
    message: `"spreadsheet" must be ${accepted}.`,
    details: { parameter: 'spreadsheet', takes: accepted },
  })
}

async function storedFile(context: Context, id: number): Promise<FileAnswer> {
  const { file_name, format, completed_at, sha256 } = await findCompleted(context, id)
  const stored = await context.files.find(file_name).catch(fileStoreUnavailable)
  if (stored === null) throw missing(`${file_name}, the file of export ${id}, is not in the store`)
  return {
    bytes: stored.bytes,
    open: range => stored.open(range).catch(fileStoreUnavailable),
    fileName: downloadName(id, completed_at, format),
    contentType: contentTypes[format],
    etag: sha256,
  }
}

/** The usual message of a 500 states that nothing was charged, but the export was. */
function missing(what: string): Failure {
  return new Failure('internal_error', {
    message: 'The file of this export is missing. Contact the operator of the service.',
    cause: new Error(what),
  })
}
