export { type Actor, aCommand, recordAuditEvent } from './audit-store.ts'
