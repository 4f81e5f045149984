import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startChild } from '../../../test/harness/child.ts'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { signIn } from '../../../test/harness/sign-in.ts'
import { verifyBalances, verifySettlements } from '../../metering/ledger.ts'

const sites = Array.from({ length: 2_300 }, (_, number) => `site-${number}.example`)
const path = '/dashboard/portfolios/merchants/screen'

let service: TestService
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())

/** Screens in a child process that is killed at the given point; 0: it is not. */
const screenInChild = (point: number) =>
  startChild<{ moments: number }>(
    'screen-until-killed.ts',
    JSON.stringify(service.database.connection),
    String(point),
  ).hello.catch(() => null)

async function pressed() {
  const customer = await service.customer({ credits: 10_000 })
  const member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
  await customer.ask('/v1/portfolios/merchants', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ domains: sites }),
  })
  const fields = { version: '0', max_credits: '2300', nonce: '00000000-0000-0000-0000-000000000000' }
  expect((await member.post(path, fields)).status).toBe(303)
  return async () => (await customer.ask('/v1/account')).body.data.credits_used as number
}

test('a screening whose worker is killed at any point charges each site once, and stores all', async () => {
  const used = await pressed()
  const { moments = 0 } = (await screenInChild(0)) ?? {}
  expect(moments).toBeGreaterThan(10)
  expect(await used()).toBe(2_300)
  const { database } = service.service.live
  for (let point = 1; point <= moments; point += 7) {
    await sql`delete from portfolio_members`.execute(database)
    const charged = await pressed()
    expect(await screenInChild(point)).toBeNull()
    expect(await charged()).toBeLessThanOrEqual(2_300)
    await screenInChild(0)
    const { rows } = await sql<{ screened: number; moments: number }>`
      select count(verdict) as screened, count(distinct known_at) as moments
        from portfolio_members`.execute(database)
    expect([point, rows, await charged()]).toEqual([point, [{ screened: 2_300, moments: 1 }], 2_300])
  }
  expect([await verifyBalances(database), await verifySettlements(database)]).toEqual([[], []])
})
