import type { CpuShare } from '../harness/cpu-time.ts'
import { median } from '../harness/goals.ts'
import type { Figures, Target } from '../harness/load.ts'
import type { Row } from '../harness/table.ts'

export type Scenario = { name: string; title: string; target: Target }
export type Measured = Figures & { cpu: CpuShare | null }
/** The figures of one round, by scenario. */
export type Round = ReadonlyMap<string, Measured>
export type Result = { name: string; title: string } & Measured & { ofLimit: number }

export const scenario = (name: string, title: string, target: Target): Scenario => ({ name, title, target })

/**
 * Returns the median of each figure over the rounds. Scenarios take turns in a round, because the machine's
 * speed varies.
 */
export function summarise(scenario: Scenario, rounds: Measured[], limitPerSecond: number): Result {
  const requestsPerSecond = median(rounds.map(round => round.requestsPerSecond))
  return {
    name: scenario.name,
    title: scenario.title,
    requestsPerSecond,
    p50Ms: median(rounds.map(round => round.p50Ms)),
    p99Ms: median(rounds.map(round => round.p99Ms)),
    requests: rounds.reduce((sum, round) => sum + round.requests, 0),
    ofLimit: requestsPerSecond / limitPerSecond,
    cpu: medianShare(rounds.flatMap(round => round.cpu ?? [])),
  }
}

function medianShare(shares: readonly CpuShare[]): CpuShare | null {
  const [first = null] = shares
  if (first === null) return null
  const figures = Object.keys(first) as (keyof CpuShare)[]
  const medians = figures.map(name => [name, median(shares.map(share => share[name]))])
  return Object.fromEntries(medians) as CpuShare
}

export const resultRows = (results: readonly Result[]): Row[] =>
  results.map(({ title, requestsPerSecond, ofLimit, p50Ms, p99Ms }) => ({
    scenario: title,
    'requests/s': requestsPerSecond.toFixed(0),
    'of limit': ofLimit.toFixed(3),
    'p50 ms': p50Ms.toFixed(1),
    'p99 ms': p99Ms.toFixed(1),
  }))

/** Returns the CPU time by process. Wall time would include the host's other tenants. */
export const cpuRows = (results: readonly Result[]): Row[] =>
  results.flatMap(({ title, cpu }) => {
    if (cpu === null) return []
    const { mainUs, threadsUs, databaseUs, loadUs, idle, stolen } = cpu
    const figures = {
      Node: mainUs,
      'its threads': threadsUs,
      PostgreSQL: databaseUs,
      load: loadUs,
      all: mainUs + threadsUs + databaseUs + loadUs,
      'idle %': idle,
      'stolen %': stolen,
    }
    const shown = Object.entries(figures).map(([name, value]) => [name, value.toFixed(0)])
    return [{ 'CPU time a request, us': title, ...Object.fromEntries(shown) }]
  })
