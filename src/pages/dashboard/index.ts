import type { Shown } from '../page.ts'
import { explorerPages } from './explorer/index.ts'
import { exportPages } from './exports.ts'
import { feedPages } from './feeds.ts'
import { keyPages } from './keys.ts'
import { memberPages } from './members.ts'
import { overviewPage } from './overview.ts'
import { prospectListPages } from './prospect-lists.ts'

import { securityPages } from './security.ts'
import { staffPages } from './staff/index.ts'
import { statementPages } from './statement.ts'
import { usagePages } from './usage.ts'

/** The page of each session operation, by its name. */
export const shownPages: Readonly<Record<string, Shown>> = {
  show_overview: overviewPage,
  switch_account: { next: () => '/dashboard' },
  ...explorerPages,
  ...feedPages,
  ...exportPages,
  ...prospectListPages,
  ...staffPages,
  ...usagePages,
  ...statementPages,
  ...keyPages,
  ...memberPages,
  ...securityPages,
}
