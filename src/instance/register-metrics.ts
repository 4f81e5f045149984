import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/open.ts'
import { readQuarantinedStreams } from '../registers/index.ts'

/** Registers that await approval, for alerts: `baize_registers_held{stream}` is the time of quarantine. */
export function createRegisterMetrics(registry: Registry, database: Database): void {
  new Gauge({
    name: 'baize_registers_held',
    help: 'Unix time since which a stream has a quarantined snapshot. Absent for other streams.',
    labelNames: ['stream'],
    registers: [registry],
    async collect() {
      const quarantined = await readQuarantinedStreams(database).catch(() => [])
      this.reset()
      for (const { stream, since } of quarantined) this.set({ stream }, since.getTime() / 1000)
    },
  })
}
