import type { AnyOperation } from './core/operation.ts'
import type { World } from './database/open.ts'
import { accountOperations } from './features/account/index.ts'
import { domainOperations } from './features/domains/index.ts'
import { signalOperations } from './features/signals/index.ts'

/** The whole API on one page: routes, openapi.json, docs and demo templates are read from it. */
export const catalogue: readonly AnyOperation<World>[] = [
  ...domainOperations,
  ...signalOperations,
  ...accountOperations,
]
