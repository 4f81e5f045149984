import type { CpuShare } from './cpu-time.ts'
import { batchSize } from './paths.ts'
import { columns, type Measured, median } from './scenarios.ts'

/** The figures of one round, by scenario. */
export type Round = ReadonlyMap<string, Measured>

type Goal = { wanted: number; is: 'at least' | 'at most' | 'below'; coresMin?: number }
type FigureOf = { name: string; goal: Goal | null; of(round: Round): number }
/** null: no goal. */
type Outcome = 'reached' | 'MISSED' | `not judged: ${string}` | null
export type Judged = {
  name: string
  goal: Goal | null
  min: number
  median: number
  max: number
  outcome: Outcome
}

const atLeast = (wanted: number): Goal => ({ wanted, is: 'at least' })
const atMost = (wanted: number): Goal => ({ wanted, is: 'at most' })
const below = (wanted: number): Goal => ({ wanted, is: 'below' })

const rateOf = (round: Round, name: string): number => round.get(name)?.requestsPerSecond ?? Number.NaN

const rate = (name: string, over: string, goal: Goal | null): FigureOf => ({
  name: `${name} / ${over}`,
  goal,
  of: round => rateOf(round, name) / rateOf(round, over),
})

const cpu = (figure: keyof CpuShare, shown: string) => (name: string, over: string, goal: Goal | null) => ({
  name: `${name} / ${over}, ${shown}`,
  goal,
  of: (round: Round) =>
    (round.get(name)?.cpu?.[figure] ?? Number.NaN) / (round.get(over)?.cpu?.[figure] ?? Number.NaN),
})
const mainThread = cpu('mainUs', 'CPU of the main thread')
const postgres = cpu('databaseUs', 'CPU of PostgreSQL')

/** Two API processes, PostgreSQL and the load generator can only run side by side on so many. */
const coresForTwo = 4

/** The product's targets. Ratios are of two figures of one round. */
const figures: FigureOf[] = [
  mainThread('verdict', 'twin', atMost(1.3)),
  postgres('verdict', 'twin', null),
  rate('verdict', 'twin', null),
  rate('verdict', 'handwritten', atLeast(1)),
  {
    name: `verdicts in batches of ${batchSize} / verdict`,
    goal: atLeast(10),
    of: round => (batchSize * rateOf(round, 'batch')) / rateOf(round, 'verdict'),
  },
  {
    name: 'batch_alone, p99 ms',
    goal: below(150),
    of: round => round.get('batch_alone')?.p99Ms ?? Number.NaN,
  },
  rate('two_processes', 'verdict', { ...atLeast(1.7), coresMin: coresForTwo }),
  rate('verdict', 'limit', atLeast(0.25)),
  rate('verdict_100_accounts', 'limit', atLeast(0.25)),
  rate('verdict_fresh_keys', 'limit', atLeast(0.2)),
  rate('verdict_100_accounts', 'handwritten', atLeast(1)),
  rate('verdict', 'transaction', atLeast(4)),
  rate('verdict_100_accounts', 'transaction_100_accounts', atLeast(4)),
  postgres('company_search_text', 'company_search_text_by_hand', atMost(1)),
  rate('company_search_text', 'company_search_text_by_hand', atLeast(0.9)),
  rate('company_search_filter', 'company_search_filter_by_hand', atLeast(0.9)),
  rate('search_100', 'limit', null),
  rate('search_1000', 'limit', null),
]

/** Flat memory: resident memory of a process varies by some percent. */
const memoryGoal = atMost(1.1)

type Machine = { cores: number; memoryMb: readonly number[] }

/** Figures of scenarios that were not measured are left out. `memoryMb`: of the API after each round. */
export function judge(rounds: readonly Round[], { cores, memoryMb }: Machine): Judged[] {
  const found = figures.map(({ name, goal, of }) => judgeOne(name, goal, { values: rounds.map(of), cores }))
  const growth = (memoryMb.at(-1) ?? Number.NaN) / (memoryMb[0] ?? Number.NaN)
  const memory = { values: memoryMb.length < 2 ? [] : [growth], cores }
  return [...found, judgeOne('API memory, last round / first', memoryGoal, memory)].flat()
}

function judgeOne(
  name: string,
  goal: Goal | null,
  { values, cores }: { values: readonly number[]; cores: number },
): Judged[] {
  const known = values.filter(value => !Number.isNaN(value))
  if (known.length === 0) return []
  const middle = median(known)
  return [
    {
      name,
      goal,
      min: Math.min(...known),
      median: middle,
      max: Math.max(...known),
      outcome: goal === null ? null : outcomeOf(goal, middle, cores),
    },
  ]
}

function outcomeOf({ wanted, is, coresMin = 1 }: Goal, value: number, cores: number): Outcome {
  if (cores < coresMin) return `not judged: needs ${coresMin} cores`
  const isReached = { 'at least': value >= wanted, 'at most': value <= wanted, below: value < wanted }[is]
  return isReached ? 'reached' : 'MISSED'
}

export function judgedTable(judged: readonly Judged[]): string {
  return columns([
    ['figure, of the same round', 'min', 'median', 'max', 'wanted', ''],
    ...judged.map(({ name, goal, min, median, max, outcome }) => [
      name,
      ...[min, median, max].map(value => value.toFixed(2)),
      goal === null ? '-' : `${goal.is} ${goal.wanted}`,
      outcome ?? '',
    ]),
  ])
}
