/** The register's four files, identified by their headers: their names differ between mirrors. */
import { layoutOf, type TableForm } from '../../source/source-table.ts'
import { Refusal, type SourceFile } from '../../stream.ts'

export const form: TableForm = { encoding: 'utf-8', delimiter: ',' }

export const layouts = {
  businesses: {
    account: { names: ['Account Number'] },
    name: { names: ['Licence Account Name'] },
  },
  licences: {
    account: { names: ['Account Number'] },
    number: { names: ['Licence Number'] },
    status: { names: ['Status'] },
    type: { names: ['Type'] },
    activity: { names: ['Activity'] },
    start: { names: ['Start Date'] },
    end: { names: ['End Date'] },
  },
  tradingNames: {
    account: { names: ['Account Number'] },
    name: { names: ['Trading Name'] },
    status: { names: ['Status'] },
  },
  domainNames: {
    account: { names: ['Account Number'] },
    domain: { names: ['Domain Name'] },
    status: { names: ['Status'] },
  },
} as const

type Table = keyof typeof layouts

/** Requires all four: a snapshot without licences would remove every license. */
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

/** Licence numbers pad the account (`065252-…`); its own column does not (`65252`). */
export function accountOf(cell: string): string {
  return cell.trim().replace(/^0+(?=\d)/, '')
}
