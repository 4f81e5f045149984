import { helpSites } from '../../core/help-sites.ts'
import { statusLicenses } from '../../core/license-status.ts'
import { type PublishedEntry, readPublishedEntry } from '../source/published-entry.ts'
import { boundedKey, notice, RecordKeys, reject } from '../source/readings.ts'
import type { AuthorisationRow, Reading } from '../stream.ts'
import type { Records } from './description-schema.ts'
import type { HolderKeys } from './holder-records.ts'
import {
  asListing,
  asStatus,
  type Cells,
  conditionOf,
  instantIn,
  keyIn,
  splitter,
  wordReader,
} from './row-fields.ts'

export type DomainReader = {
  matches(cells: Cells): boolean
  /** `hasHolder`: the row names a licensee, so it may have no domain. */
  read(line: number, cells: Cells, keys: HolderKeys, hasHolder: boolean): Iterable<Reading>
  /** Called after the last row. */
  end(): Iterable<Reading>
}

type Entry = Extract<PublishedEntry, { ok: true }>

/** A page authorises its whole site. A page on a shared host and a site of help authorise nothing. */
export function authorisationReader(section: NonNullable<Records['authorised_domains']>): DomainReader {
  const values = splitter(section.domain)
  const readStatus = wordReader(section.status, asStatus)
  const keys = new RecordKeys()
  const single = section.key_without_holder === true ? new SingleListings() : null
  return {
    matches: conditionOf(section.when),
    end: () => single?.all() ?? [],
    *read(line, cells, holder, hasHolder) {
      const status = readStatus(cells)
      if (!status.ok) {
        yield reject('unknown_status', line, status.published)
        return
      }
      const counts = statusLicenses(status.value)
      for (const entry of entriesIn(values(cells), line, cells, hasHolder)) {
        if ('record' in entry) yield entry
        else if (entry.domain === null) yield reject('shared_host', line, entry.published)
        else if (helpSites.has(entry.domain)) yield reject('help_site', line, entry.published)
        else {
          const { domain, published } = entry
          const holderKeys = [holder.licenseeKey, holder.licenseKey].filter(key => key !== null)
          const recordKey = joined([
            ...(single === null ? holderKeys : []),
            entry.host.replace(/^www\./, ''),
            ...alsoIn(cells, section.key_also),
          ])
          const row: AuthorisationRow = {
            record: 'authorisation',
            recordKey,
            domain,
            published,
            status: status.value,
            counts,
            ...holder,
          }
          if (single !== null) yield* single.add(line, row)
          // Two rows with different statuses: the sync stores the one that counts, in any file order.
          else if (!keys.claim(`${recordKey}\n${status.value}`)) yield reject('duplicate', line, published)
          else yield row
        }
      }
    },
  }
}

/** One row a key, in any file order: that which licenses, then that of the lesser holder. */
class SingleListings {
  readonly #rows = new Map<string, { line: number; row: AuthorisationRow }>();

  *add(line: number, row: AuthorisationRow): Generator<Reading, void> {
    const other = this.#rows.get(row.recordKey)
    if (other === undefined) {
      this.#rows.set(row.recordKey, { line, row })
      return
    }
    const isBetter = orderOf(row) < orderOf(other.row)
    const worse = isBetter ? other : { line, row }
    if (isBetter) this.#rows.set(row.recordKey, { line, row })
    yield reject('duplicate', worse.line, worse.row.published)
  }

  *all(): Generator<Reading, void> {
    for (const { row } of this.#rows.values()) yield row
  }
}

const orderOf = ({ counts, licenseeKey, licenseKey, published }: AuthorisationRow) =>
  [counts ? 0 : 1, licenseeKey ?? '', licenseKey ?? '', published].join('\n')

export function entryReader(section: NonNullable<Records['blocklist_entries']>): DomainReader {
  const values = splitter(section.domain)
  const readListing = wordReader(section.status, asListing)
  const keys = new RecordKeys()
  return {
    matches: conditionOf(section.when),
    end: () => [],
    *read(line, cells, _holder, hasHolder) {
      const listing = readListing(cells)
      const listedAt = instantIn(cells, section.listed_at)
      const delistedAt = instantIn(cells, section.delisted_at)
      if (!listing.ok) {
        yield reject('unknown_status', line, listing.published)
        return
      }
      // Without a readable deletion date it is unknown whether the site is listed.
      if (!delistedAt.ok) {
        yield reject('bad_date', line, delistedAt.published)
        return
      }
      if (!listedAt.ok) {
        if (section.key_also?.includes(section.listed_at?.column ?? '') === true) {
          yield reject('bad_date', line, listedAt.published)
          return
        }
        yield notice(
          `unreadable date "${listedAt.published.slice(0, 60)}"`,
          cells[section.domain.column] ?? '',
        )
      }
      const listed = listing.value === null ? delistedAt.value === null : listing.value === 'listed'
      for (const entry of entriesIn(values(cells), line, cells, hasHolder)) {
        if ('record' in entry) {
          yield entry
          continue
        }
        const { scope, domain, published, key: listedAs } = entry
        const recordKey = joined([listedAs, ...alsoIn(cells, section.key_also)])
        const content = [listed, listedAt.ok ? listedAt.value : null, delistedAt.value].join(' ')
        // Of two rows with different content the sync stores the listed one, then the earliest.
        if (!keys.claim(`${recordKey}\n${content}`)) yield reject('duplicate', line, published)
        else
          yield {
            record: 'blocklist_entry',
            recordKey,
            published,
            scope,
            domain,
            listedAs,
            listedAt: listedAt.ok ? listedAt.value : null,
            delistedAt: delistedAt.value,
            listed,
          }
      }
    },
  }
}

function* entriesIn(
  values: readonly string[],
  line: number,
  cells: Cells,
  hasHolder: boolean,
): Generator<Entry | Reading> {
  if (values.length === 0 && !hasHolder) yield reject('empty', line, Object.values(cells).join(' '))
  for (const value of values) {
    const entry = readPublishedEntry(value)
    yield entry.ok ? entry : reject(entry.reason, line, value)
  }
}

const alsoIn = (cells: Cells, columns: readonly string[] | undefined) =>
  columns === undefined ? [] : [keyIn(cells, columns)]

const joined = (parts: readonly string[]) => boundedKey(parts.join('|'))
