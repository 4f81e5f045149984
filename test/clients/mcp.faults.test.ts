import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../../src/catalogue.ts'
import { definitionsOf } from '../../src/mcp/serve-message.ts'
import { startService, type TestService } from '../harness/service.ts'

// Tests clients that the project does not use itself: the official one of the 1.x line, and one with its
// own implementation. They are installed separately (`npm ci --prefix test/clients`).
const requireClient = createRequire(fileURLToPath(new URL('package.json', import.meta.url)))
// biome-ignore lint/suspicious/noExplicitAny: the packages are not installed where types are checked.
const load = (name: string): Promise<any> => import(pathToFileURL(requireClient.resolve(name)).href)

let service: TestService
beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
})
afterAll(() => service.close())

const endpoint = () => new URL('/mcp', service.url)

describe('the official client of the 1.x line', () => {
  async function connect(key: string, answer?: (message: string) => object, budget = '1000') {
    const { Client } = await load('@modelcontextprotocol/sdk/client/index.js')
    const { StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js')
    const { ElicitRequestSchema } = await load('@modelcontextprotocol/sdk/types.js')
    const headers = { authorization: `Bearer ${key}`, 'x-baize-budget': budget }
    const transport = new StreamableHTTPClientTransport(endpoint(), { requestInit: { headers } })
    const capabilities = answer === undefined ? {} : { elicitation: {} }
    const client = new Client({ name: 'one', version: '1.0.0' }, { capabilities })
    if (answer !== undefined)
      client.setRequestHandler(ElicitRequestSchema, (request: { params: { message: string } }) =>
        answer(request.params.message),
      )
    await client.connect(transport)
    return { client, transport }
  }

  test('the official client of the 1.x line calls tools within its budget', async () => {
    const { key } = await service.customer()
    const { client, transport } = await connect(key, undefined, '1')
    // This client compares results with the listed schemas, also those of refused calls.
    expect((await client.listTools()).tools).toHaveLength(12)
    const call = () => client.callTool({ name: 'check_domain', arguments: { domain: 'luckyotter.example' } })
    const { structuredContent } = await call()
    expect(structuredContent).toMatchObject({
      verdict: 'licensed',
      credits_charged: 1,
      credits_remaining: 999,
      budget_scope: 'session',
      budget_remaining: 0,
    })
    expect((await call()).structuredContent).toMatchObject({ code: 'budget_exceeded' })
    await transport.terminateSession()
    await client.close()
  })

  test('the official client of the 1.x line asks its user before an expensive call', async () => {
    const { key, ask } = await service.customer()
    const company = await ask('/v1/companies/resolve?domain=luckyotter.example')
    const { company_ref } = company.body.data.companies[0]
    const asked: string[] = []
    const { client } = await connect(key, message => {
      asked.push(message)
      return { action: 'accept', content: {} }
    })
    const { structuredContent } = await client.callTool({
      name: 'get_people',
      arguments: { company_ref, limit: 3 },
    })
    expect(asked).toEqual(['get_people may cost up to 27 credits. Allow it?'])
    expect(structuredContent).toMatchObject({ credits_charged: 27 })
    await client.close()
  })

  test('the official client of the 1.x line gets a 401 for a wrong key', async () => {
    await expect(connect('client_wrong')).rejects.toThrow(/401|Unauthorized/)
  })
})

describe('the client of the AI SDK', () => {
  test('the client of the AI SDK lists the tools and calls one of them', async () => {
    const { createMCPClient } = await load('@ai-sdk/mcp')
    const { key } = await service.customer()
    const client = await createMCPClient({
      transport: { type: 'http', url: endpoint().href, headers: { Authorization: `Bearer ${key}` } },
    })
    const tools = await client.tools()
    expect(Object.keys(tools)).toHaveLength(12)
    const options = { toolCallId: 'call-1', messages: [], context: {} }
    const answer = await tools.check_domain.execute({ domain: 'redkite-casino.example' }, options)
    const json = answer.structuredContent ?? JSON.parse(answer.content[0].text)
    expect(json).toMatchObject({ verdict: 'blocklisted', credits_charged: 1, credits_remaining: 999 })
    await client.close()
  })
})

test('the definitions of all MCP tools have at most 6,000 tokens', async () => {
  const { encode } = await load('gpt-tokenizer/encoding/o200k_base')
  expect(encode(JSON.stringify(definitionsOf(catalogue))).length).toBeLessThan(6_000)
})
