import type { Shown } from '../page.ts'
import { companyPages } from './company/index.ts'
import { checkPages } from './domain/check.ts'
import { dossierPages } from './domain/dossier.ts'
import { domainPages } from './domain/index.ts'
import { exportPages } from './exports.ts'
import { feedPages } from './feeds.ts'
import { companySearchPages } from './find/companies.ts'
import { domainSearchPages } from './find/domains.ts'
import { licenseSearchPages } from './find/licenses.ts'
import { searchPages } from './find/search.ts'
import { keyPages } from './keys.ts'
import { licensePages } from './license.ts'
import { lobbyPages } from './lobbies/index.ts'
import { marketPages } from './market.ts'
import { memberPages } from './members.ts'
import { overviewPage } from './overview.ts'
import { portfolioPages } from './portfolios.ts'
import { prospectListPages } from './prospect-lists.ts'
import { securityPages } from './security.ts'
import { accountPages } from './staff/accounts.ts'
import { auditPages } from './staff/audit.ts'
import { brandPages } from './staff/brands.ts'
import { duplicatePages } from './staff/duplicates.ts'
import { listRequestPages } from './staff/lists.ts'
import { namePages } from './staff/names.ts'
import { platformPages } from './staff/platforms.ts'
import { regimePages } from './staff/regimes.ts'
import { snapshotPages } from './staff/snapshots.ts'
import { statementPages } from './statement.ts'
import { usagePages } from './usage.ts'

const backTo = ({ address }: { address: string }) => address

/** The page of each session operation, by its name. */
export const shownPages: Readonly<Record<string, Shown>> = {
  show_overview: overviewPage,
  switch_account: { next: () => '/dashboard' },
  save_page: { next: backTo, form: 'find_companies' },
  delete_saved_page: { next: backTo },
  ...searchPages,
  ...companySearchPages,
  ...licenseSearchPages,
  ...domainSearchPages,
  ...domainPages,
  ...companyPages,
  ...licensePages,
  ...marketPages,
  ...checkPages,
  ...feedPages,
  ...dossierPages,
  ...portfolioPages,
  ...exportPages,
  ...lobbyPages,
  ...prospectListPages,
  show_staff: { next: () => '/dashboard/staff/platforms' },
  ...platformPages,
  ...snapshotPages,
  ...regimePages,
  ...brandPages,
  ...namePages,
  ...duplicatePages,
  ...listRequestPages,
  ...accountPages,
  ...auditPages,
  ...usagePages,
  ...statementPages,
  ...keyPages,
  ...memberPages,
  ...securityPages,
}
