import { endFactChange } from '../../features/facts/index.ts'
import type { RecordKind } from '../read/record-schemas.ts'
import { mapDomains } from '../stage/map-keys-store.ts'
import { deriveTouchedDomains } from './derive-touched-domains.ts'
import { gatherTouchedDomains } from './touched-domains-store.ts'
import { upsertAccounts } from './upsert-accounts.ts'
import { upsertBlocklistEntries } from './upsert-blocklists-store.ts'
import { upsertCompanies } from './upsert-companies-store.ts'
import { upsertContacts } from './upsert-contacts-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'
import { upsertDomains } from './upsert-domains-store.ts'
import { upsertFirmographics } from './upsert-firmographics-store.ts'
import { upsertLicenses } from './upsert-licenses-store.ts'
import { upsertLogos } from './upsert-logos.ts'
import { upsertObservations } from './upsert-observations-store.ts'
import { upsertPlatforms } from './upsert-platforms-store.ts'
import { upsertProspectLists } from './upsert-prospect-lists.ts'
import { upsertReadings } from './upsert-readings-store.ts'
import { upsertSiteChecks } from './upsert-site-checks-store.ts'

/** Upserts kind by kind, referenced kinds first, and ends the change of facts. */
export async function upsertStaged(context: UpsertContext): Promise<Record<RecordKind, UpsertResult>> {
  const { tx } = context
  const company = await upsertCompanies(context)
  const platform = await upsertPlatforms(context)
  await mapDomains(tx)
  const results = {
    company,
    platform,
    domain: await upsertDomains(context),
    license: await upsertLicenses(context),
    blocklist_entry: await upsertBlocklistEntries(context),
    observation: await upsertObservations(context),
    platform_reading: await upsertReadings(context),
    site_check: await upsertSiteChecks(context),
    firmographics: await upsertFirmographics(context),
    contact: await upsertContacts(context),
    logo: await upsertLogos(context),
    ...(await upsertCustomers(context)),
  }
  const touched = await gatherTouchedDomains(tx)
  if (touched > 0 || hasFacts(results)) await endFactChange(tx, { domainIds: deriveTouchedDomains(tx) })
  return results
}

function hasFacts(results: Record<RecordKind, UpsertResult>): boolean {
  const { account: _account, prospect_list: _list, logo: _logo, ...facts } = results
  return Object.values(facts).some(({ added, changed }) => added + changed > 0)
}

/** Last, because writing accounts and lists locks rows that customers' requests wait for. */
export async function upsertCustomers(
  context: UpsertContext,
): Promise<Record<'account' | 'prospect_list', UpsertResult>> {
  return { account: await upsertAccounts(context), prospect_list: await upsertProspectLists(context) }
}
