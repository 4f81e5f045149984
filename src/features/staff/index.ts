import { defineSessionOperation } from '../session-operation.ts'
import { listAuditEvents } from './audit-events.ts'
import { snapshotDecisionOperations } from './decide-snapshots.ts'
import { listRequestOperations } from './list-requests.ts'
import { brandReviewOperations } from './review-brands.ts'
import { duplicateReviewOperations } from './review-duplicates.ts'
import { nameReviewOperations } from './review-names.ts'
import { platformReviewOperations } from './review-platforms.ts'
import { regimeReviewOperations } from './review-regimes.ts'
import { staffAccountOperations } from './staff-accounts.ts'

export type { EventList } from './audit-events.ts'
export type { SnapshotList } from './decide-snapshots.ts'
export type { ListWorkShown, RequestList, ResultPreview } from './list-requests.ts'
export type { BrandDomainList } from './review-brands.ts'
export type { DuplicateList } from './review-duplicates.ts'
export type { NameList } from './review-names.ts'
export type { PlatformList, PlatformReview } from './review-platforms.ts'
export type { RegimeList } from './review-regimes.ts'
export type { AccountList, StaffAccount } from './staff-accounts.ts'
export { decideTask, findOpenDecision, finishDecision } from './staff-store.ts'

const showStaff = defineSessionOperation({
  name: 'show_staff',
  method: 'GET',
  path: '/dashboard/staff',
  access: 'staff',
  summary: 'Leads to the first page of staff',
  failures: [],
  answer: async () => ({}),
})

export const staffOperations = [
  showStaff,
  ...platformReviewOperations,
  ...snapshotDecisionOperations,
  ...regimeReviewOperations,
  ...brandReviewOperations,
  ...nameReviewOperations,
  ...duplicateReviewOperations,
  ...listRequestOperations,
  ...staffAccountOperations,
  listAuditEvents,
]
