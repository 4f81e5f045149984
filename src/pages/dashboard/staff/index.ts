import type { Shown } from '../../page.ts'
import { accountPages } from './accounts.ts'
import { auditPages } from './audit.ts'
import { listRequestPages } from './lists.ts'
import { platformPages } from './platforms.ts'
import { snapshotPages } from './snapshots.ts'

export const staffPages: Readonly<Record<string, Shown>> = {
  show_staff: { next: () => '/dashboard/staff/platforms' },
  ...platformPages,
  ...snapshotPages,
  ...listRequestPages,
  ...accountPages,
  ...auditPages,
}
