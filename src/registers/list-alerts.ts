import type { Database } from '../database/open.ts'
import { truthStateOf } from '../features/signals/index.ts'
import { readWatchedStates } from './alerts-store.ts'

/** What an operator must look at. One stream can have several. */
export type RegisterAlert =
  | { kind: 'held'; stream: string; since: Date; reasons: string[] }
  /** Not confirmed for three times its usual interval; the last good data stays in use. */
  | { kind: 'stale'; stream: string; since: Date }
  | { kind: 'failing'; stream: string; failures: number; reasons: string[] }
  | { kind: 'layout_changed'; stream: string; changes: string[] }

export async function listAlerts(database: Database, now: Date): Promise<RegisterAlert[]> {
  const states = await readWatchedStates(database)
  return states.flatMap(state => {
    const { stream, last_confirmed_at, held_since, hold_reasons, failures, probe_reasons, layout_changes } =
      state
    const alerts: RegisterAlert[] = []
    if (held_since !== null) alerts.push({ kind: 'held', stream, since: held_since, reasons: hold_reasons })
    const source = { isQuarantined: false, last_confirmed_at, cadenceHours: state.cadence_hours }
    const truth = truthStateOf(source, now)
    if (truth === 'stale' && last_confirmed_at !== null)
      alerts.push({ kind: 'stale', stream, since: last_confirmed_at })
    if (failures > 0) alerts.push({ kind: 'failing', stream, failures, reasons: probe_reasons })
    if (layout_changes.length > 0) alerts.push({ kind: 'layout_changed', stream, changes: layout_changes })
    return alerts
  })
}
