import { expect, test } from 'vitest'
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
const storedSince = (fetchedAt: string) => ({ domain_id: 1, fetched_at: new Date(fetchedAt), data })

type Options = { maxAgeDays?: number; allowStale?: boolean }
const serve = (fetchedAt: string | null, { maxAgeDays, allowStale = true }: Options = {}) =>
  serveFirmographics(domain, fetchedAt === null ? undefined : storedSince(fetchedAt), {
    now,
    maxAgeDays,
    allowStale,
  })

/** Returns `[available, cached, stale, reason, refresh.reason]`. */
const outcome = (...options: Parameters<typeof serve>) => {
  const { available, cached, stale, reason, refresh } = serve(...options)
  return [available, cached, stale, reason, refresh.reason]
}

const fresh = [true, true, false, null, null]
const gone = 'source_unavailable'

test('stored firmographics are served, and their age decides whether they are stale or refreshed', () => {
  const examples = [
    ['2026-11-21T11:59:59Z', {}, fresh],
    ['2026-11-20T12:00:00Z', { maxAgeDays: 1 }, fresh],
    ['2026-11-20T11:59:59Z', { maxAgeDays: 1 }, [true, true, true, null, gone]],
    ['2026-11-20T11:59:59Z', { maxAgeDays: 1, allowStale: false }, [false, false, true, gone, gone]],
    ['2026-11-20T12:00:00Z', { maxAgeDays: 1, allowStale: false }, fresh],
    ['2025-11-21T12:00:00Z', {}, fresh],
    ['2025-11-21T11:59:59Z', {}, [true, true, true, null, null]],
    ['2016-11-21T12:00:00Z', { allowStale: false }, [true, true, true, null, null]],
    ['2016-11-24T12:00:00Z', { maxAgeDays: 3_650 }, fresh],
  ] as const
  expect(examples.map(([fetchedAt, options]) => [fetchedAt, options, outcome(fetchedAt, options)])).toEqual(
    examples,
  )
})

test('max_age_days 0 makes all firmographics stale, even with a fetch time in the future', () => {
  for (const fetchedAt of ['2026-11-21T12:00:00Z', '2026-11-21T12:00:01Z'])
    expect(outcome(fetchedAt, { maxAgeDays: 0 })).toEqual([true, true, true, null, gone])
})

test.each([
  [{}, null],
  [{ maxAgeDays: 0 }, gone],
  [{ maxAgeDays: 3_650 }, gone],
  [{ maxAgeDays: 30, allowStale: false }, gone],
] as const)('a Domain without stored firmographics is not_resolved with %j', (options, refreshReason) => {
  expect(serve(null, options)).toEqual({
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

test('firmographics contain data only if they are available', () => {
  expect(serve('2020-01-01T00:00:00Z').data).toEqual(data)
  const refused = serve('2020-01-01T00:00:00Z', { maxAgeDays: 1, allowStale: false })
  expect([refused.data, refused.fetched_at]).toEqual([null, '2020-01-01T00:00:00.000Z'])
})
