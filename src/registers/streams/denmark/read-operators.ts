/**
 * One row per operator, with its domains in one cell. The list has no license numbers, so it yields no
 * licenses: a domain is authorised through each operator that lists it.
 */
import { readRows } from '../../described/read-rows.ts'
import { firstCharacter } from '../../source/first-character.ts'
import { mostCommonName } from '../../source/most-common-name.ts'
import { readPublishedEntry } from '../../source/published-entry.ts'
import { boundedKey, RecordKeys, reject, unusable } from '../../source/readings.ts'
import { onlyFile } from '../../source/source-file.ts'
import { rowsBelowHeader, type TableRecord, type TableRow } from '../../source/source-table.ts'
import { readLines } from '../../source/source-text.ts'
import type { Reading, SourceFile } from '../../stream.ts'
import { countryOfAddress } from './country-of-address.ts'

const layout = {
  operator: { names: ['Operator'] },
  address: { names: ['Address'] },
  domains: { names: ['Domains'] },
  licences: { names: ['Licences'] },
  greenland: { names: ['Licensed in Greenland'] },
} as const

const columns = Object.fromEntries(
  Object.entries(layout).map(([name, { names }]) => [name, { headers: [...names] }]),
)
/** The page shows 20 of some 100 operators at once. */
const pagesMax = 20

export async function* readDanishOperators(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const keys = new RecordKeys()
  const operators = new Map<string, { names: string[]; countries: string[] }>()
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
    const recordKey = boundedKey(legalName.toLowerCase())
    const operator = operators.get(recordKey) ?? { names: [], countries: [] }
    if (operators.has(recordKey)) yield reject('duplicate', line, legalName)
    operators.set(recordKey, operator)
    operator.names.push(legalName)
    const country = countryOfAddress(cells.address)
    if (country !== null) operator.countries.push(country)
    for (const printed of cells.domains.split(/[\s,;]+/)) {
      if (printed !== '') yield readDomain(printed, recordKey, line, keys)
    }
  }
  for (const [recordKey, { names, countries }] of operators) {
    const [country = null] = countries.sort()
    const legalName = mostCommonName(names)
    yield { record: 'licensee', recordKey, legalName, tradingNames: [], country, registrationNumber: null }
  }
}

/** The pages of the list as saved by a browser, which a script fills, or the rows of a mirror. */
async function* rowsOf(files: readonly SourceFile[]): AsyncGenerator<TableRow<keyof typeof layout>, void> {
  const [first] = files
  if (first !== undefined && (files.length > 1 || (await firstCharacter(first)) === '<'))
    yield* readRows(files, { format: 'html', pages_max: pagesMax }, columns)
  else {
    const file = onlyFile(files)
    yield* rowsBelowHeader(file.name, tabbedRecords(file), layout)
  }
}

/** `operator.example/da` authorises the site; its host is the identity. */
function readDomain(printed: string, licenseeKey: string, line: number, keys: RecordKeys): Reading {
  const entry = readPublishedEntry(printed)
  if (!entry.ok) return reject(entry.reason, line, printed)
  const { domain, published } = entry
  if (domain === null) return reject('shared_host', line, printed)
  const recordKey = boundedKey(`${licenseeKey}|${entry.host.replace(/^www\./, '')}`)
  if (!keys.claim(recordKey)) return reject('duplicate', line, printed)
  const row = { record: 'authorisation', recordKey, domain, published, status: null, counts: true } as const
  return { ...row, licenseKey: null, licenseeKey }
}

/**
 * Skips remarks: lines without a tab above the first row. The header may be one of them
 * (`Columns: Operator | Address | …`) or a row. Below it every line must be a row.
 */
async function* tabbedRecords(file: SourceFile): AsyncGenerator<TableRecord, void> {
  let inRows = false
  for await (const { number: line, text } of readLines(file, { encoding: 'utf-8', markup: 'none' })) {
    inRows ||= text.includes('\t')
    const named = /^\s*(?:#\s*)?Columns:(.*)$/i.exec(text)?.[1]
    if (inRows) yield { line, cells: text.split('\t') }
    else if (named !== undefined) yield { line, cells: named.split('|') }
  }
}
