import type { Database } from '../database/open.ts'
import { truthStateOf } from '../features/signals/index.ts'
import { readWatchedStates } from './alerts-store.ts'

/** A problem that an operator must look at. One stream can have several. */
export type RegisterAlert =
  | { kind: 'held'; stream: string; since: Date; reasons: string[] }
  /** The stream was not confirmed for three times its usual interval. The last good data stays in use. */
  | { kind: 'stale'; stream: string; since: Date }
  | { kind: 'failing'; stream: string; failures: number; reasons: string[] }
  | { kind: 'layout_changed'; stream: string; changes: string[] }

export async function listAlerts(database: Database, now: Date): Promise<RegisterAlert[]> {
  const states = await readWatchedStates(database)
  return states.flatMap(state => {
    const {
      stream,
      last_confirmed_at,
      quarantined_since,
      hold_reasons,
      failures,
      probe_reasons,
      layout_changes,
    } = state
    const alerts: RegisterAlert[] = []
    if (quarantined_since !== null)
      alerts.push({ kind: 'held', stream, since: quarantined_since, reasons: hold_reasons })
    const truth = truthStateOf({ ...state, is_quarantined: false }, now)
    if (truth === 'stale' && last_confirmed_at !== null)
      alerts.push({ kind: 'stale', stream, since: last_confirmed_at })
    if (failures > 0) alerts.push({ kind: 'failing', stream, failures, reasons: probe_reasons })
    if (layout_changes.length > 0) alerts.push({ kind: 'layout_changed', stream, changes: layout_changes })
    return alerts
  })
}
