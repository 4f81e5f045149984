import type { Judged } from '../harness/goals.ts'
import { atLeast, judge } from '../harness/goals.ts'
import { type Round, type Scenario, scenario } from './scenarios.ts'

/** The number of cores for two API processes, PostgreSQL and the load generator to run side by side. */
export const coresForTwo = 4

const suffix = '_by_two'
/** Two processes need two connections. */
const connectionsMin = 2
/** Only verdicts have a goal: they were once limited by the one thread of a process. */
const goals: Record<string, number> = { verdict: 1.7, verdict_100_accounts: 1.7, verdict_fresh_keys: 1.7 }

/** Adds to each scenario of the API the same one with two API processes, which are measured side by side. */
export function withTwoProcesses(
  scenarios: readonly Scenario[],
  apiUrl: string,
  secondUrl: string,
): Scenario[] {
  return scenarios.flatMap(one => {
    const { name, title, target } = one
    const isOfOne = target.url === apiUrl && target.secondUrl === undefined
    if (!isOfOne || (target.connections ?? connectionsMin) < connectionsMin) return [one]
    return [one, scenario(`${name}${suffix}`, `${title}, two API processes`, { ...target, secondUrl })]
  })
}

/** Compares each scenario by two processes with that by one. Too few cores are said, and not judged. */
export function judgeTwoProcesses(rounds: readonly Round[], cores: number): Judged[] {
  const names = [...(rounds[0]?.keys() ?? [])].filter(name => name.endsWith(suffix))
  return names.flatMap(name => {
    const one = name.slice(0, -suffix.length)
    const ratios = rounds.map(
      round =>
        (round.get(name)?.requestsPerSecond ?? Number.NaN) /
        (round.get(one)?.requestsPerSecond ?? Number.NaN),
    )
    const wanted = goals[one]
    const goal = wanted === undefined ? null : { ...atLeast(wanted), coresMin: coresForTwo }
    return judge(`${one}, two processes / one`, goal, ratios, cores)
  })
}
