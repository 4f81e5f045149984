import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectAgent, type Era, eras } from '../../../test/harness/agent.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'

let service: TestService
let days = 0
beforeAll(async () => {
  const now = () => new Date(Date.now() + days * 86_400_000)
  service = await startService({ world: 'demo_with_registers', now })
})
afterAll(() => service.close())

async function agentWith(era: Era, budget?: number | string, customer?: Customer) {
  const owner = customer ?? (await service.customer())
  const options = { key: owner.key, era, ...(budget === undefined ? {} : { budget }) }
  return { customer: owner, ...(await connectAgent(service, options)) }
}

const used = async ({ ask }: Customer) => (await ask('/v1/account')).body.data.credits_used
const verdict = { domain: 'luckyotter.example' }
const threeRows = { verdict: 'blocklisted', per_page: 3 }

describe('a budget with a session', () => {
  test('50 simultaneous calls of a session do not exceed its budget', async () => {
    const agent = await agentWith('legacy', 20)
    const answers = await Promise.all(Array.from({ length: 50 }, () => agent.call('find_domains', threeRows)))
    const charged = answers.filter(({ isError }) => !isError)
    expect(charged).toHaveLength(6)
    for (const { data } of charged)
      expect(data).toMatchObject({ credits_charged: 3, budget_scope: 'session' })
    const refused = answers.filter(({ isError }) => isError)
    for (const { data } of refused)
      expect(data).toMatchObject({
        code: 'budget_exceeded',
        details: { quoted_credits: 3, budget: 20, budget_scope: 'session' },
        credits_charged: 0,
      })
    expect(await used(agent.customer)).toBe(18)
    const last = await agent.call('check_domain', verdict)
    expect(last.data).toMatchObject({ credits_charged: 1, budget: 20, budget_remaining: 1 })
    expect(last.sentence).toContain("1 of the session's budget of 20 left")
    await agent.close()
  })

  test('a budget includes what its session spent before, and nothing of other sessions', async () => {
    const { customer, transport, close } = await agentWith('legacy')
    const session = { 'mcp-session-id': transport.sessionId ?? '' }
    const free = await callRaw(customer, session)
    expect(free.data).toMatchObject({ credits_charged: 1 })
    expect(free.data).not.toHaveProperty('budget')
    const bounded = { ...session, 'x-baize-budget': '2' }
    expect((await callRaw(customer, bounded)).data).toMatchObject({ budget: 2, budget_remaining: 0 })
    expect((await callRaw(customer, bounded)).data).toMatchObject({ code: 'budget_exceeded' })
    const other = await agentWith('legacy', 2, customer)
    expect((await other.call('check_domain', verdict)).data).toMatchObject({ budget_remaining: 1 })
    await Promise.all([close(), other.close()])
  })

  test('a budget that is given at the start of a session also limits calls without the header', async () => {
    const { customer, transport, close } = await agentWith('legacy', 1)
    const session = { 'mcp-session-id': transport.sessionId ?? '' }
    expect((await callRaw(customer, session)).data).toMatchObject({ budget: 1, budget_remaining: 0 })
    expect((await callRaw(customer, session)).data).toMatchObject({ code: 'budget_exceeded' })
    await close()
  })

  test('the budget of a single call can lower the budget of its session, and never raise it', async () => {
    const { customer, transport, close } = await agentWith('legacy', 2)
    const session = { 'mcp-session-id': transport.sessionId ?? '' }
    const withBudget = (budget: string) => callRaw(customer, { ...session, 'x-baize-budget': budget })
    expect((await withBudget('0')).data).toMatchObject({ code: 'budget_exceeded' })
    expect((await withBudget('1')).data).toMatchObject({ budget: 1, budget_remaining: 0 })
    expect((await withBudget('1')).data).toMatchObject({ code: 'budget_exceeded' })
    expect((await withBudget('1000')).data).toMatchObject({ budget: 2, budget_remaining: 0 })
    expect((await withBudget('1000')).data).toMatchObject({
      code: 'budget_exceeded',
      details: { budget: 2, budget_scope: 'session' },
    })
    expect(await used(customer)).toBe(2)
    await close()
  })

  test('a replay uses nothing of the budget of its session', async () => {
    const agent = await agentWith('legacy', 1)
    const meta = { 'baize/idempotency_key': 'budgeted-once' }
    for (const charged of [1, 0, 0])
      expect((await agent.call('check_domain', verdict, meta)).data).toMatchObject({
        credits_charged: charged,
        budget_remaining: 0,
      })
    await agent.close()
  })
})

