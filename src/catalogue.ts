import type { AnyOperation } from './core/operation.ts'
import type { World } from './database/open.ts'
import { accountOperations } from './features/account/index.ts'
import { companyOperations } from './features/companies/index.ts'
import { coverageOperations } from './features/coverage/index.ts'
import { domainOperations } from './features/domains/index.ts'
import { enrichmentOperations } from './features/enrichments/index.ts'
import { exportOperations } from './features/exports/index.ts'
import { licenseOperations } from './features/licenses/index.ts'
import { lobbyOperations } from './features/lobbies/index.ts'
import { logoOperations } from './features/logos/index.ts'
import { peopleOperations } from './features/people/index.ts'
import { portfolioOperations } from './features/portfolios/index.ts'
import { prospectListOperations } from './features/prospect-lists/index.ts'
import { regimeOperations } from './features/regimes/index.ts'
import { signalOperations } from './features/signals/index.ts'
import { verdictChangeOperations } from './features/verdict-changes/index.ts'

/** All operations of the API. Routes, openapi.json, docs and demo templates are generated from it. */
export const catalogue: readonly AnyOperation<World>[] = [
  ...domainOperations,
  ...enrichmentOperations,
  ...lobbyOperations,
  ...companyOperations,
  ...peopleOperations,
  ...licenseOperations,
  ...signalOperations,
  ...verdictChangeOperations,
  ...portfolioOperations,
  ...logoOperations,
  ...coverageOperations,
  ...regimeOperations,
  ...exportOperations,
  ...prospectListOperations,
  ...accountOperations,
]
