/**
 * Reads the open data of licenses, a workbook for each kind. Row 1 has names in English. The two rows below
 * it repeat them in Ukrainian and number the columns.
 */
import { readDay, readTable, type SourceFile, type TableReading } from '@baize/tables'
import type { Records } from '../../description/description-schema.ts'
import { mapRows } from '../../description/map-rows.ts'
import type { Reading } from '../../stream.ts'

const filesMax = 10
const headerLine = 1
const headerRowsBelow = 2
const form = { date_forms: ['d.m.yyyy', 'iso'] as ('d.m.yyyy' | 'iso')[] }

const table = {
  file: { format: 'xlsx' as const, title_rows_max: 0, pages_max: filesMax },
  columns: {
    holder: { headers: ['legalName', 'legal Name'], first: true },
    brand: { headers: ['organizerBrand', 'brand'], first: true, optional: true },
    site: { headers: ['website/mobileApp', 'website/ mobileApp', 'website / mobileApp'], first: true },
    from: { headers: ['dateLicense'], first: true },
    years: { headers: ['licenseValidityPeriod'], first: true },
    ended: { headers: ['dateLicenseDecisionEnd'], first: true, optional: true },
    grounds: { headers: ['groundsLicenseTermination'], first: true, optional: true },
    appeal: { headers: ['resultAppealDecision'], first: true, optional: true },
  },
  empty_cells: ['null', '-'],
}

type Cells = Record<keyof typeof table.columns, string>

const status = { column: 'state' }
const records: Records = {
  licensee: {
    key: ['holder'],
    legal_name: { column: 'holder' },
    trading_names: { column: 'brand' },
    country: { constant: 'UA' },
  },
  license: {
    key: ['holder', 'from'],
    status,
    issued_at: { column: 'from', ...form },
    expires_at: { column: 'until', ...form },
    role: { constant: 'operator' },
  },
  authorised_domains: { domain: { column: 'site' }, status },
}

export const readUkraineLicences = (files: readonly SourceFile[]): AsyncIterable<Reading> =>
  mapRows(() => readLicences(files), records)

async function* readLicences(files: readonly SourceFile[]): AsyncGenerator<TableReading, void> {
  for await (const row of readTable(files, table)) {
    if (row.kind !== 'row') yield row
    else if (!isHeader(row.line, row.cells)) yield { ...row, cells: licenceOf(row.cells) }
  }
}

const isHeader = (line: number, { from }: Cells) =>
  line <= headerLine + headerRowsBelow && readDay(from, form) === null

/** Domains of a cell, which may also name apps. */
const hosts = /(?:https?:\/\/)?(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:\/[^\s,;()]*)?/gu

function licenceOf(cells: Cells): Record<string, string> {
  const { holder, brand, site, from, years } = cells
  const found = site.match(hosts) ?? []
  const until = endOf(from, years)
  return { holder, brand, from, until, state: stateOf(cells), site: found.join('\n') || site }
}

/** A license that a decision ended has no effect, unless a court has suspended that decision. */
function stateOf({ ended, grounds, appeal }: Cells): string {
  if (/строк дії ліцензії закінчився/i.test(grounds)) return 'expired'
  return ended === '' || /зупинено/i.test(appeal) ? '' : 'cancelled'
}

/** The last day of a license that is valid for so many years. */
function endOf(from: string, years: string): string {
  const day = readDay(from, form)
  const count = Number.parseInt(years, 10)
  if (day === null || Number.isNaN(count)) return ''
  const end = new Date(day)
  end.setUTCFullYear(end.getUTCFullYear() + count, end.getUTCMonth(), end.getUTCDate() - 1)
  return end.toISOString().slice(0, 10)
}
