import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectAgent } from '../../../test/harness/agent.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { accountFigures } from '../../features/account/index.ts'

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService({ world: 'demo_key' })
  customer = await service.customer()
})
afterAll(() => service.close())

const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

const post = (body: unknown, headers: Record<string, string> = {}) =>
  customer.ask('/mcp', {
    method: 'POST',
    headers: { ...types, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const call = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })

describe('/mcp without a valid key', () => {
  test.each([
    ['no key', {}],
    ['an unknown one', { authorization: `Bearer client_${'0'.repeat(38)}` }],
    ['another scheme', { authorization: 'Basic Y2xpZW50X2RlbW86' }],
    ['a cookie', { cookie: 'baize_session=x' }],
  ])('/mcp answers 401 to %s, as the API does', async (_, headers) => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? { body: JSON.stringify(call({ name: 'account' })) } : {}
      const response = await service.ask('/mcp', { method, headers: { ...types, ...headers }, ...body })
      const ofApi = await service.ask('/v1/account')
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      expect({ ...response.body, timestamp: '' }).toEqual({ ...ofApi.body, timestamp: '' })
    }
  })

  test('the path /mcp accepts the key as X-API-Key, too', async () => {
    const { status } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    expect(status).toBe(200)
  })
})

test('other methods of /mcp answer 405 with Allow', async () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const { status, headers, body } = await customer.ask('/mcp', { method })
    expect([status, headers.get('allow'), body.errors.code]).toEqual([405, 'POST', 'method_not_allowed'])
  }
})

