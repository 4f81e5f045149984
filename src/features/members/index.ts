export { ensureUser, setMembership, setStaff } from './member-store.ts'
