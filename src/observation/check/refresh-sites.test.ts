import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { refreshSites } from './refresh-sites-store.ts'

const midnight = new Date('2026-11-02T00:00:00Z')
const minutesPerDay = 1_440
const atMinute = (minutes: number) => new Date(midnight.getTime() + minutes * 60_000)
const hours = (count: number) => count * 60
const days = (count: number) => count * minutesPerDay

let service: TestService

beforeEach(async () => {
  service = await startService({ world: 'demo' })
})
afterEach(() => service.close())

type Stored = { domain: string; requested_at: Date; asked_by: string; state: string }

async function checks(): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select domain.domain, checked.requested_at, checked.asked_by, checked.state
      from site_checks checked join domains domain on domain.id = checked.domain_id
     where checked.asked_by = 'refresh'
     order by checked.id`.execute(service.service.live.database)
  return rows
}

/** Runs each minute of a worker, up to but without `end`. */
async function run(perDay: number, { from = 0, end }: { from?: number; end: number }): Promise<number> {
  let started = 0
  for (let minute = from; minute < end; minute += 1)
    started += await refreshSites(service.service.live, perDay, atMinute(minute))
  return started
}

async function endAll(state: 'completed' | 'failed', at: Date): Promise<void> {
  const { database } = service.service.live
  await sql`
    update site_checks
       set state = ${state}, finished_at = ${at}, started_at = ${at}, credits_charged = 0,
           reason = case ${state} when 'failed' then 'timeout' end
     where state in ('queued', 'running')`.execute(database)
  if (state === 'completed')
    await sql`
      update domains set last_checked_at = ${at}
       where id in (select domain_id from site_checks where finished_at = ${at})`.execute(database)
}

describe('background checks', () => {
  test('background checks are off by default: a budget of 0 starts none', async () => {
    expect(await run(0, { end: 5 })).toBe(0)
    expect(await checks()).toEqual([])
  })

  test('background checks are spread evenly over the day', async () => {
    expect(await run(24, { end: hours(3) })).toBe(3)
    const times = (await checks()).map(({ requested_at }) => requested_at.getTime())
    const gaps = times.slice(1).map((time, index) => (time - (times[index] as number)) / 60_000)
    expect(gaps).toEqual([hours(1), hours(1)])
  })

  test('background checks in 24 hours never exceed the budget, even after it was lowered', async () => {
    expect(await run(minutesPerDay, { end: 10 })).toBe(10)
    // The first share of ten ends after 144 minutes.
    const share = { from: 140, end: 148 }
    expect(await run(10, share)).toBe(0)
    expect(await run(10, { from: days(1) + share.from, end: days(1) + share.end })).toBe(1)
  })

  test('background checks of several processes share one budget', async () => {
    const { live } = service.service
    const minute = (at: number) =>
      Promise.all(Array.from({ length: 4 }, () => refreshSites(live, 3, atMinute(at))))
    // The last minute of each third of the day starts one.
    for (const third of [1, 2, 3]) await minute((third * minutesPerDay) / 3 - 1)
    expect(await checks()).toHaveLength(3)
  })
})

describe('a site that is due for a background check', () => {
  const all = minutesPerDay * 1_000

  test('only sites with a licensee or a license are checked in the background', async () => {
    await run(all, { end: 1 })
    const { rows } = await sql<{ domain: string }>`
      select domain from domains
       where licensee_company_id is not null or verdict in ('licensed', 'mixed')
       order by id`.execute(service.service.live.database)
    expect((await checks()).map(({ domain }) => domain)).toEqual(
      expect.arrayContaining(rows.map(({ domain }) => domain)),
    )
    expect(await checks()).toHaveLength(rows.length)
    expect(rows.length).toBeGreaterThan(10)
  })

  test('a site is checked again a week after a completed check, and a day after a failed check', async () => {
    const first = await run(all, { end: 1 })
    // A site whose check waits is not started again.
    expect(await run(all, { from: 1, end: 2 })).toBe(0)
    await endAll('completed', atMinute(2))
    expect(await run(all, { from: days(7), end: days(7) + 1 })).toBe(0)
    expect(await run(all, { from: days(7) + 3, end: days(7) + 4 })).toBe(first)
    await endAll('failed', atMinute(days(7) + 5))
    expect(await run(all, { from: days(8) + 4, end: days(8) + 5 })).toBe(0)
    expect(await run(all, { from: days(8) + 6, end: days(8) + 7 })).toBe(first)
  })

  test('a site that was never checked is first, then the site with the oldest check', async () => {
    const { database } = service.service.live
    const { rows } = await sql<{ domain: string }>`
      update domains
         set last_checked_at = ${atMinute(0)}::timestamptz - id * interval '1 day' - interval '8 days'
       where licensee_company_id is not null or verdict in ('licensed', 'mixed')
      returning domain`.execute(database)
    const never = rows.map(({ domain }) => domain).toSorted()[0] as string
    await sql`update domains set last_checked_at = null where domain = ${never}`.execute(database)
    await run(minutesPerDay, { end: 3 })
    const { rows: oldest } = await sql<{ domain: string }>`
      select domain from domains where last_checked_at is not null
       order by last_checked_at limit 2`.execute(database)
    expect((await checks()).map(({ domain }) => domain)).toEqual([
      never,
      ...oldest.map(({ domain }) => domain),
    ])
  })
})
