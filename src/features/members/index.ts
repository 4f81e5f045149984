export { mailAddressOf } from './mail-address.ts'
export { addUser, grantStaff, listStaff, listUsers, removeStaff, removeUser } from './manage-users.ts'

import { memberOperations } from './manage-members.ts'

export type { MemberList } from './manage-members.ts'
export { ensureUser, findUser, setMembership, setStaff } from './member-store.ts'
export { memberOperations }
