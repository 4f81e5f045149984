import { endFactChange } from '../../features/facts/index.ts'
import type { RecordKind } from '../read/record-schemas.ts'
import type { StagedTable } from '../read/staged-row.ts'
import { mapDomains } from '../stage/map-keys-store.ts'
import { deriveTouchedDomains } from './derive-touched-domains.ts'
import { beginFirstLoad } from './first-load-store.ts'
import { linkSeekers, reviewImportedLinks } from './link-companies-store.ts'
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

/** Upserts referenced kinds before those that refer to them, and ends the change of facts. */
export async function upsertStaged(given: UpsertContext): Promise<Record<RecordKind, UpsertResult>> {
  const { tx, staged, now } = given
  const company = await ifStaged(given, 'staged_companies', upsertCompanies)
  const platform = await ifStaged(given, 'staged_platforms', upsertPlatforms)
  const firstLoad = await beginFirstLoad(given)
  const context = { ...given, isFirst: firstLoad !== null }
  await mapDomains(tx, staged, { areAllNew: context.isFirst })
  const blocklist_entry = await ifStaged(context, 'staged_blocklist_entries', upsertBlocklistEntries)
  await firstLoad?.end()
  const results = {
    company,
    platform,
    domain: await ifStaged(context, 'staged_domains', upsertDomains),
    license: await ifStaged(context, 'staged_licenses', upsertLicenses),
    blocklist_entry,
    observation: await ifStaged(context, 'staged_observations', upsertObservations),
    platform_reading: await ifStaged(context, 'staged_platform_readings', upsertReadings),
    site_check: await ifStaged(context, 'staged_site_checks', upsertSiteChecks),
    firmographics: await ifStaged(context, 'staged_firmographics', upsertFirmographics),
    contact: await ifStaged(context, 'staged_contacts', upsertContacts),
    logo: await ifStaged(context, 'staged_logos', upsertLogos),
    ...(await upsertCustomers(context)),
  }
  const hasCompanies = staged.has('staged_companies')
  if (hasCompanies) await linkSeekers(tx, now)
  const touched = await gatherTouchedDomains(tx)
  if (hasCompanies) await reviewImportedLinks(tx, now)
  if (touched > 0 || hasFacts(results))
    await endFactChange(tx, {
      domainIds: deriveTouchedDomains(context),
      cause: { cause: 'import', occurredAt: now, now },
    })
  return results
}

function hasFacts(results: Record<RecordKind, UpsertResult>): boolean {
  const { account: _account, prospect_list: _list, logo: _logo, ...facts } = results
  return Object.values(facts).some(({ added, changed }) => added + changed > 0)
}

/** Writes accounts and lists last, because this locks rows that customers' requests wait for. */
export async function upsertCustomers(
  context: UpsertContext,
): Promise<Record<'account' | 'prospect_list', UpsertResult>> {
  return {
    account: await ifStaged(context, 'staged_accounts', upsertAccounts),
    prospect_list: await ifStaged(context, 'staged_prospect_lists', upsertProspectLists),
  }
}

async function ifStaged(
  context: UpsertContext,
  table: StagedTable,
  upsert: (context: UpsertContext) => Promise<UpsertResult>,
): Promise<UpsertResult> {
  return context.staged.has(table) ? upsert(context) : { added: 0, changed: 0 }
}
