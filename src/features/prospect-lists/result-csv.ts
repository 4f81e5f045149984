import { type CsvCell, type CsvOptions, csvText } from '../csv-text.ts'
import type { ProspectListResult, TargetAccount } from './result-schema.ts'

/** The columns of the CSV (§2.13). */
const columns = [
  'prospect_list_ref',
  'target_ref',
  'account_name',
  'website',
  'organizations',
  'licences',
  'brands',
  'contact_ref',
  'contact_name',
  'contact_role',
  'professional_profile_url',
  'verified_emails',
] as const

/** Writes a result as CSV with one row per contact. Line breaks separate the values of a cell. */
export function resultCsv(listRef: string, result: ProspectListResult, options: CsvOptions = {}): string {
  const rows: CsvCell[][] = [[...columns]]
  for (const target of result.target_accounts) {
    const cells = targetCells(target)
    for (const contact of target.key_contacts) {
      rows.push([
        listRef,
        ...cells,
        contact.contact_ref,
        contact.name,
        contact.role,
        contact.professional_profile_url,
        linesOf(contact.contact_channels),
      ])
    }
  }
  return csvText(rows, options)
}

function targetCells(target: TargetAccount): CsvCell[] {
  const { target_ref, name, website, candidate_organizations, licences = [], brands = [] } = target
  return [
    target_ref,
    name,
    website,
    linesOf(candidate_organizations.map(organization => `${organization.name} (${organization.role})`)),
    linesOf(
      licences.map(({ jurisdiction, licence_number, licence_type }) =>
        [jurisdiction, licence_number, licence_type].filter(word => word !== null).join(' '),
      ),
    ),
    linesOf(brands),
  ]
}

function linesOf(values: readonly string[]): string {
  return values.join('\n')
}
