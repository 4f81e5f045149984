import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Era, eras } from '../../../test/harness/agent.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { startFaultyProxy } from './faulty-proxy.ts'
import { commandSources, runCommand } from './run-command.ts'

// Tests `baize-api mcp`, which hosts start and use over stdin and stdout.

let service: TestService
let customer: Customer
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())
afterEach(async () => {
  await Promise.all(closing.splice(0).map(close => close()))
})

type AgentOptions = {
  era: Era
  budget?: number
  answer?: (message: string) => { action: 'accept' | 'decline' }
}

async function connect({ era, budget, answer }: AgentOptions) {
  customer = await service.customer()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [commandSources, 'mcp', ...(budget === undefined ? [] : ['--budget', String(budget)])],
    env: { PATH: process.env.PATH ?? '', BAIZE_API_KEY: customer.key, BAIZE_BASE_URL: service.url },
  })
  const mode = era === 'modern' ? { pin: '2026-07-28' } : era
  const client = new Client(
    { name: 'test-host', version: '1.2.3' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode },
    },
  )
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message))
  closing.push(() => client.close())
  await client.connect(transport)
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts.
  const call = async (name: string, args: Record<string, unknown>): Promise<any> =>
    (await client.callTool({ name, arguments: args })).structuredContent
  return { client, call }
}

const used = async () => (await customer.ask('/v1/account')).body.data.credits_used
const verdict = { domain: 'luckyotter.example' }

describe.each(eras)('a host of the %s protocol', era => {
  test(`an MCP host of the ${era} protocol calls tools with the key of the environment`, async () => {
    const { client, call } = await connect({ era })
    expect((await client.listTools()).tools).toHaveLength(12)
    expect(await call('check_domain', verdict)).toMatchObject({ verdict: 'licensed', credits_charged: 1 })
    expect(await used()).toBe(1)
  })

  test(`a user of the ${era} protocol is asked before an expensive call, and can decline it`, async () => {
    const asked: string[] = []
    let action: 'accept' | 'decline' = 'decline'
    const answer = (message: string) => {
      asked.push(message)
      return { action }
    }
    const { call } = await connect({ era, answer })
    const { companies } = (await customer.ask('/v1/companies/resolve?domain=luckyotter.example')).body.data
    const before = await used()
    const people = { company_ref: companies[0].company_ref, limit: 3 }
    expect(await call('get_people', people)).toMatchObject({ credits_charged: 0 })
    action = 'accept'
    expect(await call('get_people', people)).toMatchObject({ credits_charged: 27 })
    expect(asked).toEqual(Array(2).fill('get_people may cost up to 27 credits. Allow it?'))
    expect((await used()) - before).toBe(27)
  })

  test(`an MCP host of the ${era} protocol never spends more than its budget`, async () => {
    const { call } = await connect({ era, budget: 10 })
    const rows = { verdict: 'blocklisted', per_page: 3 }
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('find_domains', rows)))
    expect(answers.filter(({ credits_charged }) => credits_charged === 3)).toHaveLength(3)
    const refused = answers.filter(({ code }) => code === 'budget_exceeded')
    expect(refused).toHaveLength(17)
    expect(await used()).toBe(9)
    expect(await call('check_domain', verdict)).toMatchObject({ credits_charged: 1 })
    expect(await call('check_domain', verdict)).toMatchObject({ code: 'budget_exceeded' })
    expect(await used()).toBe(10)
  })

  test(`an MCP host of the ${era} protocol with a budget of 0 has only the free tools`, async () => {
    const { call } = await connect({ era, budget: 0 })
    expect(await call('find_companies', { q: 'otter' })).toMatchObject({ credits_charged: 0 })
    expect(await call('check_domain', verdict)).toMatchObject({ code: 'budget_exceeded' })
    expect(await used()).toBe(0)
  })
})

