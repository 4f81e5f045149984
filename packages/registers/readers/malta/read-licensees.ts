/**
 * Reads one record per authorisation: its number, which names its purpose, and its holder. Companies are
 * identified by registration number, which has three spellings, or else by name. The register's own data
 * are encrypted for its page. So this reads the page as a browser saved it, or a mirror's JSON.
 */
import { firstCharacter, onlyFile, readTable, type SourceFile, type TableReading } from '@baize/tables'
import { asStatus } from '../../description/row-fields.ts'
import { mostCommonName } from '../../entries/most-common-name.ts'
import { boundedRecordKey, readingNotice, reject, unusable } from '../../entries/readings.ts'
import type { LicenseRow, Reading } from '../../stream.ts'

/** Reads a mirror's JSON: the list itself, or an object with the list as `records`. */
const records = {
  name: { headers: ['companyName', 'Company Name'] },
  authorisation: { headers: ['authorisationNumber', 'Authorisation Number'] },
  registration: { headers: ['registrationNumber', 'Registration Number'] },
  types: { headers: ['types', 'Authorisation type'], optional: true },
  status: { headers: ['status', 'Status'], optional: true },
}

const labelled = (label: string) => ({ headers: [`tr:has(> th:contains("${label}")) > td`] })

/** Reads the saved page: a panel for each authorisation, with a table of labels and values. */
const panels = {
  name: { headers: ['.company_name'] },
  authorisation: labelled('Authorisation Number'),
  registration: labelled('Registration Number'),
  types: { ...labelled('Authorisation type'), optional: true },
  status: { ...labelled('Status'), optional: true },
}

async function printedRows(
  file: SourceFile,
): Promise<AsyncGenerator<TableReading<keyof typeof records>, void>> {
  const first = await firstCharacter(file)
  if (first === '<')
    return readTable([file], { file: { format: 'html', rows_at: 'mat-expansion-panel' }, columns: panels })
  const within = first === '[' ? {} : { rows_at: 'records' }
  return readTable([file], { file: { format: 'json', ...within }, columns: records })
}

type Authorisation = {
  line: number
  recordKey: string
  licenseNumber: string
  types: string
  status: string | null
  legalName: string
  registrationNumber: string | null
  licenseeKey: string
}

export async function* readMaltaLicensees(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const file = onlyFile(files)
  const printed: Authorisation[] = []
  for await (const row of await printedRows(file)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { line, cells } = row
    const legalName = cells.name.trim().replaceAll(/\s+/g, ' ')
    const licenseNumber = cells.authorisation.trim().replaceAll(/\s+/g, '')
    if (legalName === '' || licenseNumber === '') {
      yield reject('empty', line, Object.values(cells).join(' '))
      continue
    }
    const status = statusOf(cells.status)
    if (status === undefined) {
      yield reject('unknown_status', line, `${licenseNumber} ${cells.status}`)
      continue
    }
    const registrationNumber = registrationOf(cells.registration)
    printed.push({
      line,
      recordKey: boundedRecordKey(licenseNumber.toUpperCase()),
      licenseNumber,
      types: cells.types,
      status,
      legalName,
      registrationNumber,
      licenseeKey: boundedRecordKey(
        registrationNumber === null ? `name:${legalName.toLowerCase()}` : canonical(registrationNumber),
      ),
    })
  }
  const unique = firstByKey(printed)
  for (const row of printed)
    if (unique.get(row.recordKey) !== row) yield reject('duplicate', row.line, row.licenseNumber)
  yield* holders([...unique.values()])
  const rowsOf = Map.groupBy(printed, row => `${row.recordKey}\n${row.licenseeKey}`)
  for (const { recordKey, licenseNumber, licenseeKey, status } of unique.values()) {
    const types = rowsOf.get(`${recordKey}\n${licenseeKey}`)?.map(row => row.types) ?? []
    const licenseType = typeOf(licenseNumber, types.join(','))
    const unpublished = { issuedAt: null, expiresAt: null, sourceUrl: null }
    const license = { record: 'license', recordKey, licenseNumber, licenseType, status, licenseeKey } as const
    yield { ...license, ...unpublished, role: roleOf(licenseNumber) }
  }
}

