import type { World } from '../database/open.ts'
import { type RegisterRun, readRuns } from './register-history-store.ts'

/** Limits the history to a year of daily runs. */
const runsMax = 366

/** Returns the runs of a stream, newest first (`baize register history`). */
export async function registerHistory(world: World, stream: string): Promise<RegisterRun[]> {
  return readRuns(world.database, stream, runsMax)
}
