import { expect, test } from 'vitest'
import { judgeRounds } from '../bench/scenarios/ratios.ts'
import type { Measured } from '../bench/scenarios/scenarios.ts'

const measured = (figures: Partial<Measured>): Measured => ({
  requestsPerSecond: 100,
  p50Ms: 1,
  p99Ms: 2,
  requests: 100,
  cpu: null,
  ...figures,
})
const cpu = { mainUs: 100, threadsUs: 0, databaseUs: 100, loadUs: 0, idle: 0, stolen: 0 }

function outcomes(figures: Record<string, Partial<Measured>>, cores = 4, memoryMb = [200, 210]) {
  const round = new Map(Object.entries(figures).map(([name, each]) => [name, measured(each)]))
  return Object.fromEntries(
    judgeRounds([round], { cores, memoryMb }).map(({ figure, outcome }) => [figure, outcome]),
  )
}

test('a benchmark judges each target that it measured, and says how many cores others need', () => {
  const memory = { 'API memory, last round / first': 'reached' }
  expect(outcomes({ batch_alone: { p99Ms: 149 } })).toEqual({ 'batch_alone, p99 ms': 'reached', ...memory })
  expect(outcomes({ batch_alone: { p99Ms: 150 } })).toEqual({ 'batch_alone, p99 ms': 'MISSED', ...memory })
  expect(outcomes({}, 4, [200, 230])).toEqual({ 'API memory, last round / first': 'MISSED' })
  expect(outcomes({}, 4, [200])).toEqual({})

  const text = 'company_search_text / company_search_text_by_hand'
  const search = (requestsPerSecond: number, databaseUs: number) =>
    outcomes({
      company_search_text: { requestsPerSecond, cpu: { ...cpu, databaseUs } },
      company_search_text_by_hand: { cpu },
    })
  expect(search(90, 100)).toMatchObject({ [text]: 'reached', [`${text}, CPU of PostgreSQL`]: 'reached' })
  expect(search(89, 101)).toMatchObject({ [text]: 'MISSED', [`${text}, CPU of PostgreSQL`]: 'MISSED' })

  const two = { verdict: {}, two_processes: { requestsPerSecond: 160 } }
  expect(outcomes(two)['two_processes / verdict']).toBe('MISSED')
  expect(outcomes(two, 2)['two_processes / verdict']).toBe('not judged: needs 4 cores')
})
