import { type Between, eventsOfChange, type RecordChange } from '@baize/registers/changes'
import { derivedRef } from '../../core/ref.ts'
import type { RegisterChangeDraft } from '../../features/signals/index.ts'

/** A change with the ids of the applied rows. */
export type StoredChange = RecordChange & { companyId: number | null; licenseId: number | null }

export type Observation = Between & {
  snapshotId: number
  snapshotNumber: number
  detectedAt: Date
  isBackfill: boolean
}

/** Returns a Signal for each event of the change. Its ref is the same each time it is derived. */
export function deriveSignals(change: StoredChange, observed: Observation): RegisterChangeDraft[] {
  const { stream, snapshotId, snapshotNumber, detectedAt, isBackfill } = observed
  const { kind, recordKey, companyId, licenseId } = change
  return eventsOfChange(change, observed).map(event => ({
    ...event,
    type: 'register_change',
    signalRef: derivedRef('sig', [stream.key, kind, recordKey, event.eventType, String(snapshotNumber)]),
    stream: stream.key,
    market: stream.market,
    recordKind: kind,
    recordKey,
    companyId,
    licenseId,
    detectedAt,
    snapshotId,
    isBackfill,
  }))
}
