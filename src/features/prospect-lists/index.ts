import { prospectListSessionOperations } from './account-prospect-lists.ts'
import { downloadProspectList } from './download-prospect-list.ts'
import { listProspectLists } from './list-prospect-lists.ts'
import { showProspectList } from './show-prospect-list.ts'

export type { ListedProspectLists, ShownProspectList } from './account-prospect-lists.ts'
export { importProspectList, type ProspectListRecord } from './import-prospect-list.ts'
export {
  assignProspectList,
  cancelProspectList,
  countResult,
  createProspectList,
  deliverProspectList,
  listProspectListsForStaff,
  prepareProspectList,
  showProspectListToStaff,
} from './manage-prospect-lists.ts'
export { readListWork, resultOfPicked } from './pick-people.ts'
export { readResult } from './read-result.ts'
export {
  type ProspectListForm,
  prospectListForm,
  purgeRequests,
  requestProspectList,
  unhandledRequestDays,
} from './request-prospect-list.ts'
export type { ProspectListResult } from './result-schema.ts'
export { type Cadence, cadences, canBeDelivered, listStatuses } from './schemas.ts'
export type { StaffList } from './staff-lists-store.ts'

export { prospectListSessionOperations }

export const prospectListOperations = [listProspectLists, showProspectList, downloadProspectList]
