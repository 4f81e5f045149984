import { createHash } from 'node:crypto'
import type { Transaction } from '../../database/open.ts'
import { prices } from '../../metering/pricing.ts'
import type { ObservationSection } from '../domains/index.ts'
import type { ExportBatch, FileFormat } from './file-formats.ts'
import { csvFormat, jsonFormat } from './file-formats.ts'
import type { ExportFilters } from './filters.ts'
import { type ExportFormat, exportRowsMax, type Truncation } from './schemas.ts'

const formats: Record<ExportFormat, FileFormat> = { csv: csvFormat, json: jsonFormat }
const rowCredits = prices['export.row'].credits
const profileCredits = prices['export.operator_launch_profile'].credits

type ExportJob = {
  format: ExportFormat
  filters: ExportFilters
  fields: readonly ObservationSection[]
  /** The most rows that the customer wants; null means the row limit. */
  max_rows: number | null
  credits: number
}

export type ExportTally = {
  rows: number
  profiles: number
  credits: number
  truncatedBy: Truncation | null
  sha256: Buffer
}

type TextOptions = {
  now: Date
  logoUrl: string
  /** Receives the counts before the last chunk is read. */
  onEnd(tally: ExportTally): void
}

/** Yields the file of an export until the credits are used up. Some hundred rows are in memory at a time. */
export async function* exportText(
  tx: Transaction,
  { format, filters, fields, max_rows, credits }: ExportJob,
  { now, logoUrl, onEnd }: TextOptions,
): AsyncGenerator<Buffer, void> {
  const { head, separator, tail, empty, batches } = formats[format]
  const limits = { rows: max_rows ?? exportRowsMax, credits }
  const hash = createHash('sha256')
  const tally = { rows: 0, profiles: 0, credits: 0, truncatedBy: null as Truncation | null }
  const bytesOf = (text: string) => {
    const bytes = Buffer.from(text)
    hash.update(bytes)
    return bytes
  }

  // One extra row shows whether the file is truncated. Credits and `max_rows` do not limit the query,
  // because with a small limit the planner scans all domains by name, which takes seconds if few match.
  for await (const batch of batches(tx, { filters, fields, rowsMax: exportRowsMax + 1, now, logoUrl })) {
    const before = tally.rows === 0 ? head : separator
    const bought = buy(batch, tally, limits)
    if (bought > 0) yield bytesOf(before + batch.text(bought))
    if (tally.truncatedBy !== null) break
  }
  const end = tally.rows === 0 ? empty : tail
  if (end !== '') yield bytesOf(end)
  onEnd({ ...tally, sha256: hash.digest() })
}

function buy(
  batch: ExportBatch,
  tally: Omit<ExportTally, 'sha256'>,
  limits: { rows: number; credits: number },
): number {
  for (let row = 0; row < batch.rows; row++) {
    const hasProfile = batch.hasProfile(row)
    const price = rowCredits + (hasProfile ? profileCredits : 0)
    const isPastLimit = tally.rows === limits.rows
    if (isPastLimit || tally.credits + price > limits.credits) {
      tally.truncatedBy = !isPastLimit ? 'credits' : limits.rows < exportRowsMax ? 'max_rows' : 'row_limit'
      return row
    }
    tally.rows += 1
    tally.profiles += hasProfile ? 1 : 0
    tally.credits += price
  }
  return batch.rows
}
