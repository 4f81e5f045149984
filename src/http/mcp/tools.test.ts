import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, connectAgent, type Era, eras } from '../../../test/harness/agent.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { catalogue } from '../../catalogue.ts'
import { usageOverview } from '../../features/account/index.ts'
import { noRecordMeaning } from '../../features/domains/index.ts'
import { tools } from '../../mcp/index.ts'
import { pricesOf } from '../../mcp/tool.ts'
import { prices } from '../../metering/pricing.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())

async function agentOf(
  era: Era,
  options: { credits?: number } = {},
): Promise<Agent & { customer: Customer }> {
  const customer = await service.customer(options)
  return { ...(await connectAgent(service, { key: customer.key, era })), customer }
}

const toolNames = [
  'check_domain',
  'check_domains',
  'find_domains',
  'find_companies',
  'get_company',
  'get_people',
  'get_license',
  'find_licenses',
  'watch_changes',
  'find_logo',
  'account',
  'quote',
]

/** One call of every tool. */
const calls: Record<string, Record<string, unknown>> = {
  check_domain: { domain: 'luckyotter.example' },
  check_domains: { domains: ['luckyotter.example', 'redkite-casino.example'] },
  find_domains: { verdict: 'blocklisted', geo: 'poland' },
  find_companies: { q: 'otter', pay: true },
  get_company: { domain: 'luckyotter.example' },
  get_license: { license_number: 'MGA/B2C/9901/2019', jurisdiction: 'mga' },
  find_licenses: { jurisdiction: 'mga', pay: true },
  watch_changes: { feed: 'register_changes', jurisdiction: 'czechia' },
  find_logo: { q: 'lucky' },
  account: {},
  quote: { tool: 'check_domain', arguments: { domain: 'luckyotter.example' } },
}

const checkerOf = (schema: object) => new Ajv2020({ allowUnionTypes: true }).compile(schema)

