import { showCheck, startSiteCheck } from './check-site.ts'
import { findOperations } from './find-rows.ts'
import { searchEverything } from './search-everything.ts'
import { buyCompany, buyPeople, lookUpCompany, showCompanyPage } from './show-company.ts'
import { buyVerdict, showDomain } from './show-domain.ts'
import { downloadEvidence, showDossier } from './show-dossier.ts'
import { readFeed, showFeeds } from './show-feeds.ts'
import { buyLicense, lookUpLicense, showLicense } from './show-license.ts'
import { showMarket } from './show-market.ts'

export { type Bought, boughtOf, buy, digestOf, lookUpRoles } from './buy.ts'
export type { CheckShown } from './check-site.ts'
export type { CompaniesFound, DomainsFound, LicensesFound } from './find-rows.ts'
export type { Everything } from './search-everything.ts'
export type { CompanyProfile, CompanyShown } from './show-company.ts'
export type { DomainShown, VerdictPeriod, VerdictSource } from './show-domain.ts'
export type { Dossier } from './show-dossier.ts'
export type { BoughtSignal, FeedOverview } from './show-feeds.ts'
export type { LicenseProfile, LicenseShown } from './show-license.ts'
export type { CompanyPreview, MarketShown } from './show-market.ts'

export const lookUpOperations = [
  searchEverything,
  ...findOperations,
  showDomain,
  buyVerdict,
  showDossier,
  downloadEvidence,
  showCompanyPage,
  buyCompany,
  buyPeople,
  lookUpCompany,
  showLicense,
  buyLicense,
  lookUpLicense,
  showMarket,
  startSiteCheck,
  showCheck,
  showFeeds,
  readFeed,
]
