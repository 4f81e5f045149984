/**
 * Reads which domains the register licenses. A domain belongs to an account. It counts if it is Active or
 * White Label, for each remote licence of the account; the verdict also considers the licence's status. An
 * account with premises licences only licenses no site. One without any licence row does, with a notice.
 */
import { normaliseStatus } from '../../../core/license-status.ts'
import { readPublishedEntry } from '../../source/published-entry.ts'
import { boundedKey, notice, reject, unusable } from '../../source/readings.ts'
import { readTable } from '../../source/source-table.ts'
import type { AuthorisationRow, LicenseeRow, Reading, SourceFile } from '../../stream.ts'
import { accountOf, form, layouts } from './tables.ts'

/** The record keys of remote licences by account; accounts without any licence row are absent. */
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
  for await (const row of readTable(file, form, layouts.domainNames)) {
    if (row.kind !== 'row') {
      yield unusable(row)
      continue
    }
    const { line, cells } = row
    const account = boundedKey(accountOf(cells.account))
    const status = normaliseStatus(cells.status)
    const entry = readPublishedEntry(cells.domain)
    if (!entry.ok) yield reject(entry.reason, line, cells.domain)
    else if (entry.domain === null) yield reject('shared_host', line, cells.domain)
    else if (!accounts.has(account)) yield reject('unknown_account', line, cells.domain)
    else {
      const counts = status !== null && countingStatuses.has(status)
      if (!knownStatuses.has(status ?? ''))
        yield notice(`unknown domain status "${cells.status}"`, cells.domain)
      const { host, domain, published } = entry
      const surplus = addListing(listings, { line, account, host, domain, published, status, counts })
      if (surplus !== null) yield reject('duplicate', surplus.line, surplus.published)
    }
  }
  yield* reportWithoutLicence(listings.values(), accounts, licences)
  for (const listing of listings.values()) yield* authorisationsOf(listing, licences.get(listing.account))
}

/** Of two listings of one account and host, one that counts wins, then the lesser. Returns the other. */
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
    yield notice(
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
  const keyOf = (licence: string) => boundedKey(`${account}|${host}|${licence}`)
  if (licences === undefined || licences.remote.length === 0) {
    yield { ...row, recordKey: keyOf('none'), counts: counts && licences === undefined, licenseKey: null }
  } else {
    for (const licence of licences.remote)
      yield { ...row, recordKey: keyOf(licence), counts, licenseKey: licence }
  }
}
