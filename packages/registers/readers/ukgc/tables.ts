/** Identifies the register's four files by their headers, because their names differ between mirrors. */
import { layoutOf, Refusal, type SourceFile, type TableForm } from '@baize/tables'

export const form: TableForm = { encoding: 'utf-8', delimiter: ',' }

export const layouts = {
  businesses: {
    account: { headers: ['Account Number'] },
    name: { headers: ['Licence Account Name'] },
  },
  licences: {
    account: { headers: ['Account Number'] },
    number: { headers: ['Licence Number'] },
    status: { headers: ['Status'] },
    type: { headers: ['Type'] },
    activity: { headers: ['Activity'] },
    start: { headers: ['Start Date'] },
    end: { headers: ['End Date'] },
  },
  tradingNames: {
    account: { headers: ['Account Number'] },
    name: { headers: ['Trading Name'] },
    status: { headers: ['Status'] },
  },
  domainNames: {
    account: { headers: ['Account Number'] },
    domain: { headers: ['Domain Name'] },
    status: { headers: ['Status'] },
  },
} as const

type Table = keyof typeof layouts

/** Requires all four files: a snapshot without licences would remove every license. */
export async function sortTables(files: readonly SourceFile[]): Promise<Record<Table, SourceFile>> {
  const found: Partial<Record<Table, SourceFile>> = {}
  for (const file of files) {
    const table = await layoutOf(file, form, layouts)
    const other = found[table]
    if (other !== undefined)
      throw new Refusal(`"${other.name}" and "${file.name}" are both the table ${table}`)
    found[table] = file
  }
  const { businesses, licences, tradingNames, domainNames } = found
  if (businesses && licences && tradingNames && domainNames)
    return { businesses, licences, tradingNames, domainNames }
  const missing = Object.keys(layouts).filter(table => !(table in found))
  throw new Refusal(`expected four tables, found ${files.length}; missing: ${missing.join(', ')}`)
}

/**
 * Removes leading zeros: licence numbers pad the account (`065252-…`), and the account column does not
 * (`65252`).
 */
export function accountOf(cell: string): string {
  return cell.trim().replace(/^0+(?=\d)/, '')
}