/** Chooses one row of each authorisation by its content, so that the file's order does not matter. */
function firstByKey(printed: readonly Authorisation[]): Map<string, Authorisation> {
  const first = new Map<string, Authorisation>()
  const contentOf = ({ licenseeKey, licenseNumber, legalName, registrationNumber, status }: Authorisation) =>
    [licenseeKey, licenseNumber, legalName, registrationNumber, status].join('\n')
  for (const row of printed) {
    const other = first.get(row.recordKey)
    if (other === undefined || contentOf(row) < contentOf(other)) first.set(row.recordKey, row)
  }
  return first
}

/**
 * Combines the authorisations of a company into one licensee under its most common name.
 * Notices list the other names.
 */
function* holders(authorisations: readonly Authorisation[]): Generator<Reading, void> {
  for (const [recordKey, rows] of Map.groupBy(authorisations, row => row.licenseeKey)) {
    const legalName = mostCommonName(rows.map(row => row.legalName))
    const spellings = rows.map(row => row.registrationNumber).filter(number => number !== null)
    const registrationNumber = spellings.length === 0 ? null : mostCommonName(spellings)
    // The numbers are those of the Maltese company register, which includes foreign companies.
    const country = registrationNumber === null ? null : 'MT'
    yield { record: 'licensee', recordKey, legalName, tradingNames: [], country, registrationNumber }
    const others = rows
      .map(row => row.legalName)
      .filter(name => name.toLowerCase() !== legalName.toLowerCase())
    for (const name of new Set(others.sort()))
      yield readingNotice(`another name of the company "${legalName}"`, `${recordKey} ${name}`)
  }
}

/**
 * Returns undefined for an unknown status. The mirror has no statuses, because it lists authorisations in
 * force.
 */
function statusOf(cell: string): string | null | undefined {
  const text = cell.trim()
  if (text === '') return null
  return /^licensed$/i.test(text) ? 'active' : (asStatus(text) ?? undefined)
}

/**
 * Returns the registration number as published. Placeholders (`-`, `N/A`) give null; otherwise they would
 * join different companies.
 */
function registrationOf(cell: string): string | null {
  const text = cell.trim().replaceAll(/\s+/g, ' ')
  return /\d/.test(text) ? text : null
}

/** Unifies spellings: `C107733` and `C-107733` become `C 107733`. */
function canonical(registrationNumber: string): string {
  const upper = registrationNumber.toUpperCase()
  const parts = /^([A-Z]+)[\s.-]*0*(\d+)$/.exec(upper)
  return parts === null ? upper : `${parts[1]} ${parts[2]}`
}

/** The purposes that authorisation numbers name, such as `MGA/B2C/1118/2025`. */
const purposes: Readonly<Record<string, { words: string; role: LicenseRow['role'] }>> = {
  B2C: { words: 'B2C gaming service', role: 'operator' },
  B2B: { words: 'B2B critical gaming supply', role: 'supplier' },
  CRP: { words: 'corporate group', role: null },
}

const purposeOf = (number: string) =>
  purposes[/^MGA\/(B2C|B2B|CRP)\//i.exec(number)?.[1]?.toUpperCase() ?? '']

const roleOf = (number: string) => purposeOf(number)?.role ?? null

/** Returns a type such as `B2C gaming service: type 1, type 2`. The Authority numbers the types of games. */
function typeOf(number: string, types: string): string | null {
  const words = purposeOf(number)?.words
  const listed = types.split(/[,\n]/).map(type => type.trim().replace(/^type\s*/i, ''))
  const named = [...new Set(listed)].filter(type => type !== '').toSorted()
  if (named.length === 0) return words ?? null
  return [words, named.map(type => `type ${type}`).join(', ')].filter(part => part !== undefined).join(': ')
}
