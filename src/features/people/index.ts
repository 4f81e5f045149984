import { countPeopleOf, listPeople } from './list-people.ts'
import { listRoles } from './list-roles.ts'

export { removeSuppressed } from './listed-contacts-store.ts'
export {
  eraseSuppressedOf,
  type HideLicensees,
  type Suppression,
  type SuppressionReport,
  suppressPerson,
  sweepSuppressed,
} from './suppress-person.ts'

export { countPeopleOf, listPeople }

export const peopleOperations = [listPeople, listRoles]
