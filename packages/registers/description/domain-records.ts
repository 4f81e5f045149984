import { type Cells, conditionOf, instantIn, keyIn, splitter, wordReader } from '@baize/tables'
import { helpSites } from '../entries/help-sites.ts'
import { statusLicenses } from '../entries/license-status.ts'
import { type PublishedEntry, readPublishedEntry } from '../entries/published-entry.ts'
import { boundedRecordKey, leftOut, readingNotice, reject } from '../entries/readings.ts'
import { RecordKeys } from '../entries/record-keys.ts'
import type { AuthorisationRow, Reading } from '../stream.ts'
import type { Records } from './description-schema.ts'
import type { HolderKeys } from './holder-records.ts'
import { asListing, asStatus } from './row-fields.ts'

export type DomainReader = {
  matches(cells: Cells): boolean
  /**
   * Reads the domains of a row, for each of its licenses. If `hasHolder` is true, the row names a licensee
   * and may have no domain.
   */
  read(line: number, cells: Cells, keys: readonly HolderKeys[], hasHolder: boolean): Iterable<Reading>
  /** Notes the domains of a holder's row that does not match. */
  leaveOut(cells: Cells): Iterable<Reading>
  /** Returns the readings that are known only after the last row. */
  end(): Iterable<Reading>
}

type Entry = Extract<PublishedEntry, { ok: true }>

/**
 * Reads authorised domains. A page authorises its whole site; pages on shared hosts and help sites
 * authorise nothing. With `hasOtherRows`, rows without a license repeat sites of their holder's licenses.
 */
export function authorisationReader(
  section: NonNullable<Records['authorised_domains']>,
  hasOtherRows: boolean,
): DomainReader {
  const values = splitter(section.domain)
  const readStatus = wordReader(section.status, asStatus)
  const keys = new RecordKeys()
  const single = section.key_without_holder === true ? new SingleListings() : null
  const unlicensed = new UnlicensedListings()
  return {
    matches: conditionOf(section.when),
    leaveOut: cells => values(cells).map(leftOut),
    end: () => single?.all() ?? unlicensed.all(),
    *read(line, cells, holders, hasHolder) {
      const status = readStatus(cells)
      if (!status.ok) {
        yield reject('unknown_status', line, status.published)
        return
      }
      const counts = statusLicenses(status.value)
      const also = alsoIn(cells, section.key_also)
      for (const entry of entriesIn(values(cells), line, cells, hasHolder)) {
        if ('record' in entry) yield entry
        else if (entry.domain === null) yield reject('shared_host', line, entry.published)
        else if (helpSites.has(entry.domain)) yield reject('help_site', line, entry.published)
        else {
          const { domain, published } = entry
          const site = [entry.host.replace(/^www\./, ''), ...also]
          for (const holder of single === null ? holders : holders.slice(0, 1)) {
            const holderKeys = [holder.licenseeKey, holder.licenseKey].filter(key => key !== null)
            const recordKey = joined([...(single === null ? holderKeys : []), ...site])
            const row: AuthorisationRow = {
              record: 'authorisation',
              recordKey,
              domain,
              published,
              status: status.value,
              counts,
              ...holder,
            }
            const ofHolder = joined([holder.licenseeKey ?? '', ...site])
            if (hasOtherRows && holder.licenseKey !== null) unlicensed.addLicensed(ofHolder)
            if (single !== null) yield* single.add(line, row)
            else if (hasOtherRows && holder.licenseKey === null) unlicensed.add(ofHolder, line, row)
            // Both rows are passed on if their statuses differ. The sync stores the one that counts, in any
            // file order.
            else if (!keys.claim(`${recordKey}\n${status.value}`)) yield reject('duplicate', line, published)
            else yield row
          }
        }
      }
    },
  }
}

/**
 * Chooses one row for each key, in any file order: a row that licenses, then the one with the lesser holder
 * key.
 */
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

/** Listings of a holder's sites without a license. One that a license of the holder has is a duplicate. */
class UnlicensedListings {
  readonly #licensed = new Set<string>()
  readonly #rows = new Map<string, { line: number; row: AuthorisationRow }[]>()

  addLicensed(site: string): void {
    this.#licensed.add(site)
  }

  add(site: string, line: number, row: AuthorisationRow): void {
    const rows = this.#rows.get(site)
    if (rows === undefined) this.#rows.set(site, [{ line, row }])
    else rows.push({ line, row })
  }

  *all(): Generator<Reading, void> {
    for (const [site, rows] of this.#rows)
      for (const [index, { line, row }] of rows.entries())
        if (index > 0 || this.#licensed.has(site)) yield reject('duplicate', line, row.published)
        else yield row
  }
}

export function entryReader(section: NonNullable<Records['blocklist_entries']>): DomainReader {
  const values = splitter(section.domain)
  const readListing = wordReader(section.status, asListing)
  const { key_with_listed_at: isKeyEnd = false, key_also = [], listed_at } = section
  const isInKey = isKeyEnd || (listed_at !== undefined && key_also.includes(listed_at.column))
  const keys = new RecordKeys()
  return {
    matches: conditionOf(section.when),
    leaveOut: cells => values(cells).map(leftOut),
    end: () => [],
    *read(line, cells, _holders, hasHolder) {
      const listing = readListing(cells)
      const listedAt = instantIn(cells, section.listed_at)
      const delistedAt = instantIn(cells, section.delisted_at)
      if (!listing.ok) {
        yield reject('unknown_status', line, listing.published)
        return
      }
      // Rejects the row, because without a readable deletion date it is unknown whether the site is listed.
      if (!delistedAt.ok) {
        yield reject('bad_date', line, delistedAt.published)
        return
      }
      const listedOn = listedAt.ok ? listedAt.value : null
      const published = listedAt.ok ? (cells[section.domain.column] ?? '') : listedAt.published
      if (isInKey && (!listedAt.ok || (listedOn === null && isKeyEnd))) {
        yield reject('bad_date', line, published)
        return
      }
      if (!listedAt.ok)
        yield readingNotice(
          `unreadable date "${listedAt.published.slice(0, 60)}"`,
          cells[section.domain.column] ?? '',
        )
      const listed = listing.value === null ? delistedAt.value === null : listing.value === 'listed'
      for (const entry of entriesIn(values(cells), line, cells, hasHolder)) {
        if ('record' in entry) {
          yield entry
          continue
        }
        const { scope, domain, published, key: listedAs } = entry
        const key = joined([listedAs, ...alsoIn(cells, section.key_also)])
        const recordKey = isKeyEnd ? `${key}@${listedOn}` : key
        const content = [listed, listedOn, delistedAt.value].join(' ')
        // Both rows are passed on if their content differs. The sync stores the listed one, then the
        // earliest.
        if (!keys.claim(`${recordKey}\n${content}`)) yield reject('duplicate', line, published)
        else
          yield {
            record: 'blocklist_entry',
            recordKey,
            published,
            scope,
            domain,
            listedAs,
            listedAt: listedOn,
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

const joined = (parts: readonly string[]) => boundedRecordKey(parts.join('|'))
