import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '../../../test/harness/client.ts'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { dumpWorld } from '../../dataset/index.ts'

const logged: string[] = []
let service: TestService
beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: line => void logged.push(line) })
  service = await startService({ world: 'demo_with_registers', log })
})
afterAll(() => service.close())

const path = '/v1/portfolios/merchants'
const headers = { 'content-type': 'application/json' }
const send = (of: Customer, method: string, body: object, to = path) =>
  of.ask(to, { method, headers, body: JSON.stringify(body) })
const put = (of: Customer, domains: string[], to = path) => send(of, 'PUT', { domains }, to)
const members = async (of: Customer, query = '', to = path) =>
  (await of.ask(`${to}/members${query}`)).body.data

const sites = ['luckyotter.example', 'redkite-casino.example', 'twofaced.example', 'neverheard.example']

test('a portfolio is created with 201, replaced with 200, and lists invalid inputs apart', async () => {
  const customer = await service.customer()
  const first = await put(customer, ['https://www.luckyotter.example/x', 'localhost', 'LUCKYOTTER.example'])
  expect(declaredData('put_portfolio')(first.body.data)).toBeNull()
  expect([first.status, first.body.message, first.body.data]).toEqual([
    201,
    'Portfolio created',
    {
      name: 'merchants',
      size: 1,
      added: 1,
      removed: 0,
      position: expect.any(Number),
      unresolved: [{ index: 1, input: 'localhost', code: 'invalid_domain', message: expect.any(String) }],
    },
  ])
  const second = await put(customer, ['redkite-casino.example', 'luckyotter.example', 'twofaced.example'])
  expect([second.status, second.body.data]).toMatchObject([200, { size: 3, added: 2, removed: 0 }])
  const third = await put(customer, ['twofaced.example'])
  expect(third.body.data).toMatchObject({ size: 1, added: 0, removed: 2 })
  expect((await members(customer)).domains).toMatchObject([{ domain: 'twofaced.example', verdict: 'mixed' }])
})

test('a portfolio of 100,000 members is accepted as gzip, and one more is refused with 422', async () => {
  const customer = await service.customer()
  const domains = Array.from({ length: 100_000 }, (_, each) => `site-${each}.example`)
  const packed = (list: string[]) => ({
    method: 'PUT',
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: new Uint8Array(gzipSync(JSON.stringify({ domains: list }))),
  })
  const { status, body } = await customer.ask(path, packed(domains))
  expect([status, body.data]).toMatchObject([201, { size: 100_000, added: 100_000, unresolved: [] }])
  const replaced = [...domains.filter((_, each) => each % 20 === 0), ...sites]
  const { body: after } = await customer.ask(path, packed(replaced))
  expect(after.data).toMatchObject({ size: 5_004, added: 4, removed: 95_000 })
  expect((await members(customer, '?page_size=1')).domains[0].domain).toBe('site-0.example')
  const refused = await customer.ask(path, packed([...domains, 'more.example']))
  expect([refused.status, refused.body.errors]).toMatchObject([
    422,
    { code: 'unprocessable_body', details: { parameter: 'domains' } },
  ])
  const long = { ...packed([]), body: new Uint8Array(gzipSync(' '.repeat(8 * 1024 * 1024 + 1))) }
  expect((await customer.ask(path, long)).body.errors.code).toBe('body_too_large')
})

test('a change adds and removes members, and keeps one that is in both lists', async () => {
  const customer = await service.customer()
  expect((await send(customer, 'PATCH', { add: ['luckyotter.example'] })).status).toBe(404)
  await put(customer, sites.slice(0, 2))
  const { status, body } = await send(customer, 'PATCH', {
    add: ['twofaced.example', 'redkite-casino.example', '?'],
    remove: ['luckyotter.example', 'redkite-casino.example', 'neverheard.example', '!'],
    note: 'card merchants',
  })
  expect(declaredData('change_portfolio')(body.data)).toBeNull()
  expect([status, body.data]).toMatchObject([
    200,
    {
      size: 2,
      added: 1,
      removed: 1,
      unresolved: [
        { index: 2, input: '?' },
        { index: 6, input: '!' },
      ],
    },
  ])
  const kept = (await members(customer)).domains.map((each: { domain: string }) => each.domain)
  expect(kept).toEqual(['redkite-casino.example', 'twofaced.example'])
  const shown = (await customer.ask(path)).body.data
  expect(declaredData('get_portfolio')(shown)).toBeNull()
  expect(shown).toMatchObject({ name: 'merchants', size: 2, note: 'card merchants' })
  await send(customer, 'PATCH', { remove: ['twofaced.example'] })
  expect((await customer.ask(path)).body.data).toMatchObject({ size: 1, note: 'card merchants' })
})

