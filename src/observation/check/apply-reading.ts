import { newRef } from '../../core/ref.ts'
import type { Transaction, World } from '../../database/open.ts'
import { deriveObservations, deriveObserved } from '../../features/domains/index.ts'
import { endFactChange } from '../../features/facts/index.ts'
import { addPlatformSignals } from '../../features/signals/index.ts'
import { lockFacts, recordEvent } from '../../journal/index.ts'
import {
  comparePlatformReadings,
  lockDomain,
  type ReadingChange,
  requireDomain,
  writePlatformReadings,
} from './platform-readings-store.ts'

type Applied = { checkId: number; domainId: number; now: Date }

/**
 * Derives observations, platform readings, search rows and Signals from a check's reading in force. The
 * caller has the lock of `lockFacts`; only money may be written later.
 */
export async function applyReading(tx: Transaction, { checkId, domainId, now }: Applied): Promise<void> {
  await lockDomain(tx, domainId)
  await deriveObservations(tx, [domainId])
  const change = await comparePlatformReadings(tx, checkId)
  const hasChange = change.added.length + change.removed.length > 0
  if (hasChange) await recordEvent(tx, { kind: 'check', at: now, detail: change })
  await applyChange(tx, domainId, { change, now })
}

/** Replays the platform readings of a check. */
export async function replayCheck(world: World, change: ReadingChange, at: Date): Promise<void> {
  await world.database.transaction().execute(async tx => {
    await lockFacts(tx)
    const domainId = await requireDomain(tx, change.domain, newRef('dom'))
    await lockDomain(tx, domainId)
    await applyChange(tx, domainId, { change, now: at })
  })
}

async function applyChange(
  tx: Transaction,
  domainId: number,
  { change, now }: { change: ReadingChange; now: Date },
): Promise<void> {
  await writePlatformReadings(tx, domainId, change)
  await deriveObserved(tx, [domainId])
  await endFactChange(tx, { domainIds: [domainId] })
  if (change.added.length > 0) await addPlatformSignals(tx, { domainIds: [domainId], now })
}
