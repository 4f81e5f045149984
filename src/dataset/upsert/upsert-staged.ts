import type { Transaction } from '../../database/open.ts'
import {
  analyseFacts,
  deriveObserved,
  deriveVerdicts,
  markDatasetChanged,
} from '../../features/domains/index.ts'
import { addPlatformSignals } from '../../features/signals/index.ts'
import { rejectsShownMax } from '../import-report.ts'
import type { RecordKind } from '../read/record-schemas.ts'
import {
  type BadReferences,
  dropReadingsWithoutPlatform,
  dropWithoutCompany,
} from '../stage/bad-references-store.ts'
import { mapCompanies, mapDomains } from '../stage/map-keys-store.ts'
import { analyse, stagedTables } from '../stage/staging-store.ts'
import { gatherTouchedDomains, lockDomains, readTouchedDomains } from './touched-domains-store.ts'
import { gatherTouchedSites, readNewlyReviewed, readTouchedSites } from './touched-sites-store.ts'
import { upsertAccounts } from './upsert-accounts.ts'
import { upsertBlocklistEntries } from './upsert-blocklists-store.ts'
import { upsertCompanies } from './upsert-companies-store.ts'
import { upsertContacts } from './upsert-contacts-store.ts'
import { upsertDomains, writeGeos } from './upsert-domains-store.ts'
import { upsertFirmographics } from './upsert-firmographics-store.ts'
import { upsertLicenses } from './upsert-licenses-store.ts'
import { upsertLogos } from './upsert-logos.ts'
import { upsertObservations } from './upsert-observations-store.ts'
import { upsertPlatforms } from './upsert-platforms-store.ts'
import { upsertProspectLists } from './upsert-prospect-lists.ts'
import { upsertReadings } from './upsert-readings-store.ts'

/** What a merge did with the records of its kind, and which people it did not take in; the others it left as they were. */
export type UpsertResult = { added: number; changed: number; suppressed?: number }

export type RefuseLines = (
  kind: RecordKind,
  count: number,
  shown: { position: number; reason: string }[],
) => void

/** Prepares what is staged to be merged: references are looked up, and lines whose reference leads nowhere leave. */
export async function checkReferences(tx: Transaction, refuse: RefuseLines): Promise<void> {
  for (const table of stagedTables) await analyse(tx, table)
  await mapCompanies(tx)
  const tell = (kind: RecordKind, noun: string, bad: BadReferences) =>
    refuse(
      kind,
      bad.count,
      bad.shown.map(({ position, key }) => ({
        position,
        reason: `${noun}: ${JSON.stringify(key)} is the key of no ${noun} of these files or loaded before`,
      })),
    )
  tell('domain', 'company', await dropWithoutCompany(tx, 'staged_domains', rejectsShownMax))
  tell('license', 'company', await dropWithoutCompany(tx, 'staged_licenses', rejectsShownMax))
  tell('contact', 'company', await dropWithoutCompany(tx, 'staged_contacts', rejectsShownMax))
  tell('platform_reading', 'platform', await dropReadingsWithoutPlatform(tx, rejectsShownMax))
}

/** Merges what is staged, kind by kind, what is named before what names it; then derives what follows from it. */
export async function upsertStaged(
  tx: Transaction,
  now: Date,
  refuse: RefuseLines,
): Promise<Record<RecordKind, UpsertResult>> {
  const company = await upsertCompanies(tx, now)
  const platform = await upsertPlatforms(tx, now)
  await mapDomains(tx)
  const merged = {
    company,
    platform,
    domain: await upsertDomains(tx, now),
    license: await upsertLicenses(tx, now),
    blocklist_entry: await upsertBlocklistEntries(tx, now),
    observation: await upsertObservations(tx, now),
    platform_reading: await upsertReadings(tx, now),
    firmographics: await upsertFirmographics(tx, now),
    contact: await upsertContacts(tx, now),
    logo: await upsertLogos(tx, now),
    ...(await upsertCustomers(tx, now, refuse)),
  }
  await deriveTouched(tx)
  const { account: _account, prospect_list: _list, logo: _logo, ...searchable } = merged
  if (Object.values(searchable).some(({ added, changed }) => added + changed > 0))
    await markDatasetChanged(tx)
  return merged
}

/** Last of all, for customers wait for the rows of their accounts: these two kinds tell while they are merged which lines are bad. */
export async function upsertCustomers(
  tx: Transaction,
  now: Date,
  refuse: RefuseLines,
): Promise<Record<'account' | 'prospect_list', UpsertResult>> {
  const refuseOne = (kind: RecordKind) => (position: number, reason: string) =>
    refuse(kind, 1, [{ position, reason }])
  return {
    account: await upsertAccounts(tx, refuseOne('account')),
    prospect_list: await upsertProspectLists(tx, now, refuseOne('prospect_list')),
  }
}

const domainsAtOnce = 10_000

/** Chunks in id order: the ids of a million domains never stand in memory, and locks are taken in one order. */
async function deriveTouched(tx: Transaction): Promise<void> {
  await gatherTouchedDomains(tx)
  let after = 0
  let analysed = false
  for (;;) {
    const ids = await readTouchedDomains(tx, after, domainsAtOnce)
    const last = ids.at(-1)
    if (last === undefined) return
    await lockDomains(tx, ids)
    await writeGeos(tx, ids)
    await deriveObserved(tx, ids)
    if (ids.length === domainsAtOnce && !analysed) {
      await analyseFacts(tx)
      analysed = true
    }
    await deriveVerdicts(tx, ids)
    after = last
  }
}

/** Tells the platforms of what was merged: the last act of an import, for Signals are numbered last. */
export async function tellMergedSites(tx: Transaction, now: Date): Promise<void> {
  for (const platformId of await readNewlyReviewed(tx, now)) await addPlatformSignals(tx, { platformId, now })
  await gatherTouchedSites(tx)
  let after = 0
  for (;;) {
    const domainIds = await readTouchedSites(tx, after, domainsAtOnce)
    const last = domainIds.at(-1)
    if (last === undefined) return
    await addPlatformSignals(tx, { domainIds, now })
    after = last
  }
}
