import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../database/open.ts'
import { countJobs, type JobOutcome } from '../jobs/index.ts'

export type JobMetrics = { onOutcome(task: string, outcome: JobOutcome): void }

/**
 * The figures of the queue at /metrics. How many jobs wait or failed is asked of the database with each look: every
 * process tells it, whichever does the jobs.
 */
export function createJobMetrics(registry: Registry, database: Database): JobMetrics {
  const attempts = new Counter({
    name: 'baize_job_attempts_total',
    help: 'Attempts at jobs of this process, by task and how they ended.',
    labelNames: ['task', 'outcome'],
    registers: [registry],
  })
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
  return { onOutcome: (task, outcome) => attempts.inc({ task, outcome }) }
}
