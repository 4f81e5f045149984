/**
 * Reads one row per site, with a status. Legal sites become authorisations without a license, and blocked
 * ones blocklist entries. A cancelled site becomes an inactive record of its kind. Sites under review are
 * rejected as undecided.
 */
import { earliestDateInProse, onlyFile, readDelimited, type SourceFile } from '@baize/tables'
import { type PublishedEntry, readPublishedEntry } from '../../entries/published-entry.ts'
import { reject, unusable } from '../../entries/readings.ts'
import type { AuthorisationRow, BlocklistRow, Reading, RejectReason } from '../../stream.ts'

/** Some months have a further column, the redirect target (`Фінальний URL`), which is not a listing. */
const layout = {
  domain: { headers: ['Домен'] },
  finalUrl: { headers: ['Фінальний URL'], optional: true },
  status: { headers: ['Статус'] },
  agencyDecision: { headers: ['Рішення ПлейСіті'] },
  providerOrder: { headers: ['Рішення НКЕК'] },
  updated: { headers: ['Останнє оновлення'] },
} as const

type Cells = Record<keyof typeof layout, string>
type Entry = Extract<PublishedEntry, { ok: true }>
type Row = AuthorisationRow | BlocklistRow
type Placed = { line: number; row: Row }

/** Reads about 10,000 rows at once. Among rows of one site the one in force wins, then the earlier block. */
export async function* readUkraineSites(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const rows: Placed[] = []
  for await (const row of readDelimited(onlyFile(files), { encoding: 'utf-8', delimiter: ',' }, layout)) {
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
 * Checks whether a cancelled row was a block. A block has two decisions: the agency's and the order to the
 * providers. A license has one, printed in the first column or in both. So a separate order means a block.
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
