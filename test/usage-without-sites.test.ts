import type { TSchema } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../src/catalogue.ts'
import type { AnyOperation } from '../src/core/operation.ts'
import type { World } from '../src/database/open.ts'
import { usageOverview } from '../src/features/account/index.ts'
import { runCommandHere } from './harness/command.ts'
import { type Customer, startService, type TestService } from './harness/service.ts'

// Tests that usage records do not show requested sites, whichever parameter named them (§2.15).

let service: TestService
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())

const forms = [
  'zebubet.example',
  'ZEBUBET.Example',
  'zebubet.example.',
  'zebubet.example casino',
  'casino  zebubet.example\t',
  '"zebubet.example" casino',
  '‘zebubet.example’, casino',
  '(zebubet.example)',
  'zebubet.example,other.example',
  'site:zebubet.example',
  'www.zebubet.example:8443',
  'zebubet-.example',
  'https://www.zebubet.example/zebubet?zebubet=zebubet#zebubet',
  'https://zebubet:zebubet@zebubet.example/ casino',
  '//zebubet.example',
  'http:\\\\zebubet.example',
  'ottilie@zebubet.example',
  'write to ottilie@zebubet.example',
  'zebübet.example',
  'xn--zebbet-7ya.example casino',
  'ｚｅｂｕｂｅｔ．ｅｘａｍｐｌｅ',
  'zebubet。example casino',
  'zebu\u00adbet.example',
  'zebubet\u200b.example',
  'zebubet.онлайн',
  'zebubet.xn--80asehdb',
  'zebubet%2Eexample',
  'zebubet[.]example casino',
  '203.0.113.77',
  'casino 203.0.113.77:8080',
  '2001:db8::77',
  'http://[2001:db8::77]:80/',
] as const
const planted = /z\s*e\s*b|ｚ|7ya|203\.0\.113|db8/i

const propertiesOf = (schema: TSchema | undefined) =>
  Object.entries((schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {})

/** Returns requests with a site in each parameter, in all of them, and as a parameter's name. */
function requestsOf(operation: AnyOperation<World>, site: string) {
  const [template] = operation.demo
  const query = propertiesOf(operation.query).map(([name]) => name)
  const fill = (params: Record<string, string>) =>
    operation.path.replaceAll(/\{([a-z_]+)\}/g, (_, name) => encodeURIComponent(params[name] ?? '1'))
  const known = template?.params ?? {}
  const path = fill(known)
  const queryOf = (sent: Record<string, string>) =>
    new URLSearchParams({ ...(template?.query as Record<string, string>), ...sent })
  const inQuery = (sent: Record<string, string>) => ({
    path: `${path}?${queryOf(sent)}`,
    body: template?.body,
  })
  const members = propertiesOf(operation.body)
  const inBody = (body: unknown) => ({ path, body })
  return [
    ...query.map(name => inQuery({ [name]: site })),
    inQuery(Object.fromEntries(query.map(name => [name, site]))),
    inQuery({ [site]: '1' }),
    ...propertiesOf(operation.params).map(([name]) => ({
      path: fill({ ...known, [name]: site }),
      body: undefined,
    })),
    ...(operation.body === undefined
      ? []
      : [
          inBody(site),
          inBody([site]),
          inBody({ [site]: site }),
          ...members.flatMap(([name, schema]) => [
            inBody({ [name]: site }),
            inBody({ [name]: [site, { [site]: site }] }),
            ...propertiesOf(schema).map(([inner]) => inBody({ [name]: { [inner]: site, [site]: [site] } })),
            inBody({ [name]: { unknown: { deeper: [site] } }, max_credits: site }),
          ]),
        ]),
  ]
}

async function shownTo(customer: Customer): Promise<{ records: unknown[]; text: string }> {
  await service.service.usage.flush()
  const records: unknown[] = []
  const now = new Date(Date.now() + 60_000)
  for (let page = 1; ; page++) {
    const overview = await usageOverview(service.service.live, customer.accountRef, {
      page,
      perPage: 50,
      now,
      asOf: now,
    })
    records.push(...overview.records)
    if (!overview.has_more) return { records, text: JSON.stringify(records) }
  }
}

describe.each(catalogue)('the operation $name', operation => {
  test(`usage records of ${operation.name} show no site, whichever parameter named it`, async () => {
    const customer = await service.customer({ credits: 100_000 })
    const requests = forms.flatMap(site => requestsOf(operation, site))
    const send = ({ path, body }: (typeof requests)[number]) =>
      customer.ask(path, {
        method: operation.method,
        ...(operation.method === 'GET'
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
      })
    for (let at = 0; at < requests.length; at += 16) await Promise.all(requests.slice(at, at + 16).map(send))
    const { records, text } = await shownTo(customer)
    expect(records).toHaveLength(requests.length)
    expect(text.match(new RegExp(`.{0,200}(?:${planted.source}).{0,80}`, 'i'))?.[0]).toBeUndefined()
  })
})

test('the commands for usage and statement do not show sites', async () => {
  const customer = await service.customer({ credits: 100 })
  for (const site of forms) await customer.ask(`/v1/licenses/search?q=${encodeURIComponent(site)}`)
  await customer.ask('/v1/domains/resolve?domain=zebubet.example', {
    headers: { 'x-request-id': 'request-1' },
  })
  await service.service.usage.flush()
  const environment = { DATABASE_URL: service.database.url }
  for (const command of [
    ['usage', '--compact'],
    ['usage', '--per-page', '50'],
    ['statement'],
    ['statement', '--csv'],
  ])
    for (const json of [[], ['--json']]) {
      if (command.includes('--csv') && json.length > 0) continue
      const [verb = '', ...options] = command
      const { code, stdout, stderr } = await runCommandHere(
        ['account', verb, customer.accountRef, ...options, ...json],
        environment,
      )
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain(verb === 'usage' ? 'search_licenses' : 'request-1')
      expect(stdout).not.toMatch(planted)
    }
})

test('usage keeps other words of a request, and cleans a refused body like refused parameters', async () => {
  const customer = await service.customer()
  await customer.ask(`/v1/companies/search?q=${encodeURIComponent('zebubet.example casino Ltd. S.A. 1.4')}`)
  const post = (body: string) =>
    customer.ask('/v1/exports', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const refused = [
    '{"export_format":"xml","filters":{"geo_hint":"DK","domain_after":"zebubet.example"},"api_key":"x"}',
    '{"max_rows":0,"filters":{"supplier_brand":"from ottilie@zebubet.example"}}',
    '{"filters":{"supplier_brand":"\\ud800"}}',
    `{"filters":{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`,
    '["csv"]',
  ]
  for (const body of refused) expect((await post(body)).status, body.slice(0, 80)).toBeGreaterThanOrEqual(400)
  const { records } = await shownTo(customer)
  const nested = (depth: number): unknown => (depth === 0 ? '[nested]' : [nested(depth - 1)])
  expect(records.map(record => (record as { request_params: unknown }).request_params).reverse()).toEqual([
    expect.objectContaining({ q: '[filtered] casino Ltd. S.A. 1.4' }),
    { export_format: 'xml', filters: { geo_hint: 'DK' }, api_key: '[filtered]' },
    { max_rows: 0, filters: { supplier_brand: '[filtered]' } },
    { filters: { supplier_brand: '\ufffd' } },
    { filters: { x: nested(31) } },
    { body: ['csv'] },
  ])
})
