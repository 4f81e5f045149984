import { availableParallelism } from 'node:os'
import { tableOf } from './table.ts'

export type Goal = { wanted: number; is: 'at least' | 'at most' | 'below'; coresMin?: number }

export const atLeast = (wanted: number): Goal => ({ wanted, is: 'at least' })
export const atMost = (wanted: number): Goal => ({ wanted, is: 'at most' })
export const below = (wanted: number): Goal => ({ wanted, is: 'below' })

/** The outcome of a figure; null if it has no goal. */
type Outcome = 'reached' | 'MISSED' | `not judged: ${string}` | null

export type Judged = {
  figure: string
  goal: Goal | null
  min: number
  median: number
  max: number
  outcome: Outcome
}

/** Returns the median; of two middle values it is the lower one. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] as number

/** Judges the median of some rounds. A figure without values is left out. */
export function judge(
  figure: string,
  goal: Goal | null,
  values: readonly number[],
  cores = availableParallelism(),
): Judged[] {
  const known = values.filter(value => !Number.isNaN(value))
  if (known.length === 0) return []
  const middle = median(known)
  const outcome = goal === null ? null : outcomeOf(goal, middle, cores)
  return [{ figure, goal, min: Math.min(...known), median: middle, max: Math.max(...known), outcome }]
}

function outcomeOf({ wanted, is, coresMin = 1 }: Goal, value: number, cores: number): Outcome {
  if (cores < coresMin) return `not judged: needs ${coresMin} cores`
  const isReached = { 'at least': value >= wanted, 'at most': value <= wanted, below: value < wanted }[is]
  return isReached ? 'reached' : 'MISSED'
}

export function judgedTable(judged: readonly Judged[]): string {
  return tableOf(
    judged.map(({ figure, goal, outcome, min, median, max }) => ({
      figure,
      ...Object.fromEntries(
        Object.entries({ min, median, max }).map(([of, value]) => [of, value.toFixed(2)]),
      ),
      wanted: goal === null ? '-' : `${goal.is} ${goal.wanted}`,
      '': outcome ?? '',
    })),
  )
}
