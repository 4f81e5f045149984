/**
 * Decides which domains the register licenses. A domain belongs to an account. If it is Active or White
 * Label, it counts for each remote licence of the account; the verdict also considers the licence's status.
 * An account that has only premises licences licenses no site. An account without any licence row does,
 * with a notice.
 */

import { readDelimited, type SourceFile } from '@baize/tables'
import { normaliseStatus } from '../../entries/license-status.ts'
import { readPublishedEntry } from '../../entries/published-entry.ts'
import { boundedRecordKey, readingNotice, reject, unusable } from '../../entries/readings.ts'
import type { AuthorisationRow, LicenseeRow, Reading } from '../../stream.ts'
import { accountOf, form, layouts } from './tables.ts'

/** Maps accounts to the record keys of their remote licences. Accounts without any licence row are absent. */
export type AccountLicences = Map<string, { remote: string[] }>

const countingStatuses = new Set(['active', 'white_label'])
const knownStatuses = new Set([...countingStatuses, 'inactive'])

type Listing = {
  line: number
  account: string
  host: string
  domain: string
  published: string
  status: string | null
  counts: boolean
}

export async function* readDomainNames(
  file: SourceFile,
  accounts: ReadonlyMap<string, LicenseeRow>,
  licences: AccountLicences,
): AsyncGenerator<Reading, void> {
  const listings = new Map<string, Listing>()
  for await (const row of readDelimited(file, form, layouts.domainNames)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { line, cells } = row
    const account = boundedRecordKey(accountOf(cells.account))
    const status = normaliseStatus(cells.status)
    const entry = readPublishedEntry(cells.domain)
    if (!entry.ok) yield reject(entry.reason, line, cells.domain)
    else if (entry.domain === null) yield reject('shared_host', line, cells.domain)
    else if (!accounts.has(account)) yield reject('unknown_account', line, cells.domain)
    else {
      const counts = status !== null && countingStatuses.has(status)
      if (!knownStatuses.has(status ?? ''))
        yield readingNotice(`unknown domain status "${cells.status}"`, cells.domain)
      const { host, domain, published } = entry
      const surplus = addListing(listings, { line, account, host, domain, published, status, counts })
      if (surplus !== null) yield reject('duplicate', surplus.line, surplus.published)
    }
  }
  yield* reportWithoutLicence(listings.values(), accounts, licences)
  for (const listing of listings.values()) yield* authorisationsOf(listing, licences.get(listing.account))
}

/**
 * Stores one listing for each account and host: one that counts, then the lesser. Returns the listing that
 * lost.
 */
function addListing(listings: Map<string, Listing>, listing: Listing): Listing | null {
  const key = `${listing.account}|${listing.host}`
  const other = listings.get(key)
  if (other !== undefined && !precedes(listing, other)) return listing
  listings.set(key, listing)
  return other ?? null
}

function precedes(one: Listing, other: Listing): boolean {
  if (one.counts !== other.counts) return one.counts
  return `${one.status} ${one.published}` < `${other.status} ${other.published}`
}

function* reportWithoutLicence(
  listings: Iterable<Listing>,
  accounts: ReadonlyMap<string, LicenseeRow>,
  licences: AccountLicences,
): Generator<Reading, void> {
  const without = new Set(
    [...listings].map(listing => listing.account).filter(account => !licences.has(account)),
  )
  for (const account of without) {
    yield readingNotice(
      'domains of an account without a licence row',
      `${account} ${accounts.get(account)?.legalName}`,
    )
  }
}

function* authorisationsOf(
  listing: Listing,
  licences: { remote: string[] } | undefined,
): Generator<AuthorisationRow, void> {
  const { account, host, domain, published, status, counts } = listing
  const row = { record: 'authorisation', domain, published, status, licenseeKey: account } as const
  const keyOf = (licence: string) => boundedRecordKey(`${account}|${host}|${licence}`)
  if (licences === undefined || licences.remote.length === 0) {
    yield { ...row, recordKey: keyOf('none'), counts: counts && licences === undefined, licenseKey: null }
  } else {
    for (const licence of licences.remote)
      yield { ...row, recordKey: keyOf(licence), counts, licenseKey: licence }
  }
}
