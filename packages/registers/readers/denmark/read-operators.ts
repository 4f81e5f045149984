/**
 * Reads one row per operator, with its domains in one cell. The list has no license numbers, so it yields
 * no licenses. A domain is authorised through each operator that lists it.
 */
import { foldName } from '@baize/names'
import {
  firstCharacter,
  onlyFile,
  readTable,
  readTextLines,
  rowsBelowHeader,
  type SourceFile,
  type TableReading,
  type TableRecord,
} from '@baize/tables'
import { mostCommonName } from '../../entries/most-common-name.ts'
import { readPublishedEntry } from '../../entries/published-entry.ts'
import { boundedRecordKey, reject, unusable } from '../../entries/readings.ts'
import { RecordKeys } from '../../entries/record-keys.ts'
import type { Reading } from '../../stream.ts'
import { countryOfAddress } from './country-of-address.ts'

const columns = {
  operator: { headers: ['Operator'] },
  address: { headers: ['Address'] },
  domains: { headers: ['Domains'] },
  licences: { headers: ['Licences'] },
  greenland: { headers: ['Licensed in Greenland'] },
}
/** Limits the pages; each shows 20 of about 100 operators. */
const pagesMax = 20

export async function* readDanishOperators(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const keys = new RecordKeys()
  const operators = new Map<string, { names: string[]; brands: string[]; countries: string[] }>()
  for await (const row of rowsOf(files)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { line, cells } = row
    const legalName = cells.operator.trim().replaceAll(/\s+/g, ' ')
    if (legalName === '') {
      yield reject('empty', line, Object.values(cells).join(' '))
      continue
    }
    const recordKey = boundedRecordKey(legalName.toLowerCase())
    const operator = operators.get(recordKey) ?? { names: [], brands: [], countries: [] }
    if (operators.has(recordKey)) yield reject('duplicate', line, legalName)
    operators.set(recordKey, operator)
    const { name, brand } = splitBrand(legalName)
    operator.names.push(name)
    if (brand !== null) operator.brands.push(brand)
    const country = countryOfAddress(cells.address)
    if (country !== null) operator.countries.push(country)
    for (const printed of cells.domains.split(/[\s,;]+/)) {
      if (printed !== '') yield readDomain(printed, recordKey, line, keys)
    }
  }
  for (const [recordKey, { names, brands, countries }] of operators) {
    const [country = null] = countries.sort()
    const legalName = mostCommonName(names)
    const tradingNames = [...new Set(brands)]
    yield { record: 'licensee', recordKey, legalName, tradingNames, country, registrationNumber: null }
  }
}

/** The list prints a brand behind the legal form: `Otter Limited (Lucky Otter)`. */
export function splitBrand(printed: string): { name: string; brand: string | null } {
  const [, name, brand] = /^(.*\S)\s*\(([^()]+)\)$/.exec(printed) ?? []
  if (name === undefined || brand === undefined || foldName(printed).form !== null)
    return { name: printed, brand: null }
  return foldName(name).form === null ? { name: printed, brand: null } : { name, brand }
}

type Row = TableReading<keyof typeof columns>

/** Reads the pages of the list as a browser saved them, because a script fills them, or a mirror's rows. */
async function* rowsOf(files: readonly SourceFile[]): AsyncGenerator<Row, void> {
  const [first] = files
  if (first !== undefined && (files.length > 1 || (await firstCharacter(first)) === '<'))
    yield* readTable(files, { file: { format: 'html', pages_max: pagesMax }, columns })
  else {
    const file = onlyFile(files)
    yield* rowsBelowHeader(file.name, tabbedRecords(file), columns)
  }
}

/** Reads a printed site by its host: `operator.example/da` authorises `operator.example`. */
function readDomain(printed: string, licenseeKey: string, line: number, keys: RecordKeys): Reading {
  const entry = readPublishedEntry(printed)
  if (!entry.ok) return reject(entry.reason, line, printed)
  const { domain, published } = entry
  if (domain === null) return reject('shared_host', line, printed)
  const recordKey = boundedRecordKey(`${licenseeKey}|${entry.host.replace(/^www\./, '')}`)
  if (!keys.claim(recordKey)) return reject('duplicate', line, printed)
  const row = { record: 'authorisation', recordKey, domain, published, status: null, counts: true } as const
  return { ...row, licenseKey: null, licenseeKey }
}

/**
 * Skips remarks, which are lines without a tab above the first row. The header is one of them (`Columns:
 * Operator | Address | …`) or a row. Below the header every line must be a row.
 */
async function* tabbedRecords(file: SourceFile): AsyncGenerator<TableRecord, void> {
  let inRows = false
  for await (const { number: line, text } of readTextLines(file, { encoding: 'utf-8', markup: 'none' })) {
    inRows ||= text.includes('\t')
    const named = /^\s*(?:#\s*)?Columns:(.*)$/i.exec(text)?.[1]
    if (inRows) yield { line, cells: text.split('\t') }
    else if (named !== undefined) yield { line, cells: named.split('|') }
  }
}
