import type { CpuShare } from './cpu-time.ts'
import type { Figures, Target } from './load.ts'

export type Scenario = { name: string; title: string; target: Target }
export type Measured = Figures & { cpu: CpuShare | null }
export type Result = { name: string; title: string } & Measured & { ofLimit: number }

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] as number

/** The median round of each figure. Scenarios take turns, because the machine is noisy. */
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
  if (shares.length === 0) return null
  const of = (name: keyof CpuShare) => median(shares.map(share => share[name]))
  return {
    mainUs: of('mainUs'),
    threadsUs: of('threadsUs'),
    databaseUs: of('databaseUs'),
    loadUs: of('loadUs'),
    idle: of('idle'),
    stolen: of('stolen'),
  }
}

export function resultTable(results: readonly Result[]): string {
  const rows = [
    ['scenario', 'requests/s', 'of limit', 'p50 ms', 'p99 ms'],
    ...results.map(result => [
      result.title,
      result.requestsPerSecond.toFixed(0),
      result.ofLimit.toFixed(3),
      result.p50Ms.toFixed(1),
      result.p99Ms.toFixed(1),
    ]),
  ]
  return columns(rows)
}

/** CPU time by process. Wall time would include the host's other tenants. */
export function cpuTable(results: readonly Result[]): string {
  const rows = [
    ['CPU time a request, us', 'Node', 'its threads', 'PostgreSQL', 'load', 'all', 'idle %', 'stolen %'],
    ...results.flatMap(({ title, cpu }) => {
      if (cpu === null) return []
      const { mainUs, threadsUs, databaseUs, loadUs, idle, stolen } = cpu
      const parts = [mainUs, threadsUs, databaseUs, loadUs]
      const all = parts.reduce((sum, part) => sum + part, 0)
      return [[title, ...[...parts, all, idle, stolen].map(figure => figure.toFixed(0))]]
    }),
  ]
  return columns(rows)
}

export function columns(rows: string[][]): string {
  const widths = (rows[0] as string[]).map((_, column) =>
    Math.max(...rows.map(row => row[column]?.length ?? 0)),
  )
  return rows
    .map(row =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number),
        )
        .join('  '),
    )
    .join('\n')
}
