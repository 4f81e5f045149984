import { createHash } from 'node:crypto'
import { onlyFile } from '../source/source-file.ts'
import type { Stream } from '../stream.ts'
import { removedShareMaxDefault } from '../streams/guard-facts.ts'
import type { Description, FileForm } from './description-schema.ts'
import { mapRows } from './map-rows.ts'
import { readRows } from './read-rows.ts'

/** Increase it when this code reads the same file and description differently. */
const readerVersion = 3

export function describedStream(description: Description): Stream {
  const { file, columns } = description
  return {
    key: description.key,
    market: description.market,
    covers: description.covers,
    regulator: description.regulator,
    regulatorCountryCode: description.regulator_country_code,
    officialUrl: description.official_url,
    format: formatWords(file),
    cadence: description.cadence,
    publishes: description.publishes,
    makesMarketEntries: readsOperators(description),
    identity: description.identity,
    rowsMin: description.rows_min,
    rowsMax: description.rows_max ?? null,
    rowsComplete: description.rows_min,
    removedShareMax: description.removed_share_max ?? removedShareMaxDefault,
    endsWithLineBreak: description.ends_with_line_break ?? false,
    sourceClaim: description.source_claim,
    qualification: description.qualification,
    sourceIdentity: description.source_identity,
    parserVersion: versionOf(description),
    async *read(files) {
      yield* mapRows(() => readRows(onlyFile(files), file, columns), description)
    },
  }
}

/** Without `words` the published words are read, and one may be `operator`. */
function readsOperators({ records }: Description): boolean {
  const role = records.license?.role
  if (role === undefined) return false
  if (role.constant !== undefined) return role.constant === 'operator'
  return role.words === undefined || Object.values(role.words).includes('operator')
}

function formatWords(file: FileForm): string {
  const words = {
    csv: 'CSV',
    tsv: 'TSV',
    xlsx: 'XLSX',
    xml: 'XML',
    json: 'JSON',
    html: 'HTML table',
    text: 'text',
  }
  const encoding = file.format === 'xlsx' || file.format === 'json' ? undefined : (file.encoding ?? 'utf-8')
  const delimiter = file.format === 'csv' ? (file.delimiter ?? 'comma') : undefined
  return [words[file.format], encoding, delimiter].filter(word => word !== undefined).join(', ')
}

/** A 31-bit digest of all keys that affect reading. Another version makes a correction. */
function versionOf({ file, columns, empty_cells, leave_out, records }: Description): number {
  const reading = inOneOrder({ readerVersion, file, columns, empty_cells, leave_out, records })
  const digest = createHash('sha256').update(JSON.stringify(reading)).digest()
  return digest.readUInt32BE(0) & 0x7fff_ffff || 1
}

function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, inOneOrder(each)])
  return entries.sort(([one], [other]) => (one < other ? -1 : 1))
}
