/** Claims a data directory for one process, until it ends, and names its owner to others of this machine. */
export {
  claimDataDirectory,
  claimWhenFree,
  DataDirectoryInUse,
  type DirectoryClaim,
  waitForDirectory,
} from './claim.ts'
export { isLocked } from './lock.ts'
export { findRunning, type RunningDatabase, type RunningInstance } from './running.ts'
