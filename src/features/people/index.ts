import { listPeople } from './list-people.ts'
import { listRoles } from './list-roles.ts'

export { removeSuppressed } from './listed-contacts.ts'
export { emailKey, personNameKey, profileKey } from './person-handles.ts'
export { type SuppressionReport, suppressPerson, sweepSuppressed } from './suppress-person.ts'
export { suppressedAmong } from './suppressed-among.ts'
export { anySuppressed } from './suppression-store.ts'

export const peopleOperations = [listPeople, listRoles]