describe.each(eras)('tools with the %s protocol', era => {
  test('every tool reports the charge and the remaining credits', async () => {
    const agent = await agentOf(era)
    let remaining = 1_000
    const company = await agent.call('get_company', { domain: 'luckyotter.example' })
    remaining -= company.data.credits_charged
    const { company_ref } = company.data.companies[0]
    for (const [tool, args] of Object.entries({ ...calls, get_people: { company_ref, limit: 1 } })) {
      const { data, sentence, isError, meta } = await agent.call(tool, args)
      expect([tool, isError]).toEqual([tool, false])
      remaining -= data.credits_charged
      expect(data).toMatchObject({ credits_remaining: remaining })
      expect(meta).toMatchObject({
        'baize/credits_charged': data.credits_charged,
        'baize/credits_remaining': remaining,
      })
      const unit = data.credits_charged === 1 ? 'credit' : 'credits'
      expect(sentence).toContain(`${data.credits_charged} ${unit} charged; ${remaining} remaining.`)
    }
    expect((await agent.customer.ask('/v1/account')).body.data.available_credits).toBe(remaining)
    await agent.close()
  })

  test('the results of every tool fit its output schema, which declares all their members', async () => {
    const agent = await agentOf(era)
    const { tools: listed } = await agent.client.listTools()
    const company = await agent.call('get_company', { domain: 'luckyotter.example' })
    const { company_ref } = company.data.companies[0]
    await agent.customer.ask('/v1/portfolios/merchants', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ domains: ['luckyotter.example'] }),
    })
    const further: [tool: string, args: Record<string, unknown>][] = [
      ['get_people', { company_ref, limit: 1 }],
      ['get_people', { company_ref, count_only: true }],
      ['find_companies', { q: 'otter' }],
      ['find_licenses', { jurisdiction: 'mga' }],
      ['check_domain', { domain: 'neverheard.example' }],
      ['watch_changes', { feed: 'market_entries', market: 'ukgc' }],
      ['watch_changes', { feed: 'portfolio', name: 'merchants', page_size: 5 }],
      ['get_company', { company_ref }],
    ]
    const called = new Set<string>()
    for (const [tool, args] of [...Object.entries(calls), ...further]) {
      const { outputSchema } = listed.find(({ name }) => name === tool) ?? {}
      // The client compares the result with the schema as listed; here further members fail, too.
      const { structuredContent } = await agent.client.callTool({ name: tool, arguments: args })
      const closed = checkerOf({ ...outputSchema, additionalProperties: false })
      expect([tool, closed(structuredContent), closed.errors]).toEqual([tool, true, null])
      called.add(tool)
    }
    expect([...called].toSorted()).toEqual(toolNames.toSorted())
    await agent.close()
  })

  test('refused calls fit the output schema, because some clients validate them, too', async () => {
    const agent = await agentOf(era)
    const { tools: listed } = await agent.client.listTools()
    for (const { name, outputSchema } of listed) {
      const { data } = await agent.call(name, { surely_unknown: 1 })
      const fits = checkerOf({ ...outputSchema })
      expect([name, data.code, fits(data), fits.errors]).toEqual([name, 'unknown_parameter', true, null])
    }
    await agent.close()
  })

  test('an agent asks for the verdict of another day as it was known then', async () => {
    const agent = await agentOf(era)
    const domain = 'redshankraceways.example'
    const days = { as_of: '2026-10-15', known_at: new Date().toISOString().slice(0, 10) }
    expect((await agent.call('check_domain', { domain, ...days })).data).toMatchObject({
      ...{ verdict: 'licensed', ...days },
    })
    expect((await agent.call('check_domain', { domain })).data).toMatchObject({ verdict: 'no_record' })
    const { data } = await agent.call('check_domains', { domains: [domain], ...days })
    expect(data.verdicts).toMatchObject([{ verdict: 'licensed' }])
    await agent.close()
  })

  test('the structured content of a tool result equals its text, even of a replay or a refusal', async () => {
    const agent = await agentOf(era)
    const meta = { _meta: { 'baize/idempotency_key': 'both-forms' } }
    const domains = ['luckyotter.example', 'neverheard.example', 'quoted"\n.example']
    for (const call of [
      { name: 'check_domains', arguments: { domains }, ...meta },
      { name: 'check_domains', arguments: { domains }, ...meta },
      { name: 'check_domain', arguments: { domain: '10.0.0.1' } },
    ]) {
      const { content, structuredContent } = await agent.client.callTool(call)
      expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toEqual(structuredContent)
      expect(structuredContent).toMatchObject({ credits_charged: expect.any(Number) })
    }
    await agent.close()
  })

  test('the usage record of a tool call has the tool, the client, the session and the key', async () => {
    const agent = await agentOf(era)
    await agent.call('check_domain', { domain: 'luckyotter.example' })
    await agent.call('account')
    await service.service.usage.flush()
    const { live } = service.service
    const { records } = await usageOverview(live, agent.customer.accountRef, { now: new Date() })
    const recorded = {
      source: 'mcp',
      mcp_client_name: 'test-agent',
      mcp_client_version: '9.8.7',
      connector_session_id: era === 'legacy' ? expect.stringMatching(/^[0-9A-Za-z]{20}$/) : null,
    }
    expect(records).toMatchObject([
      { ...recorded, endpoint: 'show_account', mcp_tool_name: 'account', credits: 0 },
      { ...recorded, endpoint: 'resolve_domain', mcp_tool_name: 'check_domain', credits: 1 },
    ])
    await agent.close()
  })
})

