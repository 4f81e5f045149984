import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { type Person, signIn } from '../../../test/harness/sign-in.ts'
import { grantCredits, recentUsage } from '../../features/account/index.ts'
import { verifyBalances, verifySettlements } from '../../metering/ledger.ts'
import { day, entry, fakeStream, fileOf, syncApproved } from '../../registers/fixture.ts'
import { screenPortfolios } from './screening-tasks.ts'

const path = '/dashboard/portfolios/merchants'
let service: TestService
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())

type Buyer = Customer & { member: Person; used(): Promise<number> }

/** A customer with a portfolio of these sites. */
async function buyerOf(sites: readonly string[], credits = 100_000): Promise<Buyer> {
  const customer = await service.customer({ credits })
  const member = await signIn(service, { accountRef: customer.accountRef, role: 'member' })
  const sent = { method: 'PUT', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ domains: sites })
  expect((await customer.ask('/v1/portfolios/merchants', { ...sent, body })).status).toBe(201)
  const used = async () => (await customer.ask('/v1/account')).body.data.credits_used as number
  return { ...customer, member, used }
}

async function work(): Promise<void> {
  const { live: world } = service.service
  const { signal } = new AbortController()
  await screenPortfolios({ now: service.service.now }).run(
    {},
    { world, log: pino({ level: 'silent' }), signal },
  )
}

/** Returns the fields of the button, as the page has it. */
async function button({ member }: Buyer): Promise<Record<string, string>> {
  const [form = ''] =
    (await member.get(path)).text.match(/<form[^>]*aria-label="Screening".*?<\/form>/s) ?? []
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)]
  return {
    what: /<button[^>]*>([^<]*)/.exec(form)?.[1] ?? '',
    ...Object.fromEntries(fields.map(([, ...of]) => of)),
  }
}

async function press(buyer: Buyer, { what: _, ...fields }: Record<string, string>): Promise<void> {
  const { status, headers } = await buyer.member.post(`${path}/screen`, fields)
  expect([status, headers.get('location')]).toEqual([303, path])
}

const rowsOf = async ({ member }: Buyer, query = '') =>
  parse((await member.get(`${path}.csv${query}`)).text, { columns: true }) as Record<string, string>[]

const expectConsistentBooks = async () => {
  const { database } = service.service.live
  expect([await verifyBalances(database), await verifySettlements(database)]).toEqual([[], []])
}

const known = ['luckyotter.example', 'redkite-casino.example', 'neverheard.example']
const many = (count: number) => Array.from({ length: count }, (_, number) => `site-${number}.example`)

test('a portfolio is screened for the price on its button, as of the moment of the press', async () => {
  const buyer = await buyerOf(known)
  const fields = await button(buyer)
  expect([fields.what, fields.max_credits]).toEqual(['Screen 3 sites for 3 credits', '3'])
  expect(await buyer.used()).toBe(0)
  await press(buyer, fields)
  expect((await buyer.member.get(path)).text).toContain('0 of 3 sites screened')
  const stream = fakeStream('italy.blocklist')
  await syncApproved(service.service.live, stream, [fileOf(entry('neverheard.example'))], {
    takenAt: day(400),
    now: new Date(Date.now() + 1_000),
  })
  await work()
  expect(await buyer.used()).toBe(3)
  expect(
    (await rowsOf(buyer)).map(({ domain, verdict, licensed_in, known_at }) => [
      domain,
      verdict,
      licensed_in,
      known_at,
    ]),
  ).toEqual([
    ['luckyotter.example', 'licensed', expect.stringContaining('Great Britain'), expect.any(String)],
    ['redkite-casino.example', 'blocklisted', '', expect.any(String)],
    ['neverheard.example', 'no_record', '', expect.any(String)],
  ])
  expect(new Set((await rowsOf(buyer)).map(({ known_at }) => known_at)).size).toBe(1)
  expect((await rowsOf(buyer, '?verdict=blocklisted')).map(({ domain }) => domain)).toEqual([
    'redkite-casino.example',
  ])
  await press(buyer, fields)
  await work()
  expect(await buyer.used()).toBe(3)
  await expectConsistentBooks()
})

test('a screening stops where the balance ends, and its button continues it', async () => {
  const buyer = await buyerOf(many(2_300), 1_500)
  const first = await button(buyer)
  expect(first.what).toBe('Screen 2,300 sites for 2,300 credits')
  await press(buyer, first)
  await work()
  expect(await buyer.used()).toBe(1_500)
  const rest = await button(buyer)
  expect(rest.what).toBe('Screen the other 800 sites for 800 credits')
  await press(buyer, rest)
  await work()
  expect([await buyer.used(), (await button(buyer)).what]).toEqual([1_500, rest.what])
  const grant = { credits: 5_000, note: 'test', now: new Date() }
  await grantCredits(service.service.live, buyer.accountRef, grant)
  await press(buyer, rest)
  await work()
  expect(await buyer.used()).toBe(1_500)
  const last = await button(buyer)
  for (let times = 0; times < 2; times += 1) await press(buyer, last)
  await work()
  expect(await buyer.used()).toBe(2_300)
  const { database } = service.service.live
  const { rows } = await sql<{ known: number; screened: number }>`
    select count(distinct known_at) as known, count(verdict) as screened
      from portfolio_members where domain like 'site-%'`.execute(database)
  expect(rows).toEqual([{ known: 1, screened: 2_300 }])
  await service.service.usage.flush()
  const usage = await recentUsage(service.service.live, buyer.accountRef, new Date())
  const paid = usage.filter(({ credits }) => credits > 0)
  expect(paid.map(({ endpoint, credits }) => [endpoint, credits])).toEqual([
    ['resolve_domains', 800],
    ['resolve_domains', 500],
    ['resolve_domains', 1_000],
  ])
  expect(JSON.stringify(usage)).not.toContain('.example')
  await expectConsistentBooks()
})

test('a screening never costs more than its button, also if sites are added meanwhile', async () => {
  const buyer = await buyerOf(['one.example', 'two.example'])
  await press(buyer, await button(buyer))
  const sent = { method: 'PATCH', headers: { 'content-type': 'application/json' } }
  await buyer.ask('/v1/portfolios/merchants', { ...sent, body: JSON.stringify({ add: many(5) }) })
  await work()
  expect([await buyer.used(), (await button(buyer)).what]).toEqual([
    2,
    'Screen the other 5 sites for 5 credits',
  ])
  await press(buyer, await button(buyer))
  await work()
  const again = await button(buyer)
  expect([await buyer.used(), again.what]).toEqual([7, 'Screen 7 sites again for 7 credits'])
  await press(buyer, again)
  await work()
  expect(await buyer.used()).toBe(14)
})

test('a screening of another account is missing, and billing starts none', async () => {
  const buyer = await buyerOf(known)
  const { what: _, ...fields } = await button(buyer)
  const stranger = await buyerOf(known)
  await buyer.member.post('/dashboard/portfolios/merchants/delete')
  expect((await buyer.member.post(`${path}/screen`, fields)).status).toBe(404)
  const billing = await signIn(service, { accountRef: stranger.accountRef, role: 'billing' })
  expect((await billing.post(`${path}/screen`, fields)).status).toBe(404)
})
