import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../../../src/catalogue.ts'
import { demoKey } from '../../../src/core/api-key.ts'
import type { AnyOperation, DemoTemplate } from '../../../src/core/operation.ts'
import type { World } from '../../../src/database/open.ts'
import { fullResult } from '../../../src/features/prospect-lists/fixture.ts'
import { createProspectList, deliverProspectList } from '../../../src/features/prospect-lists/index.ts'
import { templatePath } from '../../../src/http/answer/demo-templates.ts'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { Baize, type Call, type Reply } from '../src/index.ts'

let service: TestService
let demo: Baize
beforeAll(async () => {
  service = await startService({ world: 'demo_key' })
  demo = clientOf(demoKey)
})
afterAll(() => service.close())

const clientOf = (apiKey: string) => new Baize({ apiKey, baseUrl: service.url })

const methodOf = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Calls an operation as an untyped program does. */
function callOf(baize: Baize, name: string, params: object): Call<unknown> {
  const methods = baize as unknown as Record<string, (params: object) => Call<unknown>>
  return methods[methodOf(name)]?.call(baize, params) as Call<unknown>
}

test('the client has a method for each operation of the API', () => {
  const missing = catalogue.filter(({ name }) => !(methodOf(name) in demo)).map(({ name }) => name)
  expect(missing).toEqual([])
})

/** Joins the parameters of a template; names of lists have no brackets. */
function paramsOf({ query, params, body }: DemoTemplate): object {
  const named = Object.entries(query).map(([name, value]) =>
    name.endsWith('[]') ? [name.slice(0, -2), [value].flat()] : [name, value],
  )
  return { ...Object.fromEntries(named), ...params, ...body }
}

function rawAnswer({ path, method, body }: AnyOperation<World>, template: DemoTemplate) {
  const sent = body === undefined ? {} : { body: JSON.stringify(template.body ?? {}) }
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  return service.ask(templatePath(path, template), { key: demoKey, method, headers, ...sent })
}

/** Removes the times of the answer itself. */
const timeless = (data: unknown) =>
  JSON.parse(
    JSON.stringify(data, (name, value) =>
      // A cursor of people has the time of its first page, and a receipt that of its answer.
      ['next_cursor', 'receipt'].includes(name) && value !== null
        ? `a ${name}`
        : ['as_of', 'generated_at', 'freshness_age_seconds', 'expires_at', 'requested_at'].includes(name)
          ? null
          : value,
    ),
  )

describe.each(catalogue.filter(({ demo: templates }) => templates.length > 0))('$name', operation => {
  test.each(operation.demo)(
    `the client's ${operation.name} answers as the API does: $title`,
    async template => {
      const reply: Reply<unknown> = await callOf(demo, operation.name, paramsOf(template)).withResponse()
      const raw = await rawAnswer(operation, template)
      expect(reply.response.status).toBe(raw.status)
      expect(reply.requestId).toBe(reply.response.headers.get('x-request-id'))
      if (operation.download !== undefined) expect(await (reply.data as Response).text()).toBe(raw.text)
      else expect(timeless(reply.data)).toEqual(timeless(raw.body.data))
    },
  )
})

const untried = catalogue.filter(({ demo: templates }) => templates.length === 0).map(({ name }) => name)

test('the client writes, changes and deletes a portfolio', async () => {
  const written = ['put_portfolio', 'change_portfolio', 'delete_portfolio']
  const tried = ['list_prospect_lists', 'show_prospect_list', 'download_prospect_list']
  expect(untried).toEqual(['list_lobby_changes', ...written, ...tried])
  const baize = clientOf((await service.customer()).key)
  const name = 'mine'
  const { response } = await baize.putPortfolio({ name, domains: ['luckyotter.example'] }).withResponse()
  expect(response.status).toBe(201)
  expect(await baize.changePortfolio({ name, add: ['twofaced.example'] })).toMatchObject({ size: 2 })
  const verdicts: string[] = []
  for await (const { verdict } of baize.listPortfolioMembers({ name })) verdicts.push(verdict)
  expect(verdicts).toEqual(['no_record', 'no_record'])
  expect(await baize.deletePortfolio({ name })).toMatchObject({ name })
})

