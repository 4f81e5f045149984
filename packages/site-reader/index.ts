/** Reads the captures of a site check into findings. It is pure except for its rules and threads. */
export type {
  Capture,
  CaptureFailure,
  CapturePurpose,
  DnsAnswer,
  DnsAnswers,
} from './capture.ts'
export type { CheckOutcome, Finding } from './finding.ts'
export { listRules, rulesVersion } from './page/load-rules.ts'
export { openPageReader, type PageReader } from './page/read-page-in-thread.ts'
export { type CaptureReading, readCaptures } from './read-captures.ts'
export { type SupplierNames, supplierNames } from './supplier-names.ts'
