export { recordEvent } from './audit-store.ts'
