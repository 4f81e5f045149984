import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/open.ts'
import { createExportName } from '../features/exports/index.ts'
import type { Metrics } from '../http/metrics.ts'
import { countJobs } from '../jobs/index.ts'
import { createCheckMetrics } from './check-metrics.ts'
import type { JobOptions } from './job-options.ts'

export function createWorkMetrics({
  registry,
  charged,
}: Metrics): Required<Pick<JobOptions, 'onOutcome' | 'onCharged' | 'onCheck'>> {
  const attempts = new Counter({
    name: 'baize_job_attempts_total',
    help: 'Job attempts of this process, by task and outcome.',
    labelNames: ['task', 'outcome'],
    registers: [registry],
  })
  return {
    onOutcome: (task, outcome) => attempts.inc({ task, outcome }),
    onCharged: credits => charged(createExportName, credits),
    onCheck: createCheckMetrics(registry),
  }
}

/** Read from the database at each scrape of each serving process. */
export function createQueueMetrics(registry: Registry, database: Database): void {
  new Gauge({
    name: 'baize_jobs',
    help: 'Queued jobs by task and state. Failed jobs are listed for 30 days or until they run again.',
    labelNames: ['task', 'state'],
    registers: [registry],
    async collect() {
      // While the database is unreachable the other metrics are still reported.
      const counts = await countJobs(database).catch(() => [])
      this.reset()
      for (const { task, state, jobs } of counts) this.set({ task, state }, jobs)
    },
  })
}
