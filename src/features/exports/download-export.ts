import { pipeline, Readable } from 'node:stream'
import type { ByteRange, StoredFile } from '@baize/files'
import type { FileAnswer } from '@baize/http-content'
import { parse } from 'csv-parse'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import { Failure, fileStoreUnavailable, wrongValue } from '../../core/failure.ts'
import { closedObject } from '../../core/schema.ts'
import { csvText } from '../csv-text.ts'
import { type Context, defineOperation } from '../operation.ts'
import { demoExport, demoExportId } from './demo-export.ts'
import { exportRow } from './file-formats.ts'
import { exportId } from './schemas.ts'
import { findCompleted } from './show-export.ts'

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
  query: closedObject({
    spreadsheet: Type.Optional(
      Type.Boolean({
        default: false,
        description: [
          'CSV only: adds an apostrophe before cells that begin with `=`, `+`, `-`, `@` or a tab.',
          '`sha256` and `bytes` of the export are those of the file without them.',
        ].join(' '),
      }),
    ),
  }),
  params: exportId,
  data: closedObject({}),
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
  throw wrongValue('spreadsheet', 'false for an export in JSON')
}

async function storedFile(context: Context, id: number): Promise<FileAnswer> {
  const { file_name, format, completed_at, sha256 } = await findCompleted(context, id)
  const stored = await context.files.find(file_name).catch(fileStoreUnavailable)
  if (stored === null) throw missing(`${file_name}, the file of export ${id}, is not in the store`)
  return {
    bytes: stored.bytes,
    open: range => stored.open(range).catch(fileStoreUnavailable),
    fileName: `baize-export-${id}-${completed_at.toISOString().slice(0, 10)}.${format}`,
    contentType: contentTypes[format],
    etag: sha256,
  }
}

/** The usual message of a 500 says that nothing was charged. The export was charged, so this one differs. */
function missing(what: string): Failure {
  return new Failure('internal_error', {
    message: 'The file of this export is missing. Contact the operator of the service.',
    cause: new Error(what),
  })
}

const rowsAtOnce = 250

/** The lengths of spreadsheet files by ETag, because measuring a file reads all of it. */
const lengths = new LRUCache<string, Promise<number>>({ max: 1_000 })

/** Escapes a stored CSV while it is read, once for its length and again for each range. */
async function spreadsheetFile(file: StoredFile & { etag: string }): Promise<StoredFile> {
  return {
    bytes: await lengthOf(file),
    open: async range => Readable.from(within(spreadsheetPieces(await file.open()), range)),
  }
}

function lengthOf(file: StoredFile & { etag: string }): Promise<number> {
  const { etag } = file
  const cached = lengths.get(etag)
  if (cached !== undefined) return cached
  const length = measureLength(file)
  lengths.set(etag, length)
  length.catch(() => lengths.delete(etag))
  return length
}

async function measureLength(file: StoredFile): Promise<number> {
  let bytes = 0
  for await (const piece of spreadsheetPieces(await file.open())) bytes += piece.length
  return bytes
}

async function* spreadsheetPieces(content: Readable): AsyncGenerator<Buffer, void> {
  const rows = parse()
  // An error of the store is thrown by the loop over the rows.
  pipeline(content, rows, () => {})
  let batch: string[][] = []
  const written = () => Buffer.from(csvText(batch, { forSpreadsheet: true }))
  for await (const row of rows as AsyncIterable<string[]>) {
    batch.push(row)
    if (batch.length < rowsAtOnce) continue
    yield written()
    batch = []
  }
  if (batch.length > 0) yield written()
}

async function* within(
  pieces: AsyncGenerator<Buffer, void>,
  range?: ByteRange,
): AsyncGenerator<Buffer, void> {
  const { start, end } = range ?? { start: 0, end: Number.POSITIVE_INFINITY }
  let position = 0
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, start - position), Math.max(0, end + 1 - position))
    position += piece.length
    if (part.length > 0) yield part
    if (position > end) return
  }
}
