import { html } from '../html.ts'
import { verdictBadge } from './badge.ts'
import { domainLink, inSentence, marketLink, marketName } from './links.ts'
import type { Column } from './table.ts'

/** A site with the markets that license and block it; the verdict is null where none was bought. */
type Site = { verdict: string | null; licensed: readonly string[]; blocked: readonly string[] }

const distinct = (codes: readonly string[]) => [...new Set(codes)]

/** Declares the columns of tables of sites. */
export function siteColumns<Row extends { domain: string }>(of: (row: Row) => Site): Column<Row>[] {
  const markets = (name: string, key: string, codes: (row: Row) => readonly string[]): Column<Row> => ({
    name,
    cell: row => inSentence(distinct(codes(row)).map(marketLink)),
    key,
    value: row => distinct(codes(row)).map(marketName),
  })
  return [
    { name: 'Site', cell: row => domainLink(row.domain), key: 'domain' },
    {
      name: 'Verdict',
      cell(row) {
        const { verdict } = of(row)
        return verdict === null ? html`<span class="none">not screened</span>` : verdictBadge(verdict)
      },
      key: 'verdict',
    },
    markets('Licensed in', 'licensed_in', row => of(row).licensed),
    markets('Blocked in', 'blocked_in', row => of(row).blocked),
  ]
}
