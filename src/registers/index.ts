export { approveSnapshot } from './approve-snapshot.ts'
export { type FetchReport, fetchRegister } from './fetch-register.ts'
export { sourceFileFrom } from './file-on-disk.ts'
export { type OpenFacts, type RegisterRun, readHeldStreams } from './history-store.ts'
export {
  type DescribedRegister,
  describeRegister,
  findKnownStream,
  knownStreams,
} from './known-streams.ts'
export { listCoverage, type MarketCoverage } from './list-coverage.ts'
export { listRegisters, type RegisterListing } from './list-registers.ts'
export { readAgain, snapshotsToReadAgain } from './read-again.ts'
export { registerHistory } from './register-history.ts'
export { replayConfirmation, replaySnapshot } from './replay-snapshot.ts'
export { type NormalisedRow, Refusal, type SourceFile, type Stream } from './stream.ts'
export { findStream, streams } from './streams/index.ts'
export { type SyncOptions, syncRegister } from './sync-register.ts'
export type { SyncReport } from './sync-report.ts'
export type { AppliedFacts, SyncProgress } from './take-snapshot.ts'
export { listWatches, unwatchRegister, watchRegister } from './watch-register.ts'
