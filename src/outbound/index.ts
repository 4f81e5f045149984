export { checkTarget } from './check-target.ts'
export { type FetchedFile, fetchFile } from './fetch-file.ts'
export { OutboundError, type OutboundReason } from './outbound-error.ts'
export { spool } from './spooled-file.ts'