test('the client lists and shows prospect lists', async () => {
  const customer = await service.customer()
  const baize = clientOf(customer.key)
  const now = new Date()
  const { prospect_list_ref: ref } = await createProspectList(service.service.live, customer.accountRef, {
    cadence: 'weekly',
    now,
  })
  await deliverProspectList(service.service.live, ref, { result: fullResult, now })
  const refs: string[] = []
  const lists = baize.listProspectLists({ cadence: 'weekly' }, { maxCredits: 0 })
  for await (const list of lists) refs.push(list.prospect_list_ref)
  expect(refs).toEqual([ref])
  expect((await baize.getProspectList({ prospect_list_ref: ref })).result?.schema_version).toBe(1)
  const file = await baize.downloadProspectList({ prospect_list_ref: ref })
  const raw = await customer.ask(`/v1/prospect-lists/${ref}/download`)
  expect([file.headers.get('content-type'), await file.text()]).toEqual(['text/csv; charset=utf-8', raw.text])
})

test('a download accepts a range, and answers 304 for a known file', async () => {
  const { response } = await demo
    .downloadExport({ id: 1 }, { headers: { range: 'bytes=0-5' } })
    .withResponse()
  expect([response.status, await response.text()]).toEqual([206, 'domain'])
  const etag = response.headers.get('etag') ?? ''
  const known = await demo.downloadExport({ id: 1 }, { headers: { 'if-none-match': etag } })
  expect([known.status, await known.text()]).toEqual([304, ''])
})

test('withResponse returns the charge, the balance, the raw text and the idempotency key', async () => {
  const { key } = await service.customer({ credits: 10 })
  const reply = await clientOf(key)
    .resolveDomain({ domain: 'one.example' }, { idempotencyKey: 'mine' })
    .withResponse()
  expect(reply).toMatchObject({
    creditsCharged: 1,
    creditsRemaining: 9,
    isReplay: false,
    idempotencyKey: 'mine',
  })
  expect(JSON.parse(reply.text)).toMatchObject({ success: true, data: reply.data })
  const free = await clientOf(key).getAccount().withResponse()
  expect(free).toMatchObject({ creditsCharged: null, creditsRemaining: null, idempotencyKey: null })
})

test('a call is sent only when it is awaited, and only once', async () => {
  const { key } = await service.customer({ credits: 10 })
  const baize = clientOf(key)
  baize.resolveDomain({ domain: 'never.example' })
  const call = baize.resolveDomain({ domain: 'once.example' })
  const [first, second] = await Promise.all([call, call.then(answer => answer)])
  expect(second).toBe(first)
  expect((await baize.getAccount()).credits_used).toBe(1)
})

test('parameters with lists, times, blanks and other scripts arrive unchanged', async () => {
  const { key } = await service.customer()
  const baize = clientOf(key)
  const changes = await baize.listRegisterChanges({
    jurisdiction: 'ukgc',
    event_type: ['revoked', 'added_to_register'],
    published_legal_name: 'Žralok & Söhne + 漢字 100 %',
  })
  expect(changes.query).toMatchObject({
    event_type: ['added_to_register', 'revoked'],
    published_legal_name: 'Žralok & Söhne + 漢字 100 %',
  })
  const since = '2026-01-01T00:00:00+02:00'
  expect((await baize.searchDomains({ verdict: 'licensed', since, geo: undefined })).total).toBe(0)
})

test('the usage record names the client', async () => {
  const customer = await service.customer()
  await clientOf(customer.key).resolveDomain({ domain: 'named.example' })
  const { database } = service.service.live
  const records = await database
    .selectFrom('usage_records')
    .innerJoin('accounts', 'accounts.id', 'account_id')
    .where('account_ref', '=', customer.accountRef)
    .select('client_version')
    .execute()
  expect(records).toEqual([{ client_version: expect.stringMatching(/^baize-api\/\d/) }])
})
