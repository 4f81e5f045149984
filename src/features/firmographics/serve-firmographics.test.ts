import { describe, expect, test } from 'vitest'
import { serveFirmographics } from './index.ts'

const now = new Date('2026-11-21T12:00:00Z')
const domain = { domain_ref: 'dom_1', domain: 'otter.example', inferred_geo: null }
const data = {
  name: 'Ottermoor',
  description: null,
  industry: null,
  company_size: [51, 200],
  employee_count: 120,
  founded_year: null,
  headquarters: null,
  website: null,
  linkedin_url: null,
}
const heldSince = (fetchedAt: string) => ({ domain_id: 1, fetched_at: new Date(fetchedAt), data })

type Asked = { maxAgeDays?: number; allowStale?: boolean }
const serve = (fetchedAt: string | null, { maxAgeDays, allowStale = true }: Asked = {}) =>
  serveFirmographics(domain, fetchedAt === null ? undefined : heldSince(fetchedAt), {
    now,
    maxAgeDays,
    allowStale,
  })

/** [available, cached, stale, reason, refresh.reason] */
const told = (...asked: Parameters<typeof serve>) => {
  const { available, cached, stale, reason, refresh } = serve(...asked)
  return [available, cached, stale, reason, refresh.reason]
}

const fresh = [true, true, false, null, null]
const gone = 'source_unavailable'

describe('what is held is served', () => {
  test.each([
    ['2026-11-21T11:59:59Z', {}, fresh],
    ['2026-11-20T12:00:00Z', { maxAgeDays: 1 }, fresh],
    ['2026-11-20T11:59:59Z', { maxAgeDays: 1 }, [true, true, true, null, gone]],
    ['2026-11-20T11:59:59Z', { maxAgeDays: 1, allowStale: false }, [false, false, true, gone, gone]],
    ['2026-11-20T12:00:00Z', { maxAgeDays: 1, allowStale: false }, fresh],
    ['2025-11-21T12:00:00Z', {}, fresh],
    ['2025-11-21T11:59:59Z', {}, [true, true, true, null, null]],
    ['2016-11-21T12:00:00Z', { allowStale: false }, [true, true, true, null, null]],
    ['2016-11-24T12:00:00Z', { maxAgeDays: 3_650 }, fresh],
  ] as const)('of %s with %j: %j', (fetchedAt, asked, expected) => {
    expect(told(fetchedAt, asked)).toEqual(expected)
  })

  test('of an age of 0 days there is nothing, not even of a moment that is still to come', () => {
    for (const fetchedAt of ['2026-11-21T12:00:00Z', '2026-11-21T12:00:01Z'])
      expect(told(fetchedAt, { maxAgeDays: 0 })).toEqual([true, true, true, null, gone])
  })
})

test.each([
  [{}, null],
  [{ maxAgeDays: 0 }, gone],
  [{ maxAgeDays: 3_650 }, gone],
  [{ maxAgeDays: 30, allowStale: false }, gone],
] as const)('of a Domain of which nothing is held, with %j, it is told', (asked, refreshReason) => {
  expect(serve(null, asked)).toEqual({
    domain,
    available: false,
    cached: false,
    stale: false,
    reason: 'not_resolved',
    fetched_at: null,
    refresh: { attempted: false, status: 'not_attempted', reason: refreshReason, attempted_at: null },
    data: null,
  })
})

test('data stand in available results alone', () => {
  expect(serve('2020-01-01T00:00:00Z').data).toEqual(data)
  const refused = serve('2020-01-01T00:00:00Z', { maxAgeDays: 1, allowStale: false })
  expect([refused.data, refused.fetched_at]).toEqual([null, '2020-01-01T00:00:00.000Z'])
})
