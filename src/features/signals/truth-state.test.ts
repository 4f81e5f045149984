import { expect, test } from 'vitest'
import { truthStateOf } from '../source-facts.ts'
import { describeSources, type SourceState } from './sources-store.ts'

const now = new Date('2026-11-01T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

const source = (fields: Partial<SourceState>): SourceState => ({
  source_stream_key: 'ukgc.licences',
  is_quarantined: false,
  hold_reasons: [],
  last_confirmed_at: hoursAgo(1),
  cadence_hours: 24,
  ...fields,
})

test('the truth state of a source follows from its quarantine, last confirmation and cadence', () => {
  const rows: [what: string, fields: Partial<SourceState>, state: string][] = [
    ['confirmed an hour ago', {}, 'confirmed'],
    ['confirmed exactly three cadences ago', { last_confirmed_at: hoursAgo(72) }, 'confirmed'],
    ['confirmed longer ago', { last_confirmed_at: hoursAgo(73) }, 'stale'],
    ['of unknown cadence', { last_confirmed_at: hoursAgo(10_000), cadence_hours: null }, 'confirmed'],
    ['never read', { last_confirmed_at: null }, 'not_covered'],
    ['quarantined', { is_quarantined: true }, 'held'],
    ['quarantined and stale', { is_quarantined: true, last_confirmed_at: hoursAgo(1_000) }, 'held'],
    [
      'quarantined before any snapshot was applied',
      { is_quarantined: true, last_confirmed_at: null },
      'held',
    ],
  ]
  expect(rows.map(([what, fields]) => [what, truthStateOf(source(fields), now)])).toEqual(
    rows.map(([what, , state]) => [what, state]),
  )
})

test('only a quarantined source has hold reasons, and a market without a source is not_covered', () => {
  const reasons = ['too few rows']
  expect(describeSources([source({ is_quarantined: true, hold_reasons: reasons })], null, now)).toMatchObject(
    [{ truth_state: 'held', hold_reasons: reasons }],
  )
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