test('an account lists its portfolios by name, and a deleted one is missing', async () => {
  const customer = await service.customer()
  for (const name of ['zoo', 'ants']) await put(customer, sites, `/v1/portfolios/${name}`)
  const { portfolios } = (await customer.ask('/v1/portfolios')).body.data
  expect(declaredData('list_portfolios')({ portfolios })).toBeNull()
  expect(portfolios.map((each: { name: string }) => each.name)).toEqual(['ants', 'zoo'])
  const removed = await customer.ask('/v1/portfolios/zoo', { method: 'DELETE' })
  expect([removed.status, removed.body.data]).toEqual([200, { name: 'zoo' }])
  const again = await customer.ask('/v1/portfolios/zoo', { method: 'DELETE' })
  expect([again.status, again.body.errors.code]).toEqual([404, 'not_found'])
})

test('members cost 1 credit a row in the order in which they were added, page by page', async () => {
  const customer = await service.customer()
  await put(customer, sites)
  const first = await customer.ask(`${path}/members?page_size=3`)
  expect(declaredData('list_portfolio_members')(first.body.data)).toBeNull()
  expect(first.headers.get('x-credits-charged')).toBe('3')
  expect(first.body.data).toMatchObject({ total: 4, has_more: true, billing: { credits_charged: 3 } })
  expect(Buffer.from(first.body.data.next_cursor, 'base64url').toString()).not.toContain('example')
  const last = await members(customer, `?page_size=3&after=${first.body.data.next_cursor}`)
  expect(
    [...first.body.data.domains, ...last.domains].map(({ domain, verdict }) => [domain, verdict]),
  ).toEqual([
    ['luckyotter.example', 'licensed'],
    ['redkite-casino.example', 'blocklisted'],
    ['twofaced.example', 'mixed'],
    ['neverheard.example', 'no_record'],
  ])
  expect(last).toMatchObject({ has_more: false, next_cursor: null })
  const verdict = (await customer.ask('/v1/domains/resolve?domain=twofaced.example')).body.data
  expect(last.domains.length).toBe(1)
  expect(first.body.data.domains[2]).toEqual({
    domain: 'twofaced.example',
    verdict: verdict.verdict,
    licensed_by: verdict.licensed_by,
    blocked_by: verdict.blocked_by,
  })

  const capped = await customer.ask(`${path}/members?max_credits=3`)
  expect([capped.status, capped.body.errors.code]).toEqual([402, 'max_credits_exceeded'])
  await put(customer, sites, '/v1/portfolios/other')
  const ofOther = await customer.ask(`/v1/portfolios/other/members?after=${first.body.data.next_cursor}`)
  expect([ofOther.status, ofOther.body.errors.code]).toEqual([400, 'cursor_filter_mismatch'])
  const altered = await customer.ask(`${path}/members?after=pm1_x`)
  expect([altered.status, altered.body.errors.code]).toEqual([400, 'invalid_cursor'])
  await put(customer, [])
  const empty = await customer.ask(`${path}/members`)
  expect([empty.body.data.domains, empty.headers.get('x-credits-charged')]).toEqual([[], '0'])
  const poor = await service.customer({ credits: 1 })
  await put(poor, sites)
  expect((await poor.ask(`${path}/members`)).body.errors.code).toBe('quota_exceeded')
  const key = { 'idempotency-key': 'members' }
  await put(customer, sites)
  await customer.ask(`${path}/members`, { headers: key })
  const reused = await customer.ask(`${path}/members?page_size=2`, { headers: key })
  expect(reused.body.errors.code).toBe('idempotency_key_reused')
})

test("another account's portfolio answers exactly as a missing one", async () => {
  const owner = await service.customer()
  const stranger = await service.customer()
  await put(owner, sites, '/v1/portfolios/secret')
  const answers = async (name: string) => {
    const at = `/v1/portfolios/${name}`
    const patch = await send(stranger, 'PATCH', { add: [] }, at)
    const others = await Promise.all([
      stranger.ask(at),
      stranger.ask(`${at}/members`),
      stranger.ask(at, { method: 'DELETE' }),
    ])
    return [patch, ...others].map(({ status, body }) => [status, body.errors.code, body.message])
  }
  const [theirs, missing] = [await answers('secret'), await answers('nothing')]
  expect(JSON.stringify(theirs).replaceAll('secret', 'nothing')).toBe(JSON.stringify(missing))
  expect(missing.map(([status]) => status)).toEqual([404, 404, 404, 404])
  expect((await owner.ask('/v1/portfolios/secret')).body.data.size).toBe(4)
})

