/** Judges a snapshot by its figures and its bytes: whether the download was broken, and what it would change. */
export { type RawFile, reasonsOfBrokenFiles, someConsistsOfLines } from './broken-files.ts'
export { checkOrder, type SnapshotVersion } from './check-order.ts'
export { contentDigest } from './content-digest.ts'
export { type Difference, describeDifference, shortenDifference } from './difference-examples.ts'
export {
  type Differences,
  type DifferencesByKind,
  hasRows,
  noDifferences,
  reportedDifferences,
} from './differences.ts'
export { FigureCounter, noteGrowth, type SnapshotFigures } from './figures.ts'
export { type MissingTail, quarantineReasons, type SwitchedSites } from './guard.ts'
export type { BaselineInput, CommonDomains, DomainsElsewhere } from './guard-baseline.ts'
export { type ListedSite, NearTexts, type Replacement, replacementOf } from './misprint.ts'
export {
  noHistory,
  type Removal,
  type RemovalHistory,
  removalBound,
  removalsAllowed,
} from './removal-bound.ts'
export { type Form, type NoticeShown, type ReadRows, RecordTally, type RejectShown } from './tally.ts'
