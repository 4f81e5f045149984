export { checkTarget } from './check-target.ts'
export { type FetchedFile, type FetchFileOptions, type FetchOutcome, fetchFile } from './fetch-file.ts'
export { OutboundError, type OutboundReason } from './outbound-error.ts'
export { type SpooledFile, spool } from './spooled-file.ts'
