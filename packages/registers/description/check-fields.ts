import { type FieldChecks, fieldChecks, type LocatedProblem } from '@baize/tables'
import type { Description, Records } from './description-schema.ts'

export function* checkFields({ columns, records }: Description): Generator<LocatedProblem> {
  const check = fieldChecks(columns)
  yield* checkLicensee(check, records.licensee)
  yield* checkLicense(check, records.license)
  const { authorised_domains, blocklist_entries } = records
  yield* checkDomains(check, 'authorised_domains', authorised_domains)
  yield* checkDomains(check, 'blocklist_entries', blocklist_entries)
  if (blocklist_entries !== undefined) {
    const { listed_at, delisted_at } = blocklist_entries
    yield* check.dates(['records', 'blocklist_entries'], { listed_at, delisted_at })
  }
}

function* checkLicensee(check: FieldChecks, licensee: Records['licensee']): Generator<LocatedProblem> {
  if (licensee === undefined) return
  const path = ['records', 'licensee']
  const { legal_name, registration_number, trading_names, country } = licensee
  yield* check.keys([...path, 'key'], licensee.key)
  yield* check.texts(path, { legal_name, registration_number })
  yield* check.words(path, { country })
  if (trading_names !== undefined)
    yield* check.column([...path, 'trading_names', 'column'], trading_names.column)
}

function* checkLicense(check: FieldChecks, license: Records['license']): Generator<LocatedProblem> {
  if (license === undefined) return
  const path = ['records', 'license']
  const { license_number, license_type, source_url, status, role, issued_at, expires_at } = license
  yield* check.keys([...path, 'key'], license.key)
  if (license_number !== undefined)
    yield* check.column([...path, 'license_number', 'column'], license_number.column)
  yield* check.texts(path, { license_type, source_url })
  yield* check.words(path, { status, role })
  yield* check.dates(path, { issued_at, expires_at })
  yield* check.condition([...path, 'when'], license.when)
}

function* checkDomains(
  check: FieldChecks,
  name: 'authorised_domains' | 'blocklist_entries',
  section: Records['authorised_domains'] | Records['blocklist_entries'],
): Generator<LocatedProblem> {
  if (section === undefined) return
  const path = ['records', name]
  yield* check.column([...path, 'domain', 'column'], section.domain.column)
  yield* check.words(path, { status: section.status })
  yield* check.condition([...path, 'when'], section.when)
  yield* check.keys([...path, 'key_also'], section.key_also)
}