test.each(['Merchants', 'a.example', '-x', 'x'.repeat(65)])('the name %s is refused with 400', async name => {
  const customer = await service.customer()
  const { status, body } = await put(customer, sites, `/v1/portfolios/${name}`)
  expect([status, body.errors.details.parameter]).toEqual([400, 'name'])
})

test('an account has at most 100 portfolios and 1,000,000 members', async () => {
  const customer = await service.customer()
  await put(customer, sites)
  const run = (text: string) => withClient(service.database.connection, client => client.query(text))
  const ofAccount = `account_id = (select id from accounts where account_ref = '${customer.accountRef}')`
  await run(`update portfolios set size = 999999 where ${ofAccount}`)
  const members = await send(customer, 'PATCH', { add: ['one.example', 'two.example'] })
  expect([members.status, members.body.errors]).toMatchObject([
    409,
    { code: 'portfolio_limit', details: { limit: 1_000_000, counted: 'members' } },
  ])
  expect((await send(customer, 'PATCH', { add: ['one.example'] })).status).toBe(200)
  await run(`update portfolios set size = 5 where ${ofAccount}`)
  await run(`insert into portfolios (account_id, name, created_at, changed_at)
             select id, 'p' || number, now(), now() from accounts, generate_series(1, 99) number
              where account_ref = '${customer.accountRef}'`)
  const more = await put(customer, sites, '/v1/portfolios/more')
  expect([more.status, more.body.errors.details]).toEqual([409, { limit: 100, counted: 'portfolios' }])
  expect((await put(customer, sites)).status).toBe(200)
  expect((await customer.ask('/v1/portfolios/more')).status).toBe(404)
})

test('neither names nor members of portfolios are in usage records, logs or dumps', async () => {
  const customer = await service.customer()
  const secret = 'zebubet'
  const at = `/v1/portfolios/${secret}`
  const site = `${secret}.example`
  await put(customer, [site, `not ${site}`], at)
  await send(customer, 'PATCH', { add: [site], remove: [site], wrong: site }, at)
  await send(customer, 'PATCH', { add: [{ site }] }, at)
  await put(customer, [site], `/v1/portfolios/${site}`)
  await customer.ask(at)
  const { next_cursor: cursor } = await members(customer, '?page_size=1', at)
  expect(cursor).toBeNull()
  await customer.ask(`${at}/members?after=${site}`)
  await customer.ask(`${at}/members?max_credits=0`)
  await customer.ask(at, { method: 'DELETE' })
  await service.service.usage.flush()
  await put(customer, [site], at)
  const usage = await withClient(service.database.connection, client =>
    client.query(
      "select endpoint, usage_records::text as text from usage_records where endpoint like '%portfolio%'",
    ),
  )
  expect(usage.rows.length).toBeGreaterThan(8)
  expect(JSON.stringify(usage.rows)).not.toContain(secret)
  expect(logged.join('')).not.toContain(secret)
  const lines: string[] = []
  await dumpWorld(service.service.live, line => void lines.push(line))
  expect(lines.join('\n')).not.toContain(secret)
  expect((await service.ask('/metrics')).text).not.toContain(secret)
})

test('the portfolios of an account go with the account', async () => {
  const customer = await service.customer({ plan: 'internal' })
  await put(customer, ['leaving.example'])
  await withClient(service.database.connection, async client => {
    const account = '(select id from accounts where account_ref = $1)'
    for (const table of ['api_keys', 'account_balances'])
      await client.query(`delete from ${table} where account_id = ${account}`, [customer.accountRef])
    await client.query('delete from accounts where account_ref = $1', [customer.accountRef])
    const { rows } = await client.query("select from portfolio_members where domain = 'leaving.example'")
    expect(rows).toEqual([])
  })
})

test('the demo key reads its portfolio and cannot change it', async () => {
  const demo: Customer = {
    accountRef: '',
    key: 'client_demo',
    ask: (at, asked = {}) => service.ask(at, { key: 'client_demo', ...asked }),
  }
  const { portfolios } = (await demo.ask('/v1/portfolios')).body.data
  expect(portfolios).toMatchObject([{ name: 'merchants', size: 4 }])
  expect((await members(demo)).billing).toMatchObject({ credits_charged: 4, billing_reason: 'simulated' })
  const writes = [put(demo, sites), send(demo, 'PATCH', { add: sites }), demo.ask(path, { method: 'DELETE' })]
  for (const { status, body } of await Promise.all(writes))
    expect([status, body.errors.code]).toEqual([403, 'demo_key_restricted'])
})
