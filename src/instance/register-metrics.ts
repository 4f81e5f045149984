import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/open.ts'
import { listAlerts, type RegisterAlert } from '../registers/index.ts'

type Kind = RegisterAlert['kind']

const gauges: Record<Kind, string> = {
  held: 'Unix time since which a stream has a quarantined snapshot. Absent for other streams.',
  stale: 'Unix time of the last confirmation of a stream that is stale. Absent for other streams.',
  failing: 'Consecutive fetches of a stream without a usable result. Absent for other streams.',
  layout_changed: '1 if the file of a stream differs from its recorded layout. Absent for other streams.',
}

/** The alerts of a scrape are read once for all gauges. */
const readOnceForMs = 1_000

/** Registers that need an operator, for alerts. */
export function createRegisterMetrics(registry: Registry, database: Database): void {
  let read: { at: number; alerts: Promise<RegisterAlert[]> } | null = null
  const alerts = () => {
    if (read === null || Date.now() - read.at > readOnceForMs)
      read = { at: Date.now(), alerts: listAlerts(database, new Date()).catch(() => []) }
    return read.alerts
  }
  for (const [kind, help] of Object.entries(gauges))
    new Gauge({
      name: `baize_registers_${kind}`,
      help,
      labelNames: ['stream'],
      registers: [registry],
      async collect() {
        const found = await alerts()
        this.reset()
        for (const alert of found)
          if (alert.kind === kind) this.set({ stream: alert.stream }, shownValue(alert))
      },
    })
}

function shownValue(alert: RegisterAlert): number {
  if (alert.kind === 'failing') return alert.failures
  return alert.kind === 'layout_changed' ? 1 : alert.since.getTime() / 1000
}
