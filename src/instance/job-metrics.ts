import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/open.ts'
import { createExportName } from '../features/exports/index.ts'
import type { Metrics } from '../http/metrics.ts'
import { countJobs } from '../jobs/index.ts'
import type { JobOptions } from './work.ts'

/** What a process that does jobs tells of them at /metrics. */
export function createWorkMetrics({
  registry,
  charged,
}: Metrics): Required<Pick<JobOptions, 'onOutcome' | 'onCharged'>> {
  const attempts = new Counter({
    name: 'baize_job_attempts_total',
    help: 'Attempts at jobs of this process, by task and how they ended.',
    labelNames: ['task', 'outcome'],
    registers: [registry],
  })
  return {
    onOutcome: (task, outcome) => attempts.inc({ task, outcome }),
    onCharged: credits => charged(createExportName, credits),
  }
}

/**
 * How many jobs wait or failed is asked of the database with each look: every process that serves tells it, whichever
 * does the jobs.
 */
export function createQueueMetrics(registry: Registry, database: Database): void {
  new Gauge({
    name: 'baize_jobs',
    help: 'Jobs in the queue, by task and state; failed ones stay until they are done anew or 30 days old.',
    labelNames: ['task', 'state'],
    registers: [registry],
    async collect() {
      // Without the database there is nothing to tell, and everything else is still told.
      const counts = await countJobs(database).catch(() => [])
      this.reset()
      for (const { task, state, jobs } of counts) this.set({ task, state }, jobs)
    },
  })
}
