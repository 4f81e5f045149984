import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/open.ts'
import { readQuarantinedStreams } from '../registers/index.ts'

/** Which registers wait for an approval, at /metrics, for an alert: `baize_registers_held{stream}` is when it began. */
export function createRegisterMetrics(registry: Registry, database: Database): void {
  new Gauge({
    name: 'baize_registers_held',
    help: 'Streams whose newest snapshot is held, by the Unix time since when; none while nothing is held.',
    labelNames: ['stream'],
    registers: [registry],
    async collect() {
      // Without the database there is nothing to tell, and everything else is still told.
      const held = await readQuarantinedStreams(database).catch(() => [])
      this.reset()
      for (const { stream, since } of held) this.set({ stream }, since.getTime() / 1000)
    },
  })
}
