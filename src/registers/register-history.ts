import type { World } from '../database/open.ts'
import { type RegisterRun, readRuns } from './history-store.ts'

/** A year of daily runs. */
const runsShownMax = 366

/** The runs of a stream, the latest first (`baize register history`); empty for one that was never synced. */
export async function registerHistory(world: World, stream: string): Promise<RegisterRun[]> {
  return readRuns(world.database, stream, runsShownMax)
}
