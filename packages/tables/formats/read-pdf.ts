/**
 * Reads the lines of a PDF by a pattern, or its table by the positions of the columns below their headers.
 */
import { counted } from '@baize/names'
import { ThreadPool } from '@baize/threads'
import type { FormOf } from '../description/file-forms.ts'
import { Refusal, type SourceFile } from '../source/source-file.ts'
import { type Layout, rowsBelowHeader, type TableRow, titleRowsMaxDefault } from '../source/source-table.ts'
import { kindByMagic, type Line } from '../source/source-text.ts'
import type { PageLine } from './join-fragments.ts'
import { batchLinesMax } from './line-pattern.ts'
import { PageTable, textOfLine } from './page-table.ts'
import type { PdfAnswer, PdfTask } from './pdf-thread.ts'
import { type LinePatterns, matched, patternsOf, rowsOfLines } from './read-text.ts'

const pdfBytesMax = 32 * 1024 * 1024
/** The Swiss blocklist of 3,500 domains has 70 pages, far below this limit. */
const pagesMax = 2_000
const piecesMax = 1_000_000
/** Limits reading to a minute; 100 pages take a second. */
const pdfMsMax = 60_000
/** A complete file ends with its trailer, which some writers follow with a few bytes. */
const trailerBytesMax = 1_024

const threads = new ThreadPool<PdfTask, PdfAnswer>(new URL('./pdf-thread.ts', import.meta.url), {
  threadsMax: 1,
  taskCpuMsMax: pdfMsMax,
  taskMsMax: 2 * pdfMsMax,
  idleMsMax: 10_000,
  resources: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
})

export async function* readPdfRows(
  file: SourceFile,
  form: FormOf<'pdf'>,
  layout: Layout<string>,
): AsyncGenerator<TableRow<string>, void> {
  const lines = (await pagesOf(file)).flat()
  const patterns = patternsOf(form)
  if (patterns.pattern !== undefined) yield* rowsByPattern(file, lines, patterns, layout)
  else {
    const titleRowsMax = form.title_rows_max ?? titleRowsMaxDefault
    const table = new PageTable(layout, form.row_begins_with)
    const records = table.records(withoutIgnored(file, lines, patterns))
    yield* rowsBelowHeader(file.name, records, layout, { titleRowsMax })
  }
}

async function pagesOf(file: SourceFile): Promise<PageLine[][]> {
  const bytes = await pdfBytes(file)
  const answer = await threads.run({ bytes, pagesMax, piecesMax })
  if (answer === null)
    throw new Refusal(`"${file.name}" takes more than ${pdfMsMax / 1_000} s or too much memory to read`)
  if (!answer.ok) throw new Refusal(`"${file.name}" ${answer.problem}`)
  if (answer.pages.every(lines => lines.length === 0))
    throw new Refusal(
      `"${file.name}" has ${counted(answer.pages.length, 'page')} without text, probably pictures of it`,
    )
  return answer.pages
}

async function pdfBytes(file: SourceFile): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of file.open()) {
    if (bytes === 0) refuseOtherKind(file.name, piece)
    bytes += piece.length
    if (bytes > pdfBytesMax)
      throw new Refusal(`"${file.name}" is larger than ${pdfBytesMax / 1024 / 1024} MiB, the limit for a PDF`)
    pieces.push(piece)
  }
  const whole = Buffer.concat(pieces)
  if (whole.length === 0) throw new Refusal(`"${file.name}" is empty`)
  if (!whole.subarray(-trailerBytesMax).includes('%%EOF'))
    throw new Refusal(`"${file.name}" is not a complete PDF: it does not end with %%EOF`)
  // Copies the bytes, because sending a view of a larger buffer would copy all of it.
  return new Uint8Array(whole)
}

function refuseOtherKind(name: string, start: Uint8Array): void {
  const opening = new TextDecoder().decode(start.subarray(0, 60)).trim().replaceAll(/\s+/g, ' ')
  if (opening.startsWith('%PDF'.slice(0, Math.max(1, start.length)))) return
  throw new Refusal(`"${name}": expected a PDF, found ${kindByMagic(start) ?? JSON.stringify(opening)}`)
}

/**
 * Matches a dot within a word, which titles, remarks and page numbers lack. A line with one must match the
 * pattern.
 */
const mayBeRow = /[\p{L}\p{N}]\.[\p{L}]{2}/u

function* rowsByPattern(
  file: SourceFile,
  lines: readonly PageLine[],
  patterns: LinePatterns,
  layout: Layout<string>,
): Generator<TableRow<string>, void> {
  const texts = lines.map((line, index): Line => ({ number: index + 1, text: textOfLine(line) }))
  for (let start = 0; start < texts.length; start += batchLinesMax)
    for (const row of rowsOfLines(file, texts.slice(start, start + batchLinesMax), patterns, layout))
      if (row.kind !== 'misshapen' || mayBeRow.test(row.published)) yield row
      else yield { kind: 'notice', notice: 'a line is no row', published: row.published }
}

function* withoutIgnored(
  file: SourceFile,
  lines: readonly PageLine[],
  { ignore }: LinePatterns,
): Generator<{ number: number; line: PageLine }, void> {
  for (let start = 0; start < lines.length; start += batchLinesMax) {
    const batch = lines.slice(start, start + batchLinesMax)
    const texts = batch.map((line, index): Line => ({ number: start + index + 1, text: textOfLine(line) }))
    const ignored = ignore === undefined ? [] : matched(file, ignore, texts)
    for (const [index, line] of batch.entries())
      if ((ignored[index] ?? null) === null) yield { number: start + index + 1, line }
  }
}
