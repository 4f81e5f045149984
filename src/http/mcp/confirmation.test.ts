import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectAgent, type Era, eras } from '../../../test/harness/agent.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'

let service: TestService
let companyRef: string
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  const { ask } = await service.customer()
  const { body } = await ask('/v1/companies/resolve?domain=luckyotter.example')
  companyRef = body.data.companies[0].company_ref
})
afterAll(() => service.close())

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, never> }

async function agentThat(era: Era, answer?: (message: string) => Answer, budget?: number) {
  const customer = await service.customer()
  const options = {
    key: customer.key,
    era,
    ...(answer === undefined ? {} : { answer }),
    ...(budget === undefined ? {} : { budget }),
  }
  return { customer, ...(await connectAgent(service, options)) }
}

const used = async ({ ask }: Customer) => (await ask('/v1/account')).body.data.credits_used
/** The call costs 27 credits. */
const expensive = () => ({ company_ref: companyRef, limit: 3 })

describe.each(eras)('confirmation with the %s protocol', era => {
  test('a call above 25 credits is refused with its price if the client cannot ask its user', async () => {
    const agent = await agentThat(era)
    const { data, isError } = await agent.call('get_people', expensive())
    expect([isError, data.code, data.credits_charged]).toEqual([true, 'max_credits_exceeded', 0])
    expect(data.details).toEqual({ quoted_credits: 27, max_credits: 25 })
    expect(data.message).toContain('To allow it, send max_credits: 27.')
    expect(await used(agent.customer)).toBe(0)
    const allowed = await agent.call('get_people', { ...expensive(), max_credits: 27 })
    expect(allowed.data).toMatchObject({ credits_charged: 27, credits_remaining: 973 })
    await agent.close()
  })

  test('a call that the user confirms is made and charged once', async () => {
    const asked: string[] = []
    const agent = await agentThat(era, message => {
      asked.push(message)
      return { action: 'accept', content: {} }
    })
    const { data } = await agent.call('get_people', expensive())
    expect(asked).toEqual(['get_people may cost up to 27 credits. Allow it?'])
    expect(data).toMatchObject({ credits_charged: 27, credits_remaining: 973 })
    expect(data.contacts).toHaveLength(3)
    expect(await used(agent.customer)).toBe(27)
    await agent.close()
  })

  test.each(['decline', 'cancel'] as const)(
    'a call that the user answers with %s costs nothing',
    async action => {
      const agent = await agentThat(era, () => ({ action }))
      const { data, isError } = await agent.call('get_people', expensive())
      expect([isError, data.message]).toEqual([true, 'The user did not allow up to 27 credits.'])
      expect(await used(agent.customer)).toBe(0)
      await agent.close()
    },
  )

  test('the user is not asked about a call of at most 25 credits, or a call with max_credits', async () => {
    const agent = await agentThat(era, () => {
      throw new Error('nobody should be asked')
    })
    const cheap = await agent.call('get_people', { company_ref: companyRef })
    expect(cheap.data).toMatchObject({ credits_charged: 18 })
    const { data } = await agent.call('get_people', { ...expensive(), max_credits: 26 })
    expect(data).toMatchObject({ code: 'max_credits_exceeded', credits_charged: 0 })
    await agent.close()
  })

  test('a confirmed call is still refused if the budget does not cover it', async () => {
    const agent = await agentThat(era, () => ({ action: 'accept', content: {} }), 26)
    const { data } = await agent.call('get_people', expensive())
    expect(data).toMatchObject({ code: 'budget_exceeded', credits_charged: 0 })
    expect(await used(agent.customer)).toBe(0)
    await agent.close()
  })

  test('a retry with the key of a confirmed call gets the first answer, free', async () => {
    const agent = await agentThat(era, () => ({ action: 'accept', content: {} }))
    const key = { 'baize/idempotency_key': 'confirmed-once' }
    const first = await agent.call('get_people', expensive(), key)
    const again = await agent.call('get_people', expensive(), key)
    expect(again.data).toMatchObject({ replayed: true, credits_charged: 0, contacts: first.data.contacts })
    expect(await used(agent.customer)).toBe(27)
    await agent.close()
  })
})