describe('the definitions of tools', () => {
  test('there are 12 tool definitions, the same for both protocols', async () => {
    const lists = await Promise.all(
      eras.map(async era => {
        const agent = await agentOf(era)
        const { tools } = await agent.client.listTools()
        await agent.close()
        return tools
      }),
    )
    expect(lists[0]).toEqual(lists[1])
    expect(lists[0]?.map(({ name }) => name)).toEqual(toolNames)
    // The limit assumes 3.5 characters a token. test/clients counts the tokens themselves.
    expect(JSON.stringify(lists[0]).length).toBeLessThan(21_000)
  })

  test('every tool says that it changes nothing, so that hosts need not ask before each call', async () => {
    const agent = await agentOf('modern')
    const { tools: listed } = await agent.client.listTools()
    for (const { annotations } of listed)
      expect(annotations).toEqual({ readOnlyHint: true, openWorldHint: false })
    await agent.close()
  })

  test('tool definitions derive their parameters, descriptions and prices from the operations', async () => {
    const agent = await agentOf('modern')
    const { tools: listed } = await agent.client.listTools()
    for (const tool of tools) {
      const definition = listed.find(({ name }) => name === tool.name)
      const properties = definition?.inputSchema.properties ?? {}
      const called = catalogue.filter(({ name }) => operationsOf(tool).includes(name))
      for (const parameter of tool.parameters) {
        const declared = called
          .map(each => ({ ...each.query.properties, ...each.params?.properties, ...each.body?.properties }))
          .find(each => parameter in each)?.[parameter] as { type: string; description?: string }
        const shown = properties[parameter.replace('[]', '')] as { type: string; description?: string }
        expect(shown.type).toBe(declared.type)
        if (declared.description !== undefined)
          expect(shown.description?.slice(0, 12)).toBe(declared.description.slice(0, 12))
      }
      const keys = pricesOf(tool, catalogue)
      for (const price of keys) {
        expect(called.some(each => each.prices.includes(price))).toBe(true)
        expect(definition?.title).toContain(`${prices[price].credits} credit`)
      }
      expect(definition?._meta?.['baize/price'] ?? []).toEqual(keys.map(key => ({ key, ...prices[key] })))
      const title = definition?.title ?? ''
      expect(definition?.description).toContain(`Price: ${title.slice(title.lastIndexOf('(') + 1, -1)}.`)
    }
    const { inputSchema } = listed.find(({ name }) => name === 'check_domain') ?? {}
    expect(Object.keys(inputSchema?.properties ?? {})).toEqual(['domain', 'as_of', 'known_at', 'max_credits'])
    expect(inputSchema?.required).toEqual(['domain'])
    await agent.close()
  })

  const operationsOf = ({ operation }: (typeof tools)[number]) =>
    typeof operation === 'string' ? [operation] : Object.values(operation.of)
})

