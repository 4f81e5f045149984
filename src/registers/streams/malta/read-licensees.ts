/**
 * One record an authorisation: its number, which tells what it is for, and its holder. Companies are told apart by their
 * registration numbers, which are printed in three spellings; one without a number is known by its name alone.
 */
import { boundedKey, notice, RecordKeys, reject, unusable } from '../../readings.ts'
import { onlyFile } from '../../source-file.ts'
import { readJsonRecords } from '../../source-json.ts'
import { rowsBelowHeader } from '../../source-table.ts'
import type { LicenseRow, Reading, SourceFile } from '../../stream.ts'

const layout = {
  name: { names: ['companyName', 'Company Name'] },
  authorisation: { names: ['authorisationNumber', 'Authorisation Number'] },
  registration: { names: ['registrationNumber', 'Registration Number'] },
  types: { names: ['types', 'Authorisation type'], optional: true },
} as const

export async function* readMaltaLicensees(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const file = onlyFile(files)
  const names = new Map<string, string>()
  const licenses = new RecordKeys()
  for await (const row of rowsBelowHeader(file.name, readJsonRecords(file, 'records'), layout)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { line, cells } = row
    const legalName = cells.name.trim().replaceAll(/\s+/g, ' ')
    const licenseNumber = cells.authorisation.trim().replaceAll(/\s+/g, '')
    const recordKey = boundedKey(licenseNumber.toUpperCase())
    if (legalName === '' || licenseNumber === '') yield reject('empty', line, Object.values(cells).join(' '))
    else if (!licenses.claim(recordKey)) yield reject('duplicate', line, licenseNumber)
    else {
      const registrationNumber = registrationOf(cells.registration)
      const licenseeKey = boundedKey(
        registrationNumber === null ? `name:${legalName.toLowerCase()}` : canonical(registrationNumber),
      )
      yield* holder(names, licenseeKey, legalName, registrationNumber)
      const licenseType = typeOf(licenseNumber, cells.types)
      const unpublished = { status: null, issuedAt: null, expiresAt: null, sourceUrl: null }
      const license = { record: 'license', recordKey, licenseNumber, licenseType, licenseeKey } as const
      yield { ...license, ...unpublished, role: roleOf(licenseNumber) }
    }
  }
}

/** A company with several authorisations is one licensee; a second name of it is told, and the first one kept. */
function* holder(
  names: Map<string, string>,
  recordKey: string,
  legalName: string,
  registrationNumber: string | null,
): Generator<Reading, void> {
  const known = names.get(recordKey)
  if (known === undefined) {
    names.set(recordKey, legalName)
    // The numbers are those of the Maltese register of companies, in which companies from abroad stand too.
    const country = registrationNumber === null ? null : 'MT'
    yield { record: 'licensee', recordKey, legalName, tradingNames: [], country, registrationNumber }
  } else if (known.toLowerCase() !== legalName.toLowerCase()) {
    yield notice(`another name of the company "${known}"`, `${recordKey} ${legalName}`)
  }
}

/** As published; a mark that stands for none (`-`, `N/A`) would make one company of all that have none. */
function registrationOf(cell: string): string | null {
  const text = cell.trim().replaceAll(/\s+/g, ' ')
  return /\d/.test(text) ? text : null
}

/** `C 109579`, `C107733` and `C-109762` are one form: `C 109579`. */
function canonical(registrationNumber: string): string {
  const upper = registrationNumber.toUpperCase()
  const parts = /^([A-Z]+)[\s.-]*0*(\d+)$/.exec(upper)
  return parts === null ? upper : `${parts[1]} ${parts[2]}`
}

/** What an authorisation is for stands in its number: `MGA/B2C/1118/2025`. */
const purposes: Readonly<Record<string, { words: string; role: LicenseRow['role'] }>> = {
  B2C: { words: 'B2C gaming service', role: 'operator' },
  B2B: { words: 'B2B critical gaming supply', role: 'supplier' },
  // Held for a group, whose members may do either.
  CRP: { words: 'corporate group', role: null },
}

const purposeOf = (number: string) =>
  purposes[/^MGA\/(B2C|B2B|CRP)\//i.exec(number)?.[1]?.toUpperCase() ?? '']

const roleOf = (number: string) => purposeOf(number)?.role ?? null

/** `B2C gaming service: type 1, type 2`; the types of games are numbered by the Authority. */
function typeOf(number: string, types: string): string | null {
  const words = purposeOf(number)?.words
  const listed = types.split(',').map(type => type.trim().replace(/^type\s*/i, ''))
  const named = [...new Set(listed)].filter(type => type !== '').toSorted()
  if (named.length === 0) return words ?? null
  return [words, named.map(type => `type ${type}`).join(', ')].filter(part => part !== undefined).join(': ')
}