describe('a budget without a session', () => {
  test('a budget without a session bounds each call alone, and the result reports that', async () => {
    const agent = await agentWith('modern', 3)
    for (let call = 0; call < 3; call++) {
      const { data, sentence } = await agent.call('find_domains', threeRows)
      expect(data).toMatchObject({ credits_charged: 3, budget: 3, budget_scope: 'call' })
      expect(sentence).toContain('the budget of 3 bounds this call alone')
    }
    const refused = await agent.call('find_domains', { ...threeRows, per_page: 4, max_credits: 100 })
    expect(refused.data).toMatchObject({
      code: 'budget_exceeded',
      details: { quoted_credits: 4, budget: 3, budget_scope: 'call' },
    })
    expect(await used(agent.customer)).toBe(9)
    await agent.close()
  })
})

describe.each(eras)('a budget with the %s protocol', era => {
  test('a call that is refused under a budget says how many rows would fit, and that call fits', async () => {
    const agent = await agentWith(era, 2)
    const rows = { verdict: 'blocklisted' }
    const { data, sentence } = await agent.call('find_domains', rows)
    expect(data).toMatchObject({ code: 'budget_exceeded', credits_charged: 0 })
    expect(sentence).toContain('per_page: 2 would fit.')
    const { tools } = await agent.client.listTools()
    const { inputSchema } = tools.find(({ name }) => name === 'find_domains') ?? {}
    expect(JSON.stringify(inputSchema?.properties)).toContain('Send fewer to fit a small budget.')
    const fitting = await agent.call('find_domains', { ...rows, per_page: 2 })
    expect(fitting.data).toMatchObject({ credits_charged: 2 })
    await agent.close()
  })

  test.each([
    ['find_companies', { pay: true }, 'page_size: 3 would fit.'],
    ['find_licenses', { pay: true }, 'page_size: 3 would fit.'],
    ['find_domains', { verdict: 'blocklisted' }, 'per_page: 3 would fit.'],
  ])('the tool %s without a number of rows asks for what max_credits pays for', async (tool, args, said) => {
    const agent = await agentWith(era)
    const { data } = await agent.call(tool, { ...args, max_credits: 2 })
    expect(data).toMatchObject({ credits_charged: 2 })
    const rows = said.replace(/:.*/, '')
    const refused = await agent.call(tool, { ...args, max_credits: 3, [rows]: 5 })
    expect(refused.data).toMatchObject({ code: 'max_credits_exceeded', credits_charged: 0 })
    expect(refused.data.message).toContain(said)
    await agent.close()
  })

  test('a budget of 0 allows free calls', async () => {
    const agent = await agentWith(era, 0)
    expect((await agent.call('find_companies', { q: 'otter' })).isError).toBe(false)
    expect((await agent.call('quote', { tool: 'check_domain', arguments: verdict })).data).toMatchObject({
      quoted_credits: 1,
    })
    expect((await agent.call('check_domain', verdict)).data).toMatchObject({ code: 'budget_exceeded' })
    expect(await used(agent.customer)).toBe(0)
    await agent.close()
  })
})

async function callRaw({ ask }: Pick<Customer, 'ask'>, headers: Record<string, string>) {
  const response = await ask('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'check_domain', arguments: verdict },
    }),
  })
  const message = JSON.parse(response.text.replace(/^event: message\ndata: /, ''))
  return { ...response, data: message.result?.structuredContent, message }
}

test.each(['', ' ', '-1', '1.5', '5, 5', '1e3', '99999999999', 'unlimited'])(
  'the header X-Baize-Budget: "%s" is refused before anything is charged',
  async budget => {
    const customer = await service.customer()
    const { status, body } = await callRaw(customer, { 'x-baize-budget': budget })
    expect([status, body.errors.code, body.errors.details.parameter]).toEqual([
      400,
      'invalid_parameter',
      'X-Baize-Budget',
    ])
    expect(await used(customer)).toBe(0)
  },
)

describe('a session with a budget', () => {
  test('a session that has ended or belongs to another account answers like an unknown session', async () => {
    const owner = await agentWith('legacy')
    const stranger = await service.customer()
    const { sessionId = '' } = owner.transport
    const ofStranger = await callRaw(stranger, { 'mcp-session-id': sessionId })
    const missing = await callRaw(stranger, { 'mcp-session-id': 'mcp1_bm9uZQ.AAAAAAAAAAAAAAAA' })
    const altered = await callRaw(owner.customer, { 'mcp-session-id': `${sessionId.slice(0, -1)}_` })
    const own = await callRaw(owner.customer, { 'mcp-session-id': sessionId })
    days = 31
    const ended = await callRaw(owner.customer, { 'mcp-session-id': sessionId })
    days = 0
    expect(own.status).toBe(200)
    for (const { status, text } of [ofStranger, missing, altered, ended])
      expect([status, text]).toEqual([404, missing.text])
    expect(missing.message.error.message).toBe('Session not found; send "initialize" again.')
    expect(await used(stranger)).toBe(0)
    await owner.close()
  })
})
