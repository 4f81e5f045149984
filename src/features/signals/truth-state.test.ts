import { expect, test } from 'vitest'
import { describeSources, type SourceState, truthStateOf } from './truth-state.ts'

const now = new Date('2026-11-01T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

const source = (fields: Partial<SourceState>): SourceState => ({
  source_stream_key: 'ukgc.licences',
  isHeld: false,
  hold_reasons: [],
  last_confirmed_at: hoursAgo(1),
  cadenceHours: 24,
  ...fields,
})

test.each<[string, Partial<SourceState>, string]>([
  ['read an hour ago', {}, 'confirmed'],
  ['read three cadences ago, to the hour', { last_confirmed_at: hoursAgo(72) }, 'confirmed'],
  ['read longer ago', { last_confirmed_at: hoursAgo(73) }, 'stale'],
  ['of no known cadence', { last_confirmed_at: hoursAgo(10_000), cadenceHours: null }, 'confirmed'],
  ['never read', { last_confirmed_at: null }, 'not_covered'],
  ['held aside', { isHeld: true }, 'held'],
  ['held aside for so long that it is stale', { isHeld: true, last_confirmed_at: hoursAgo(1_000) }, 'held'],
  ['held aside before anything of it was applied', { isHeld: true, last_confirmed_at: null }, 'held'],
])('a source %s is %s', (_, fields, state) => {
  expect(truthStateOf(source(fields), now)).toBe(state)
})

test('reasons are told of what is held, and of nothing else; without any source, one entry says so', () => {
  const reasons = ['too few rows']
  expect(describeSources([source({ isHeld: true, hold_reasons: reasons })], null, now)).toMatchObject([
    { truth_state: 'held', hold_reasons: reasons },
  ])
  expect(describeSources([source({ hold_reasons: reasons })], null, now)).toMatchObject([
    { hold_reasons: [] },
  ])
  expect(describeSources([], 'peru.licences', now)).toEqual([
    {
      source_stream_key: 'peru.licences',
      truth_state: 'not_covered',
      hold_reasons: [],
      last_confirmed_at: null,
    },
  ])
})