describe('lines of messages', () => {
  type Sent = { method: string; params?: object; id?: number | undefined }
  const line = (message: Sent) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`
  const toolCall = (id: number, max_credits: number): Sent => ({
    id,
    method: 'tools/call',
    params: { name: 'find_domains', arguments: { verdict: 'blocklisted', per_page: 3, max_credits } },
  })

  async function relay(input: string, baseUrl: string, ...args: string[]) {
    customer = await service.customer()
    const { key } = customer
    const { code, stdout, stderr } = await runCommand(['mcp', ...args], { key, baseUrl, input })
    expect(stdout + stderr).not.toContain(key)
    return {
      code,
      stderr,
      answers: stdout
        .split('\n')
        .filter(Boolean)
        .map(text => JSON.parse(text)),
    }
  }

  test('baize-api mcp refuses lines that are not messages, and answers the lines after them', async () => {
    const malformed = ['{"jsonrpc": "2.0", "id": 1', '[]', 'null', `"${'x'.repeat(700_000)}"`]
    const input = `${malformed.join('\n')}\n\n${line({ id: 7, method: 'tools/list' })}`
    const { code, answers } = await relay(input, service.url)
    expect(code).toBe(0)
    const refusal = {
      id: null,
      error: { code: -32700, message: expect.stringContaining('one JSON-RPC message') },
    }
    expect(answers.slice(0, 4)).toEqual(Array(4).fill({ jsonrpc: '2.0', ...refusal }))
    expect(answers.slice(4)).toMatchObject([{ id: 7, result: { tools: { length: 12 } } }])
  })

  test('a tool call fails with the reason if the service is unreachable or refuses the key', async () => {
    const proxy = await startFaultyProxy(service.url)
    await proxy.close()
    const away = await relay(line(toolCall(1, 3)), proxy.url, '--budget', '3')
    expect(away.code).toBe(0)
    expect(away.answers).toMatchObject([
      { id: 1, error: { code: -32000, message: expect.stringContaining('ECONNREFUSED') } },
    ])
    const { stdout } = await runCommand(['mcp'], {
      key: 'client_wrong',
      baseUrl: service.url,
      input: line(toolCall(2, 3)),
    })
    expect(JSON.parse(stdout)).toMatchObject({ id: 2, error: { message: 'HTTP 401: Unauthorized' } })
  })

  test('a tool call whose answer is lost uses its highest possible cost of the budget', async () => {
    const proxy = await startFaultyProxy(service.url)
    closing.push(() => proxy.close())
    proxy.next('lose', 'cut', 'none')
    const calls = [1, 2, 3, 4, 5].map(id => line(toolCall(id, id < 3 ? 4 : 3)))
    const { answers } = await relay(calls.join(''), proxy.url, '--budget', '11')
    expect(proxy.seen.map(({ headers }) => headers['x-baize-budget'])).toEqual(['11', '7', '3', '0', '0'])
    expect(answers.slice(0, 2)).toMatchObject([
      { id: 1, error: {} },
      { id: 2, error: {} },
    ])
    const results = answers.slice(2).map(({ result }) => result.structuredContent)
    expect(results).toMatchObject([
      { credits_charged: 3 },
      { code: 'budget_exceeded' },
      { code: 'budget_exceeded' },
    ])
    expect(await used()).toBe(9)
  })

  test('a tool call that is cancelled before it is sent is never sent', async () => {
    const proxy = await startFaultyProxy(service.url)
    closing.push(() => proxy.close())
    const cancel = line({ method: 'notifications/cancelled', params: { requestId: 2 } })
    const input = line(toolCall(1, 3)) + line(toolCall(2, 3)) + cancel + line(toolCall(3, 3))
    const { answers } = await relay(input, proxy.url, '--budget', '9')
    expect(answers.map(({ id }) => id)).toEqual([1, 3])
    expect(proxy.seen).toHaveLength(2)
    expect(await used()).toBe(6)
  })

  test('each message carries the session id and protocol version; the session ends with stdin', async () => {
    const proxy = await startFaultyProxy(service.url)
    closing.push(() => proxy.close())
    const begin = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    }
    const input =
      line({ id: 1, method: 'initialize', params: begin }) +
      line({ method: 'notifications/initialized' }) +
      line(toolCall(2, 3))
    const { answers } = await relay(input, proxy.url, '--budget', '3')
    expect(answers[1].result.structuredContent).toMatchObject({
      budget_scope: 'session',
      budget_remaining: 0,
    })
    const session = expect.stringMatching(/./)
    const version = '2025-06-18'
    const of = proxy.seen.map(({ method, headers }) => ({
      method,
      session: headers['mcp-session-id'],
      version: headers['mcp-protocol-version'],
    }))
    expect(of).toEqual([
      { method: 'POST', session: undefined, version: undefined },
      { method: 'POST', session, version },
      { method: 'POST', session, version },
      { method: 'DELETE', session, version },
    ])
  })
})
