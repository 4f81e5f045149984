import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { dayMs } from '../../core/time.ts'
import { readUsageDays, recentDays, sumUsageDays } from './index.ts'

let service: TestService
let lateMs = 0
const now = () => new Date(Date.now() + lateMs)

beforeAll(async () => {
  service = await startService({ world: 'demo', now })
})
afterAll(() => service.close())

test('the sums of finished days equal their usage records, and each day is summed once', async () => {
  const customer = await service.customer()
  const { database } = service.service.live
  for (const daysLate of [0, 1, 2]) {
    lateMs = daysLate * dayMs
    await customer.ask('/v1/domains/resolve?domain=luckyotter.example')
    await customer.ask('/v1/account')
  }
  await service.service.usage.flush()
  lateMs = 3 * dayMs
  const account = await database.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const read = () => readUsageDays(database, { accountId: account.id, ...recentDays(now(), 7) })
  const live = await read()
  expect(live).toHaveLength(6)
  expect(await sumUsageDays(database, now())).toBeGreaterThanOrEqual(2)
  expect(await sumUsageDays(database, now())).toBe(0)
  expect(await read()).toEqual(live)
})

test('a day that cannot be summed keeps the sums of the days before it', async () => {
  const customer = await service.customer()
  const { database } = service.service.live
  await customer.ask('/v1/account')
  await service.service.usage.flush()
  await sumUsageDays(database, new Date(now().getTime() + 2 * dayMs))
  const lastDay = async () => {
    const { rows } = await sql<{ day: string }>`select max(day)::text as day from summed_days`.execute(
      database,
    )
    return Date.parse(rows[0]?.day ?? '')
  }
  const before = await lastDay()
  const refused = new Date(before + 2 * dayMs).toISOString()
  await sql`
    alter table summed_days add constraint refused check (day < ${sql.lit(refused)}::date)`.execute(database)
  onTestFinished(async () => {
    await sql`alter table summed_days drop constraint refused`.execute(database)
  })
  await expect(sumUsageDays(database, new Date(before + 5 * dayMs))).rejects.toThrow('refused')
  expect(await lastDay()).toBe(before + dayMs)
})

test('while one process sums, another one returns at once', async () => {
  const { database } = service.service.live
  const later = new Date(now().getTime() + 20 * dayMs)
  await database.transaction().execute(async tx => {
    await sql`
      select pg_advisory_xact_lock(
               hashtextextended('baize ' || current_schema() || ' sums', 0))`.execute(tx)
    expect(await sumUsageDays(database, later)).toBe(0)
  })
  expect(await sumUsageDays(database, later)).toBeGreaterThan(0)
})

test('the last N days are whole days in UTC, and include today', () => {
  expect(recentDays(new Date('2026-03-01T00:30:00Z'), 30)).toEqual({
    from: '2026-01-31',
    until: '2026-03-01',
  })
})
