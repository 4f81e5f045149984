import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Database } from '../database/open.ts'
import { createExportName } from '../features/exports/index.ts'
import { listRenderers } from '../features/renderers/index.ts'
import type { Metrics } from '../http/health/metrics.ts'
import { countJobs, type JobOutcome } from '../jobs/index.ts'
import type { CheckReport } from '../observation/index.ts'
import { listAlerts, type RegisterAlert } from '../registers/index.ts'

/** The functions by which a worker reports its work. */
export type WorkReports = {
  onOutcome(task: string, outcome: JobOutcome): void
  onCharged(credits: number): void
  onCheck(report: CheckReport): void
}

export function createWorkMetrics({ registry, charged }: Metrics): WorkReports {
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

const bucketsSeconds = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 240]

/** Counts the checks that this process ran. */
function createCheckMetrics(registry: Registry): (report: CheckReport) => void {
  const registers = [registry]
  const checks = new Counter({
    name: 'baize_site_checks_total',
    help: 'Checks of sites, by outcome: completed, or the reason of the failure.',
    labelNames: ['outcome'],
    registers,
  })
  const waited = new Histogram({
    name: 'baize_site_check_waiting_seconds',
    help: 'Time from the request of a check to its start.',
    buckets: bucketsSeconds,
    registers,
  })
  const looked = new Histogram({
    name: 'baize_site_check_duration_seconds',
    help: 'Time that a check took to look and to read.',
    buckets: bucketsSeconds,
    registers,
  })
  const findings = new Counter({
    name: 'baize_site_findings_total',
    help: 'Findings of site checks, by rule.',
    labelNames: ['rule'],
    registers,
  })
  return ({ outcome, findings: found, waitedMs, lookedMs }) => {
    checks.inc({ outcome: outcome.reason ?? outcome.outcome })
    waited.observe(waitedMs / 1_000)
    looked.observe(lookedMs / 1_000)
    for (const { rule } of found) findings.inc({ rule })
  }
}

/** Reads the queue from the database at each scrape of each serving process. */
export function createQueueMetrics(registry: Registry, database: Database): void {
  new Gauge({
    name: 'baize_jobs',
    help: 'Queued jobs by task and state. Failed jobs are listed for 30 days or until they run again.',
    labelNames: ['task', 'state'],
    registers: [registry],
    async collect() {
      // A failure is ignored, so that the other metrics are reported while the database is unreachable.
      const counts = await countJobs(database).catch(() => [])
      this.reset()
      for (const { task, state, jobs } of counts) this.set({ task, state }, jobs)
    },
  })
}

const rendererGauges = {
  renders: 'Pages that a worker rendered since its start.',
  failed: 'Of these, pages without a result.',
  killed: 'How often a worker killed Chromium: a visit did not end, or needed too much memory.',
  processes: 'Processes of Chromium that run; 0 when idle.',
} as const

/** Reads what workers reported of their renderers at each scrape. */
export function createRendererMetrics(registry: Registry, database: Database): void {
  new Gauge({
    name: 'baize_renderer_on',
    help: '1 if a worker renders pages; 0 if not, with the reason.',
    labelNames: ['worker', 'reason'],
    registers: [registry],
    async collect() {
      const listed = await listRenderers(database, new Date()).catch(() => [])
      this.reset()
      for (const { worker, state, reason } of listed)
        this.set({ worker, reason: reason ?? '' }, state === 'on' ? 1 : 0)
    },
  })
  for (const [name, help] of Object.entries(rendererGauges) as [keyof typeof rendererGauges, string][])
    new Gauge({
      name: `baize_renderer_${name}`,
      help,
      labelNames: ['worker'],
      registers: [registry],
      async collect() {
        const listed = await listRenderers(database, new Date()).catch(() => [])
        this.reset()
        for (const renderer of listed) this.set({ worker: renderer.worker }, renderer[name])
      },
    })
}

type Kind = RegisterAlert['kind']

const gauges: Record<Kind, string> = {
  held: 'Unix time since which a stream has a quarantined snapshot. Absent for other streams.',
  stale: 'Unix time of the last confirmation of a stream that is stale. Absent for other streams.',
  failing: 'Consecutive fetches of a stream without a usable result. Absent for other streams.',
  layout_changed: '1 if the file of a stream differs from its recorded layout. Absent for other streams.',
}

/** One read of the alerts serves all gauges of a scrape. */
const readOnceForMs = 1_000

/** Creates metrics of registers that need an operator, for alerts. */
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
          if (alert.kind === kind) this.set({ stream: alert.stream }, gaugeValue(alert))
      },
    })
}

function gaugeValue(alert: RegisterAlert): number {
  if (alert.kind === 'failing') return alert.failures
  return alert.kind === 'layout_changed' ? 1 : alert.since.getTime() / 1000
}
