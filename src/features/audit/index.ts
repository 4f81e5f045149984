export { type AuditEvent, recordEvent } from './audit-store.ts'
