import type { CpuShare } from './cpu-time.ts'
import { batchSize } from './paths.ts'
import { columns, type Measured, median } from './scenarios.ts'

/** The figures of one round, by scenario. */
export type Round = ReadonlyMap<string, Measured>

type Goal = { wanted: number; is: 'at least' | 'at most' } | null
type RatioOf = { name: string; goal: Goal; of(round: Round): number }
export type Ratio = { name: string; goal: Goal; min: number; median: number; max: number }

const atLeast = (wanted: number) => ({ wanted, is: 'at least' }) as const
const atMost = (wanted: number) => ({ wanted, is: 'at most' }) as const

const rateOf = (round: Round, name: string): number => round.get(name)?.requestsPerSecond ?? Number.NaN

const rate = (name: string, over: string, goal: Goal): RatioOf => ({
  name: `${name} / ${over}`,
  goal,
  of: round => rateOf(round, name) / rateOf(round, over),
})

const cpu = (figure: keyof CpuShare, shown: string) => (name: string, over: string, goal: Goal) => ({
  name: `${name} / ${over}, ${shown}`,
  goal,
  of: (round: Round) =>
    (round.get(name)?.cpu?.[figure] ?? Number.NaN) / (round.get(over)?.cpu?.[figure] ?? Number.NaN),
})
const mainThread = cpu('mainUs', 'CPU of the main thread')
const postgres = cpu('databaseUs', 'CPU of PostgreSQL')

/** Two API processes, PostgreSQL and the load generator can only run side by side on so many. */
const coresForTwo = 4

/** The product's targets. Each ratio is of two figures of one round. */
const ratios = (cores: number): RatioOf[] => [
  mainThread('verdict', 'twin', atMost(1.3)),
  postgres('verdict', 'twin', null),
  rate('verdict', 'twin', null),
  rate('verdict', 'handwritten', atLeast(1)),
  {
    name: `verdicts in batches of ${batchSize} / verdict`,
    goal: atLeast(10),
    of: round => (batchSize * rateOf(round, 'batch')) / rateOf(round, 'verdict'),
  },
  rate('two_processes', 'verdict', cores < coresForTwo ? null : atLeast(1.7)),
  rate('verdict', 'limit', atLeast(0.25)),
  rate('verdict_100_accounts', 'limit', atLeast(0.25)),
  rate('verdict_fresh_keys', 'limit', atLeast(0.2)),
  rate('verdict_100_accounts', 'handwritten', atLeast(1)),
  rate('verdict', 'transaction', atLeast(4)),
  rate('verdict_100_accounts', 'transaction_100_accounts', atLeast(4)),
  rate('company_search_text', 'company_search_text_by_hand', atLeast(1)),
  rate('company_search_filter', 'company_search_filter_by_hand', atLeast(1)),
  rate('search_100', 'limit', null),
  rate('search_1000', 'limit', null),
]

/** Ratios of scenarios that were not measured are left out. */
export function ratiosOf(rounds: readonly Round[], cores: number): Ratio[] {
  return ratios(cores).flatMap(({ name, goal, of }) => {
    const values = rounds.map(of).filter(value => !Number.isNaN(value))
    if (values.length === 0) return []
    return [{ name, goal, min: Math.min(...values), median: median(values), max: Math.max(...values) }]
  })
}

export function ratioTable(found: readonly Ratio[]): string {
  return columns([
    ['ratio, of the same round', 'min', 'median', 'max', 'wanted', ''],
    ...found.map(({ name, goal, min, median, max }) => [
      name,
      ...[min, median, max].map(value => value.toFixed(2)),
      goal === null ? '-' : `${goal.is} ${goal.wanted}`,
      goal === null ? '' : isReached(goal, median) ? 'reached' : 'MISSED',
    ]),
  ])
}

const isReached = ({ wanted, is }: NonNullable<Goal>, value: number) =>
  is === 'at least' ? value >= wanted : value <= wanted
