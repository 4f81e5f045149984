/**
 * One row a site, with a status: legal sites become authorisations without a license, blocked ones blocklist
 * entries, cancelled ones the one or the other that no longer holds; sites under review are rejected as not
 * yet decided.
 */
import { type PublishedEntry, readPublishedEntry } from '../../source/published-entry.ts'
import { reject, unusable } from '../../source/readings.ts'
import { earliestDateInProse } from '../../source/register-dates.ts'
import { onlyFile } from '../../source/source-file.ts'
import { readTable } from '../../source/source-table.ts'
import type { AuthorisationRow, BlocklistRow, Reading, RejectReason, SourceFile } from '../../stream.ts'

/**
 * The file also carries where the site redirects to (`Фінальний URL`), in some months: that is no listing.
 */
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

/**
 * The table is read whole first, some ten thousand rows: where a site stands twice the row that holds today is kept, of
 * two blocks the earlier, and only all of them tell which that is.
 */
export async function* readUkraineSites(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const rows: Placed[] = []
  for await (const row of readTable(onlyFile(files), { encoding: 'utf-8', delimiter: ',' }, layout)) {
    const read = row.kind === 'row' ? readSite(row.line, row.cells) : unusable(row)
    if ('row' in read) rows.push(read)
    else yield read
  }
  const kept = new Map<string, Placed>()
  for (const each of rows) {
    const held = kept.get(each.row.recordKey)
    if (held === undefined || precedes(each.row, held.row)) kept.set(each.row.recordKey, each)
  }
  for (const each of rows) {
    const { line, row } = each
    yield kept.get(row.recordKey) === each ? row : reject('duplicate', line, row.published)
  }
}

function readSite(line: number, cells: Cells): Placed | Reading {
  const status = cells.status.trim().toLowerCase()
  const entry = readPublishedEntry(cells.domain)
  const refuse = (reason: RejectReason) => reject(reason, line, cells.domain)
  if (status === 'перевірка' || status === 'опрацювання') return refuse('not_yet_decided')
  if (!entry.ok) return refuse(entry.reason)
  if (status === 'заблокований') return { line, row: blocked(entry, cells, true) }
  if (status === 'анульовано' && wasBlocked(cells)) return { line, row: blocked(entry, cells, false) }
  if (status !== 'легальний' && status !== 'анульовано') return refuse('unknown_status')
  if (entry.domain === null) return refuse('shared_host')
  return { line, row: licensed(entry, entry.domain, status === 'легальний' ? 'active' : 'cancelled') }
}

function precedes(one: Row, other: Row): boolean {
  const holds = (row: Row) => (row.record === 'blocklist_entry' ? row.listed : row.counts)
  if (holds(one) !== holds(other)) return holds(one)
  // Behind every date, where none is printed.
  const since = (row: Row) => (row.record === 'blocklist_entry' && row.listedAt) || '~'
  return `${since(one)} ${one.published}` < `${since(other)} ${other.published}`
}

/**
 * A block takes two decisions, the agency's and then the order to the providers; a license takes one, which
 * is printed in both columns or in the first. So an order of its own tells what it was that has been
 * cancelled.
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
    // A cell can name several decisions, in any order. An order carries one out: a decision that is dated behind its order
    // is a slip of the pen (`03.09.2026` for 2025), and the order the first day that is certain.
    listedAt: earliestDateInProse(cells.agencyDecision, cells.providerOrder),
    // The table says that a block was cancelled, and not when.
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
