import { createHash } from 'node:crypto'
import {
  type FileForm,
  type Format,
  openingOf,
  Refusal,
  readTable,
  type SourceFile,
  type TableDescription,
} from '@baize/tables'
import { mirrorNotice, readingNotice } from '../entries/readings.ts'
import { withoutPeople } from '../entries/without-people.ts'
import type { Official, Publishes, Reading, Resolve, Stream } from '../stream.ts'
import type { Description, Records, RegisterFacts } from './description-schema.ts'
import { mapRows } from './map-rows.ts'
import { LicenseesByName, type SecondFile } from './second-file.ts'
import { unreadColumns } from './unread-columns.ts'

/** Increase this version when this code reads the same file and description differently. */
const readerVersion = 7

export function describedStream(description: Description): Stream {
  return {
    ...factsOf(description),
    format: description.format ?? formatWords(description.file),
    publishes: publishesOf(description),
    makesMarketEntries: readsOperators(description),
    parserVersion: versionOf(description),
    read: files => withoutPeople(readDescribed(files, description), description),
  }
}

const hostList: TableDescription = { file: { format: 'hosts' }, columns: { site: { headers: ['line'] } } }
const hostRecords = ({ blocklist_entries }: Records): Records =>
  blocklist_entries === undefined
    ? { authorised_domains: { domain: { column: 'site' } } }
    : { blocklist_entries: { domain: { column: 'site' } } }

/** Reads official files and a mirror's file. The content decides whether a single file is a mirror's. */
async function* readDescribed(
  files: readonly SourceFile[],
  description: Description,
): AsyncGenerator<Reading, void> {
  const { file, layout, mirror, records, second_file } = description
  const [first] = files
  const isMirrors =
    mirror !== undefined && first !== undefined && files.length === 1 && !(await isOfficial(first, file))
  if (isMirrors) {
    yield readingNotice(mirrorNotice, first.name)
    yield* mapRows(() => readTable(files, hostList), hostRecords(records))
    return
  }
  const own = second_file === undefined || files.length < 2 ? files : files.slice(0, -1)
  const licensees = second_file === undefined ? undefined : new LicenseesByName(second_file)
  yield* mapRows(() => readTable(own, description, layout?.columns), records, licensees)
  for (const name of unreadColumns(description)) yield readingNotice('no record reads the column', name)
  if (licensees === undefined) return
  const [second] = files.slice(own.length)
  if (second === undefined)
    throw new Refusal('expected a second file with the sites of the licensees, found one file')
  yield* licensees.read(second)
}

/** The number of characters that contains all titles above a header. */
const openingCharacters = 2_048

/** Matches beginnings of the official formats, which a list of hosts does not have. */
const beginnings: Readonly<Record<Format, RegExp>> = {
  pdf: /^%PDF/,
  xlsx: /^PK/,
  html: /^</,
  xml: /^</,
  json: /^[[{]/,
  csv: /[;,\t|]/,
  tsv: /\t/,
  text: /^/,
  hosts: /^/,
}

async function isOfficial(file: SourceFile, { format, zip }: FileForm): Promise<boolean> {
  const beginning = zip === undefined ? beginnings[format] : beginnings.xlsx
  return beginning.test(await openingOf(file, openingCharacters))
}

type Facts = Omit<Stream, 'format' | 'publishes' | 'makesMarketEntries' | 'parserVersion' | 'read'>

export function factsOf(facts: RegisterFacts & { second_file?: SecondFile }): Facts {
  return {
    key: facts.key,
    market: facts.market,
    covers: facts.covers,
    regulator: facts.regulator,
    regulatorCountryCode: facts.regulator_country_code,
    officialUrl: facts.official_url,
    official: officialOf(facts),
    cadence: facts.cadence,
    identity: facts.identity,
    rowsMin: facts.rows_min,
    rowsMax: facts.rows_max ?? null,
    endsWithLineBreak: facts.ends_with_line_break ?? false,
    sourceClaim: facts.source_claim,
    qualification: facts.qualification,
    sourceIdentity: facts.source_identity,
  }
}

const resolveOf = (given: RegisterFacts['resolve']) => ({ by: 'direct', ...given }) as Resolve

/** Reads the official facts. A layout without a recorded day is `described`. */
function officialOf(register: RegisterFacts & { second_file?: SecondFile }): Official {
  const { official_url, file_urls, layout, sources = {}, second_file, ...facts } = register
  const { request, extra_ca } = facts
  const resolve = resolveOf(facts.resolve)
  const further = second_file && { url: second_file.official_url, resolve: resolveOf(second_file.resolve) }
  const files = (file_urls ?? [official_url]).map(url => ({ url, resolve, ...(request && { request }) }))
  const unstated = 'the description, which does not name its source'
  return {
    files:
      facts.resolve?.by === 'none'
        ? []
        : [...files, ...(further === undefined ? [] : [further])].map(file => ({
            ...file,
            ...(extra_ca === undefined ? {} : { extraCa: extra_ca }),
          })),
    language: facts.language ?? 'und',
    layout: layout?.recorded_at === undefined ? 'described' : 'recorded',
    layoutRecordedAt: layout?.recorded_at ?? null,
    columns: layout?.columns ?? [],
    terms: facts.terms ?? null,
    sources: {
      address: sources.address ?? unstated,
      layout: sources.layout ?? unstated,
      compared: sources.compared ?? null,
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

/** Checks whether a license can be an operator's. Without `words` a published word may be `operator`. */
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
    hosts: 'text, UTF-8, a host or URL a line',
  }
  const encoding = 'encoding' in file ? file.encoding : undefined
  const delimiter = file.format === 'csv' ? (file.delimiter ?? 'comma') : undefined
  return [words[file.format], encoding, delimiter].filter(word => word !== undefined).join(', ')
}

/**
 * Computes a 31-bit digest of all keys that affect reading. A changed version turns changes into
 * corrections.
 */
function versionOf(description: Description): number {
  const { file, mirror, columns, row_for_each, empty_cells, leave_out, fill_down, records, ...others } =
    description
  const { second_file, people_public_by } = others
  const reading = inOneOrder({
    readerVersion,
    file,
    columns,
    row_for_each,
    empty_cells,
    leave_out,
    fill_down,
    mirror,
    records,
    ...(second_file === undefined ? {} : { second: { ...second_file, official_url: '', resolve: '' } }),
    people_public_by,
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
