/**
 * One row a site, with a status: legal sites become authorisations without a license, blocked ones blocklist
 * entries, cancelled ones the one or the other that no longer holds; sites under review are rejected as not
 * yet decided.
 */
import { type PublishedEntry, readPublishedEntry } from '../../published-entry.ts'
import { RecordKeys, reject, unusable } from '../../readings.ts'
import { firstDateInProse } from '../../register-dates.ts'
import { onlyFile } from '../../source-file.ts'
import { readTable } from '../../source-table.ts'
import type { AuthorisationRow, BlocklistRow, Reading, SourceFile } from '../../stream.ts'

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
type Held = { line: number; row: AuthorisationRow | BlocklistRow }

export async function* readUkraineSites(files: readonly SourceFile[]): AsyncGenerator<Reading, void> {
  const keys = new RecordKeys()
  // Cancelled rows wait, so that where a site stands twice the row that holds today is the one that is kept.
  const cancelled: Held[] = []
  const kept = (row: Held['row'], line: number): Reading =>
    keys.claim(row.recordKey) ? row : reject('duplicate', line, row.published)

  for await (const row of readTable(onlyFile(files), { encoding: 'utf-8', delimiter: ',' }, layout)) {
    if (row.kind !== 'row') yield unusable(row)
    else {
      const { line, cells } = row
      const status = cells.status.trim().toLowerCase()
      const entry = readPublishedEntry(cells.domain)
      if (status === 'перевірка' || status === 'опрацювання')
        yield reject('not_yet_decided', line, cells.domain)
      else if (!entry.ok) yield reject(entry.reason, line, cells.domain)
      else if (status === 'заблокований') yield kept(blocked(entry, cells, true), line)
      else if (status === 'анульовано' && wasBlocked(cells))
        cancelled.push({ line, row: blocked(entry, cells, false) })
      else if (status !== 'легальний' && status !== 'анульовано')
        yield reject('unknown_status', line, cells.domain)
      else if (entry.domain === null) yield reject('shared_host', line, cells.domain)
      else if (status === 'легальний') yield kept(licensed(entry, entry.domain, 'active'), line)
      else cancelled.push({ line, row: licensed(entry, entry.domain, 'cancelled') })
    }
  }
  for (const { line, row } of cancelled) yield kept(row, line)
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
    listedAt: firstDateInProse(cells.agencyDecision) ?? firstDateInProse(cells.providerOrder),
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
