export type { AppliedFacts, SyncProgress } from './apply/apply-snapshot.ts'
export { approveSnapshot } from './apply/approve-snapshot.ts'
export { replayConfirmation, replaySnapshot } from './apply/replay-snapshot.ts'
export { type SyncOptions, syncRegister } from './apply/sync-register.ts'
export type { SyncReport } from './apply/sync-report.ts'
export { type FetchReport, fetchRegister } from './fetch/fetch-register.ts'
export { listWatches, unwatchRegister, watchRegister } from './fetch/watch-register.ts'
export { type OpenFacts, type RegisterRun, readHeldStreams } from './history-store.ts'
export {
  type DescribedRegister,
  describeRegister,
  findKnownStream,
  knownStreams,
} from './known-streams.ts'
export { listCoverage, type MarketCoverage } from './list-coverage.ts'
export { listRegisters, type RegisterListing } from './list-registers.ts'
export { registerHistory } from './register-history.ts'
export { readAgain, snapshotsToReadAgain } from './snapshot/reparse-snapshot.ts'
export { sourceFileFrom } from './source/file-on-disk.ts'
export { type NormalisedRow, Refusal, type SourceFile, type Stream } from './stream.ts'
export { findStream, streams } from './streams/index.ts'
