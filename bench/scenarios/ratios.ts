import type { CpuShare } from '../harness/cpu-time.ts'
import { atLeast, atMost, below, type Goal, type Judged, judge } from '../harness/goals.ts'
import { batchSize } from './paths.ts'
import type { Round } from './scenarios.ts'
import { coresForTwo, judgeTwoProcesses } from './two-processes.ts'

type FigureOf = { name: string; goal: Goal | null; of(round: Round): number }

const rateOf = (round: Round, name: string): number => round.get(name)?.requestsPerSecond ?? Number.NaN

/** Returns the CPU time of a request in Node and PostgreSQL, in microseconds. */
function cpuUs(round: Round, name: string): number {
  const { mainUs, threadsUs, databaseUs } = round.get(name)?.cpu ?? {}
  return (mainUs ?? Number.NaN) + (threadsUs ?? 0) + (databaseUs ?? 0)
}

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

/** The product's targets. A ratio divides two figures of one round. */
const figures: FigureOf[] = [
  mainThread('verdict', 'twin', atMost(1.3)),
  postgres('verdict', 'twin', null),
  rate('verdict', 'twin', null),
  {
    name: 'verdict of another day / verdict, CPU of both',
    goal: atMost(2),
    of: round => cpuUs(round, 'verdict_then') / cpuUs(round, 'verdict'),
  },
  {
    name: 'verdict of random days, p99 ms',
    goal: below(50),
    of: round => round.get('verdict_past')?.p99Ms ?? Number.NaN,
  },
  {
    name: 'CPU us that a receipt adds',
    goal: below(150),
    of: round => cpuUs(round, 'verdict_receipt') - cpuUs(round, 'verdict'),
  },
  { name: 'keystroke, p99 ms', goal: below(60), of: round => round.get('keystroke')?.p99Ms ?? Number.NaN },
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

/**
 * Memory must not grow by more than 10 %, because the resident memory of a process varies by some percent.
 */
const memoryGoal = atMost(1.1)

type Machine = { cores: number; memoryMb: readonly number[] }

/**
 * Judges the figures, without those of unmeasured scenarios. `memoryMb` has the API's memory after each
 * round.
 */
export function judgeRounds(rounds: readonly Round[], { cores, memoryMb }: Machine): Judged[] {
  const growth = (memoryMb.at(-1) ?? Number.NaN) / (memoryMb[0] ?? Number.NaN)
  return [
    ...figures.flatMap(({ name, goal, of }) => judge(name, goal, rounds.map(of), cores)),
    ...judgeTwoProcesses(rounds, cores),
    ...judge('API memory, last round / first', memoryGoal, memoryMb.length < 2 ? [] : [growth], cores),
  ]
}
