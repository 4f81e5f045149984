import { createHash } from 'node:crypto'
import type { Official, Publishes, Resolve, Stream } from '../stream.ts'
import { removedShareMaxDefault } from '../streams/guard-facts.ts'
import type { Description } from './description-schema.ts'
import type { FileForm } from './file-forms.ts'
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
    official: officialOf(description),
    format: formatWords(file),
    cadence: description.cadence,
    publishes: publishesOf(description),
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
      yield* mapRows(() => readRows(files, file, columns, description.layout?.columns), description)
    },
  }
}

/** A layout without a recorded day is `described`. */
function officialOf({ official_url: url, layout, sources = {}, ...facts }: Description): Official {
  const { by = 'direct', ...choice } = facts.resolve ?? {}
  const unstated = 'the description, which does not name its source'
  return {
    files: by === 'none' ? [] : [{ url, resolve: { by, ...choice } as Resolve }],
    language: facts.language ?? 'und',
    layout: layout?.recorded_at === undefined ? 'described' : 'recorded',
    layoutRecordedAt: layout?.recorded_at ?? null,
    columns: layout?.columns ?? [],
    terms: facts.terms ?? null,
    sources: {
      address: sources.address ?? unstated,
      layout: sources.layout ?? unstated,
      cadence: sources.cadence ?? unstated,
      rows: sources.rows ?? unstated,
      terms: facts.terms === undefined ? null : (sources.terms ?? unstated),
    },
  }
}

function publishesOf({ publishes, records }: Description): Publishes {
  const { licensee, license, authorised_domains, blocklist_entries } = records
  const withStatus = [license, authorised_domains, blocklist_entries].some(each => each?.status !== undefined)
  return {
    licenses: license !== undefined,
    holders: licensee !== undefined,
    statuses: withStatus,
    ...publishes,
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
    json: file.format === 'json' && file.script !== undefined ? 'JSON in an HTML page' : 'JSON',
    html: file.format === 'html' && file.rows_at !== undefined ? 'HTML' : 'HTML table',
    pdf: 'PDF',
    text: 'text',
  }
  const encoding = 'encoding' in file ? file.encoding : undefined
  const delimiter = file.format === 'csv' ? (file.delimiter ?? 'comma') : undefined
  return [words[file.format], encoding, delimiter].filter(word => word !== undefined).join(', ')
}

/** A 31-bit digest of all keys that affect reading. Another version makes a correction. */
function versionOf({ file, columns, empty_cells, leave_out, fill_down, records }: Description): number {
  const reading = inOneOrder({
    readerVersion,
    file,
    columns,
    empty_cells,
    leave_out,
    ...(fill_down === undefined ? {} : { fill_down }),
    records,
  })
  const digest = createHash('sha256').update(JSON.stringify(reading)).digest()
  return digest.readUInt32BE(0) & 0x7fff_ffff || 1
}

function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]): [string, unknown] => [key, inOneOrder(each)])
  return entries.sort(([one], [other]) => (one < other ? -1 : 1))
}
