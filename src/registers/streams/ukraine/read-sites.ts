/**
 * One row per site, with a status. Legal sites become authorisations without a license, blocked ones
 * blocklist entries, cancelled ones an inactive record of either kind. Sites under review are undecided.
 */
import { type PublishedEntry, readPublishedEntry } from '../../source/published-entry.ts'
import { reject, unusable } from '../../source/readings.ts'
import { earliestDateInProse } from '../../source/register-dates.ts'
import { onlyFile } from '../../source/source-file.ts'
import { readTable } from '../../source/source-table.ts'
import type { AuthorisationRow, BlocklistRow, Reading, RejectReason, SourceFile } from '../../stream.ts'

/** Some months have the redirect target too (`Фінальний URL`), which is not a listing. */
const layout = {
  domain: { names: ['Домен'] },
  finalUrl: { names: ['Фінальний URL'], optional: true },
  status: { names: ['Статус'] },
  agencyDecision: { names: ['Рішення ПлейСіті'] },
  providerOrder: { names: ['Рішення НКЕК'] },
  updated: { names: ['Останнє оновлення'] },
} as const

type Cells = Record<keyof typeof layout, string>
type Entry = Extract<PublishedEntry, { ok: true }>
type Row = AuthorisationRow | BlocklistRow
type Placed = { line: number; row: Row }

/** Of the rows of a site (about 10,000 in all) the one in force wins; of two blocks the earlier. */
export async function* readUkraineSites(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const rows: Placed[] = []
  for await (const row of readTable(onlyFile(files), { encoding: 'utf-8', delimiter: ',' }, layout)) {
    const read = row.kind === 'row' ? readSite(row.line, row.cells) : unusable(row)
    if ('row' in read) rows.push(read)
    else yield read
  }
  const first = new Map<string, Placed>()
  for (const each of rows) {
    const other = first.get(each.row.recordKey)
    if (other === undefined || precedes(each.row, other.row)) first.set(each.row.recordKey, each)
  }
  for (const each of rows) {
    const { line, row } = each
    yield first.get(row.recordKey) === each ? row : reject('duplicate', line, row.published)
  }
}

function readSite(line: number, cells: Cells): Placed | Reading {
  const status = cells.status.trim().toLowerCase()
  const entry = readPublishedEntry(cells.domain)
  const refuse = (reason: RejectReason) => reject(reason, line, cells.domain)
  if (status === 'перевірка' || status === 'опрацювання') return refuse('undecided')
  if (!entry.ok) return refuse(entry.reason)
  if (status === 'заблокований') return { line, row: blocked(entry, cells, true) }
  if (status === 'анульовано' && wasBlocked(cells)) return { line, row: blocked(entry, cells, false) }
  if (status !== 'легальний' && status !== 'анульовано') return refuse('unknown_status')
  if (entry.domain === null) return refuse('shared_host')
  return { line, row: licensed(entry, entry.domain, status === 'легальний' ? 'active' : 'cancelled') }
}

function precedes(one: Row, other: Row): boolean {
  const inForce = (row: Row) => (row.record === 'blocklist_entry' ? row.listed : row.counts)
  if (inForce(one) !== inForce(other)) return inForce(one)
  // '~' sorts after every date.
  const since = (row: Row) => (row.record === 'blocklist_entry' && row.listedAt) || '~'
  return `${since(one)} ${one.published}` < `${since(other)} ${other.published}`
}

/**
 * A block has two decisions: the agency's and the order to the providers. A license has one, printed in the
 * first column or both. So a separate order means that a block was cancelled.
 */
function wasBlocked(cells: Cells): boolean {
  const order = cells.providerOrder.trim()
  return order !== '' && order !== cells.agencyDecision.trim()
}

function blocked(entry: Entry, cells: Cells, listed: boolean): BlocklistRow {
  return {
    record: 'blocklist_entry',
    recordKey: `blocked:${entry.key}`,
    published: entry.published,
    scope: entry.scope,
    domain: entry.domain,
    listedAs: entry.key,
    // A cell can name several decisions, in any order. A decision dated after its order is a typing error
    // (`03.09.2026` for 2025), so the earliest date of both cells is the reliable one.
    listedAt: earliestDateInProse(cells.agencyDecision, cells.providerOrder),
    delistedAt: null,
    listed,
  }
}

function licensed(entry: Entry, domain: string, status: 'active' | 'cancelled'): AuthorisationRow {
  return {
    record: 'authorisation',
    recordKey: `licensed:${entry.host}`,
    domain,
    published: entry.published,
    status,
    counts: status === 'active',
    licenseKey: null,
    licenseeKey: null,
  }
}
