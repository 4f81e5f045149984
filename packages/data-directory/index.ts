/** Claims a data directory for one process, until it ends, and tells others of this machine who has it. */
export {
  claimDataDirectory,
  claimWhenFree,
  DataDirectoryInUse,
  type DirectoryClaim,
  waitForDirectory,
} from './claim.ts'
export { isLocked } from './lock.ts'
export { findRunning, type RunningDatabase, type RunningInstance } from './running.ts'