describe('a message to /mcp', () => {
  test.each([
    ['no JSON', '{', 400, -32700],
    ['nothing', '', 400, -32700],
    ['a batch, which would be one request of the throttle', [call({ name: 'account' })], 400, -32600],
    ['an empty batch', [], 400, -32600],
    ['a number', 7, 400, -32600],
    ['null', null, 400, -32600],
    ['an object without a protocol', { method: 'tools/list' }, 400, -32600],
    ['a method of another type', { jsonrpc: '2.0', id: 1, method: {} }, 400, -32600],
    ['a call without a name', call({}), 200, -32602],
    ['a name of another type', call({ name: ['account'] }), 200, -32602],
    ['arguments in a list', call({ name: 'account', arguments: [] }), 200, -32602],
    ['an unknown tool', call({ name: '__proto__' }), 200, -32602],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'tools/explode' }, 200, -32601],
    ['a subscription', { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' }, 404, -32601],
  ])('a message of %s is refused as the protocol requires', async (_, body, status, code) => {
    const response = await post(body as unknown)
    const message = JSON.parse(response.text.replace(/^event: message\ndata: /, ''))
    expect([response.status, message.error?.code]).toEqual([status, code])
    expect(response.text).not.toMatch(/node_modules|at .*\.ts/)
  })

  const client = { capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  test.each([
    ['initialize', client, '"params.protocolVersion" must be a string.'],
    ['initialize', { ...client, protocolVersion: 7 }, '"params.protocolVersion" must be a string.'],
    ['initialize', { protocolVersion: '2025-06-18' }, '"params.capabilities" must be an object.'],
    ['initialize', undefined, '"params" must be an object.'],
    ['tools/list', { cursor: 7 }, '"params.cursor" must be a string.'],
  ])(
    '%s with the params %j is refused in one sentence and begins no session',
    async (method, params, text) => {
      const response = await post({ jsonrpc: '2.0', id: 1, method, params })
      const { error } = JSON.parse(response.text.replace(/^event: message\ndata: /, ''))
      expect([response.status, error]).toEqual([200, { code: -32602, message: text }])
      expect(response.headers.get('mcp-session-id')).toBeNull()
    },
  )

  test('an internal error behind /mcp is answered without its internal message', async () => {
    const own = await startService({ world: 'demo_key' })
    const { key } = await own.customer()
    const { primary } = own.service.live
    const { readByKey } = primary
    primary.readByKey = (read, key) =>
      read.name === accountFigures.name
        ? Promise.reject(new Error('a secret of the database'))
        : readByKey(read, key)
    const { text } = await own.ask('/mcp', {
      key,
      method: 'POST',
      headers: types,
      body: JSON.stringify(call({ name: 'account' })),
    })
    expect(text).toContain('"message":"The request failed."')
    expect(text).not.toContain('secret')
    await own.close()
  })

  test('a connection is closed after the response if its client asks for this', async () => {
    const { hostname, port } = new URL(service.url)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    const socket = connect(Number(port), hostname)
    const fields = { ...types, host: hostname, connection: 'close', 'x-api-key': customer.key }
    const headers = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST /mcp HTTP/1.1\r\n${headers.join('')}content-length: ${body.length}\r\n\r\n${body}`)
    // Reading ends only when the server closes the connection.
    const received = await readText(socket)
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(received).toMatch(/\r\nconnection: close\r\n/i)
    expect(received).toContain('check_domain')
  })

  test('a message with another media type is a 415, and a message that is too large a 413', async () => {
    const text = await post(call({ name: 'account' }), { 'content-type': 'text/plain' })
    expect([text.status, text.body.errors.code]).toEqual([415, 'unsupported_media_type'])
    const large = await post(call({ name: 'account', padding: 'x'.repeat(600 * 1024) }))
    expect([large.status, large.body.errors.code]).toEqual([413, 'body_too_large'])
  })

  test('a reply that belongs to no open question is accepted and ignored', async () => {
    for (const reply of [{ result: { action: 'accept' } }, { error: { code: 1, message: 'x' } }, {}])
      expect((await post({ jsonrpc: '2.0', id: 'baize-0', ...reply })).status).toBe(202)
  })
})

describe('hostile arguments of tools', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  test.each([
    ['members of every object', { constructor: 'x', __proto__: 'y', toString: 'z' }],
    ['a control character', { domain: 'a\u0000b.example' }],
    ['half a character', { domain: '\ud800.example' }],
    ['a very long domain', { domain: `${'a'.repeat(100_000)}.example` }],
    ['a deep list', { domain: JSON.parse(nested(50)) }],
    ['an object', { domain: { toString: 'x' } }],
    ['a number beyond all', { domain: 'a.example', max_credits: 1e300 }],
    ['a negative ceiling', { domain: 'a.example', max_credits: -1 }],
    ['a ceiling in words', { domain: 'a.example', max_credits: 'all' }],
  ])('arguments with %s are refused and cost nothing', async (_, args) => {
    const agent = await connectAgent(service, { key: customer.key, era: 'modern' })
    const { isError, data } = await agent.call('check_domain', args)
    expect([isError, data.credits_charged]).toEqual([true, 0])
    expect(data.code).toMatch(/^(unknown_parameter|invalid_parameter|invalid_domain)$/)
    await agent.close()
  })

  test('arguments nested deeper than the call stack are refused without a server error', async () => {
    for (const name of ['check_domain', 'check_domains', 'quote']) {
      const parameters = `{"name":"${name}","arguments":{"domains":${nested(200_000)}}}`
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${parameters}}`
      const { status, text } = await post(body)
      expect(status).toBeLessThan(500)
      expect(text).not.toContain('Maximum call stack')
    }
    expect((await customer.ask('/v1/account')).body.data.credits_used).toBe(0)
  })

  test('a client whose name is very long or malformed is stored only within limits', async () => {
    const clientInfo = { name: `\u0000${'é'.repeat(5_000)}`, version: 7, title: { deep: [] } }
    const params = { protocolVersion: '2025-06-18', capabilities: { elicitation: 7 }, clientInfo }
    const { status, headers } = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect([200, 400]).toContain(status)
    expect(headers.get('mcp-session-id')?.length ?? 0).toBeLessThan(1_000)
  })
})

test('tool calls count against the throttle of the API', async () => {
  const throttled = await startService({ throttlePerMinute: 4 })
  try {
    const { ask } = await throttled.customer()
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const send = () => ask('/mcp', { method: 'POST', headers: types, body: JSON.stringify(list) })
    const statuses = [(await ask('/v1/account')).status]
    for (let sent = 0; sent < 4; sent++) statuses.push((await send()).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    expect((await ask('/v1/account')).status).toBe(429)
  } finally {
    await throttled.close()
  }
})

test('a question to a user who has not replied ends when its server stops', async () => {
  const own = await startService({ world: 'demo' })
  const { key, ask } = await own.customer()
  const company = await ask('/v1/companies/resolve?domain=luckyotter.example')
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const agent = await connectAgent(own, {
    key,
    era: 'legacy',
    answer: () => {
      resolve()
      return new Promise(() => {}) as never
    },
  })
  const call = agent.call('get_people', { company_ref: company.body.data.companies[0].company_ref, limit: 3 })
  await asked
  const [{ data }] = await Promise.all([call, own.close()])
  expect(data.message).toBe('The user did not allow up to 27 credits.')
  await agent.close().catch(() => {})
})
