import { StaffError } from '../../core/staff-error.ts'
import type { World } from '../../database/open.ts'
import { FileWriter } from '../../journal/index.ts'
import { recordAuditEvent } from '../audit/index.ts'
import { requireReason } from '../staff-decision-store.ts'
import {
  closePastList,
  findPastList,
  insertPastList,
  lockPastLists,
  type PastList,
} from './past-lists-store.ts'

export type LoadedList = 'loaded' | 'unchanged' | 'differs'

type ListToLoad = Omit<PastList, 'sha256'> & { bytes: Uint8Array }

/**
 * Stores a dated list with its file. `unchanged`: the same file is stored for that day. `differs`: another
 * one is, and stays. It changes no fact: verdicts, Signals and searches do not read lists.
 */
export function loadPastList(world: World, { bytes, ...list }: ListToLoad, now: Date): Promise<LoadedList> {
  return world.database.transaction().execute(async tx => {
    await lockPastLists(tx)
    const file = new FileWriter(tx)
    await file.write(bytes)
    const { sha256 } = await file.end()
    const stored = await findPastList(tx, list)
    if (stored !== undefined) return stored.sha256.equals(sha256) ? 'unchanged' : 'differs'
    await insertPastList(tx, { ...list, sha256 }, now)
    return 'loaded'
  })
}

/** Takes a dated list back. The day can then be loaded again. */
export async function withdrawPastList(
  world: World,
  { stream, listedOn, why, now }: { stream: string; listedOn: string; why: string; now: Date },
): Promise<void> {
  requireReason(why, 'Give a reason. Only staff see it.')
  await world.database.transaction().execute(async tx => {
    await lockPastLists(tx)
    const stored = await findPastList(tx, { stream, listedOn })
    if (stored === undefined) throw new StaffError(`No list of ${stream} of ${listedOn} is stored.`)
    await closePastList(tx, stored.id, now)
    const details = { listed_on: listedOn, why }
    const event = { action: 'register.list_withdrawn', subject: stream, accountId: null, details, now }
    await recordAuditEvent(tx, null, event)
  })
}