describe('the answer of a tool', () => {
  let agent: Agent & { customer: Customer }
  beforeAll(async () => {
    agent = await agentOf('modern')
  })
  afterAll(() => agent.close())

  test('a tool returns the same data as its operation', async () => {
    const { ask } = agent.customer
    const [tool, http] = await Promise.all([
      agent.call('check_domain', { domain: 'https://www.TwoFaced.example/play' }),
      ask('/v1/domains/resolve?domain=https://www.TwoFaced.example/play'),
    ])
    const { checked: _one, billing: _bill, credits_remaining: _left, ...answered } = tool.data
    const { checked: _other, billing: _billed, ...expected } = http.body.data
    expect(answered).toEqual(expected)
    const feed = await agent.call('watch_changes', { feed: 'market_entries', market: 'ukgc' })
    const page = await ask('/v1/signals/market-entries?role=operator&market=ukgc')
    expect(feed.data.signals).toEqual(page.body.data.signals)
  })

  test('a tool explains no_record only in results that contain the verdict no_record', async () => {
    const one = await agent.call('check_domain', { domain: 'neverheard.example' })
    const many = await agent.call('check_domains', { domains: ['luckyotter.example', 'neverheard.example'] })
    for (const { data, sentence } of [one, many]) {
      expect(data.note).toBe(noRecordMeaning)
      expect(sentence).toContain(noRecordMeaning)
    }
    expect((await agent.call('check_domain', { domain: 'luckyotter.example' })).data).not.toHaveProperty(
      'note',
    )
  })

  test.each(['find_companies', 'find_licenses'])('the tool %s is free unless pay is true', async tool => {
    for (const args of [{}, { pay: false }, { pay: null }]) {
      const { data } = await agent.call(tool, { ...args, jurisdiction: 'mga' })
      expect(data).toMatchObject({
        credits_charged: 0,
        total_count: expect.any(Number),
        sample: expect.any(Array),
      })
    }
    const paid = await agent.call(tool, { pay: true, jurisdiction: 'mga', page_size: 1 })
    expect(paid.data).toMatchObject({ credits_charged: 1, hits: [expect.any(Object)] })
  })

  test('a tool explains an invalid call in its result, so that the model can correct the call', async () => {
    const wrong: [tool: string, args: Record<string, unknown>, code: string, message: string][] = [
      ['check_domain', {}, 'missing_parameter', '"domain" is required.'],
      ['check_domain', { domain: '10.0.0.1' }, 'invalid_domain', 'IP address'],
      ['check_domain', { domain: 'a.example', include: ['logos'] }, 'unknown_parameter', '"include"'],
      ['check_domain', { domian: 'a.example' }, 'unknown_parameter', 'did you mean "domain"?'],
      ['check_domain', { domain: 'a.example', max_credits: 'x' }, 'invalid_parameter', '"max_credits"'],
      ['check_domain', { domain: { a: 1 } }, 'invalid_parameter', 'a plain value'],
      ['check_domains', { domains: 'a.example' }, 'unprocessable_body', '"domains"'],
      ['find_companies', { pay: 'maybe' }, 'invalid_parameter', '"pay" must be one of false, true.'],
      ['find_companies', { platform: 'x' }, 'unknown_parameter', '"platform"'],
      ['watch_changes', {}, 'missing_parameter', '"feed" is required'],
      ['watch_changes', { feed: 'constructor' }, 'invalid_parameter', '"feed" must be'],
      ['watch_changes', { feed: 'register_changes', jurisdiction: 'ukg' }, 'invalid_parameter', 'ukgc'],
      ['get_company', { domain: 'neverheard.example' }, 'not_found', '"neverheard.example"'],
      ['get_company', { name: 'otter' }, 'not_found', 'find_companies with q "otter" counts them, free.'],
      ['get_license', { license_number: '099101-R' }, 'not_found', 'find_licenses with q "099101-R"'],
      ['quote', { tool: 'account' }, 'invalid_parameter', '"tool" must be one of check_domain'],
      ['quote', { tool: 'check_domain', args: {} }, 'unknown_parameter', '"args"'],
    ]
    for (const [tool, args, code, message] of wrong) {
      const { data, isError, sentence } = await agent.call(tool, args)
      expect([tool, args, isError, data.code, data.credits_charged]).toEqual([tool, args, true, code, 0])
      expect(data.message).toContain(message)
      expect(sentence).toContain('0 credits charged')
    }
    await expect(agent.call('delete_everything')).rejects.toThrow('There is no tool "delete_everything".')
  })
})

test('the demo key can call tools with its documented requests, without a charge', async () => {
  const agent = await connectAgent(service, { key: 'client_demo', era: 'modern' })
  const { data } = await agent.call('check_domain', { domain: 'luckyotter.example' })
  expect(data).toMatchObject({ verdict: 'licensed', demo: true, simulated: true, credits_charged: 0 })
  const people = await agent.call('get_people', { company_ref: 'co_d01f236ab1748d78740a', limit: 3 })
  expect(people.data).toMatchObject({ available: true, credits_charged: 0 })
  const other = await agent.call('check_domain', { domain: 'bet365.com' })
  expect(other).toMatchObject({ isError: true, data: { code: 'demo_key_restricted' } })
  await agent.close()
})
