import type { AnySessionOperation } from './core/session-operation.ts'
import type { World } from './database/open.ts'
import { accountSessionOperations } from './features/account/index.ts'
import { exportSessionOperations } from './features/exports/index.ts'
import { lobbySessionOperations } from './features/lobbies/index.ts'
import { lookUpOperations } from './features/look-ups/index.ts'
import { memberOperations } from './features/members/index.ts'
import { passkeyOperations } from './features/passkeys/index.ts'
import { portfolioSessionOperations } from './features/portfolios/index.ts'
import { prospectListSessionOperations } from './features/prospect-lists/index.ts'
import { savedPageOperations } from './features/saved-pages/index.ts'
import { accountSwitch } from './features/sessions/index.ts'
import { staffOperations } from './features/staff/index.ts'

/** All operations of the dashboard. They appear in no public document. */
export const sessionOperations: readonly AnySessionOperation<World>[] = [
  ...accountSwitch,
  ...lookUpOperations,
  ...savedPageOperations,
  ...portfolioSessionOperations,
  ...exportSessionOperations,
  ...lobbySessionOperations,
  ...prospectListSessionOperations,
  ...accountSessionOperations,
  ...memberOperations,
  ...passkeyOperations,
  ...staffOperations,
]
