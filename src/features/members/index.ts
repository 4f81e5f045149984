export { ensureUser, findUser, setMembership, setStaff } from './member-store.ts'