describe('the tool quote', () => {
  test('quote returns the highest possible cost of a call, and charges nothing', async () => {
    const agent = await agentThat('modern')
    const domains = ['luckyotter.example', 'redkite-casino.example', 'luckyotter.example']
    const quotes: [tool: string, args: Record<string, unknown>, credits: number][] = [
      ['check_domain', { domain: 'luckyotter.example' }, 1],
      ['check_domains', { domains }, 2],
      ['get_people', expensive(), 27],
      ['get_people', { company_ref: companyRef }, 18],
      ['get_people', { company_ref: companyRef, count_only: true }, 0],
      ['find_companies', {}, 0],
      ['find_companies', { pay: true, q: 'otter', page_size: 1 }, 1],
    ]
    for (const [tool, args, credits] of quotes) {
      const { data } = await agent.call('quote', { tool, arguments: args })
      expect([tool, args, data]).toEqual([
        tool,
        args,
        { tool, quoted_credits: credits, credits_charged: 0, credits_remaining: 1_000 },
      ])
    }
    const wrong = await agent.call('quote', { tool: 'check_domain', arguments: { domain: '10.0.0.1' } })
    expect(wrong).toMatchObject({ isError: true, data: { code: 'invalid_domain' } })
    expect(await used(agent.customer)).toBe(0)
    await agent.close()
  })
})

describe('a logical call', () => {
  const meta = { 'baize/idempotency_key': 'logical-call-1' }

  test('simultaneous calls with one key are charged once', async () => {
    const agent = await agentThat('modern')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => agent.call('check_domain', { domain: 'luckyotter.example' }, meta)),
    )
    expect(answers.map(({ data }) => data.verdict)).toEqual(Array(8).fill('licensed'))
    expect(answers.map(({ data }) => data.credits_charged).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
    expect(await used(agent.customer)).toBe(1)
    const other = await agent.call('check_domain', { domain: 'neverheard.example' }, meta)
    expect(other.data).toMatchObject({ code: 'idempotency_key_reused', credits_charged: 0 })
    await agent.close()
  })

  test('each call without a key gets a new key, whatever the id of its message', async () => {
    const customer = await service.customer()
    const send = () =>
      customer.ask('/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 7,
          method: 'tools/call',
          params: { name: 'check_domain', arguments: { domain: 'luckyotter.example' } },
        }),
      })
    const texts = [(await send()).text, (await send()).text]
    const keys = texts.map(text => text.match(/"baize\/idempotency_key":"([^"]+)"/)?.[1])
    expect(new Set(keys).size).toBe(2)
    expect(await used(customer)).toBe(2)
  })

  test('the key in the result of a call can be used to replay the call', async () => {
    const agent = await agentThat('modern')
    const first = await agent.call('check_domain', { domain: 'luckyotter.example' })
    const key = { 'baize/idempotency_key': first.meta['baize/idempotency_key'] }
    const again = await agent.call('check_domain', { domain: 'luckyotter.example' }, key)
    expect(again.data).toMatchObject({ replayed: true, credits_charged: 0, checked: first.data.checked })
    expect(await used(agent.customer)).toBe(1)
    await agent.close()
  })

  test.each([
    ['text', 7],
    ['only visible characters', 'a b'],
    ['at most 255 characters', 'x'.repeat(256)],
  ])('the key of a call must have %s', async (_, key) => {
    const agent = await agentThat('modern')
    const wrong = await agent.call(
      'check_domain',
      { domain: 'luckyotter.example' },
      { 'baize/idempotency_key': key },
    )
    expect(wrong).toMatchObject({ isError: true, data: { code: 'invalid_parameter', credits_charged: 0 } })
    expect(await used(agent.customer)).toBe(0)
    await agent.close()
  })
})

describe('the confirmation of a user', () => {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  async function send({ ask }: Customer, args: object, more: object = {}) {
    const { body } = await ask('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'get_people',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_people', arguments: args, ...more, _meta: envelope },
      }),
    })
    return body.result
  }
  const yes = { inputResponses: { spend: { action: 'accept', content: {} } } }

  test('a confirmation is valid once, for one call of one account', async () => {
    const customer = await service.customer()
    const stranger = await service.customer()
    const asked = await send(customer, expensive())
    const { requestState } = asked
    expect(asked).toMatchObject({ resultType: 'input_required' })
    for (const [who, args, state] of [
      [stranger, expensive(), requestState],
      [customer, { ...expensive(), limit: 4 }, requestState],
      [customer, expensive(), `${requestState}x`],
      [customer, expensive(), 'mcpconfirm1_e30.AAAA'],
    ] as const) {
      expect(await send(who, args, { ...yes, requestState: state })).toMatchObject({
        resultType: 'input_required',
      })
      expect(await used(who)).toBe(0)
    }
    const answers = await Promise.all(
      [1, 2, 3].map(() => send(customer, expensive(), { ...yes, requestState })),
    )
    expect(answers.map(({ structuredContent }) => structuredContent.credits_charged).toSorted()).toEqual([
      0, 0, 27,
    ])
    expect(await used(customer)).toBe(27)
  })
})
