import { Counter, Histogram, type Registry } from 'prom-client'
import type { CheckReport } from '../observation/index.ts'

const bucketsSeconds = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 240]

/** Of the checks that this process ran. */
export function createCheckMetrics(registry: Registry): (report: CheckReport) => void {
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
