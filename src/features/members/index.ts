export { addUser, grantStaff, listStaff, listUsers, removeStaff, removeUser } from './manage-users.ts'
export { ensureUser, findUser, setMembership, setStaff } from './member-store.ts'
