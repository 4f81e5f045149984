import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
} from '../../../test/harness/service.ts'
import { catalogue } from '../../catalogue.ts'
import { type FailureCode, failureCatalogue } from '../../core/failure.ts'

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const codes = Object.keys(failureCatalogue) as FailureCode[]
const paths = [...new Set(catalogue.map(operation => operation.path))]
const resolveOne = '/v1/domains/resolve?domain=casino.example'

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 100_000 })
})
afterAll(() => service.close())

function expectFailure(response: Response, code: FailureCode, details: unknown = expect.anything()): void {
  const { status, message } = failureCatalogue[code]
  expect(response.status, response.text).toBe(status)
  expect(response.body).toEqual({
    success: false,
    message: expect.any(String),
    errors: { code, details },
    doc_url: `http://baize.test/docs/errors/${code}`,
    timestamp: instant,
  })
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  if (Object.keys(response.body.errors.details).length === 0) expect(response.body.message).toBe(message)
}

describe('a successful answer', () => {
  test('a successful answer has success, message, data and timestamp, and nothing else', async () => {
    const { status, body } = await customer.ask(resolveOne)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      message: expect.stringMatching(/^OK/),
      data: expect.any(Object),
      timestamp: instant,
    })
  })

  test('an answer of a priced operation has the same charge in data, billing and headers', async () => {
    const { body, headers } = await customer.ask(resolveOne)
    expect(body.data.credits_charged).toBe(1)
    expect(body.data.billing.credits_charged).toBe(1)
    expect(headers.get('x-credits-charged')).toBe('1')
    expect(Number(headers.get('x-credits-remaining'))).toBeLessThan(100_000)
  })

  test('an answer of a free operation has no charge', async () => {
    const { body, headers } = await customer.ask('/v1/account')
    expect(body.data).not.toHaveProperty('credits_charged')
    expect(headers.get('x-credits-charged')).toBeNull()
  })

  test('an answer to a customer’s key is not marked as a demo', async () => {
    const { body } = await customer.ask(resolveOne)
    for (const member of ['demo', 'simulated', '_demo_redactions'])
      expect(body.data).not.toHaveProperty(member)
  })

  test.each([
    ['a success', resolveOne],
    ['a refusal', '/v1/domains/resolve'],
    ['an unknown path below /v1', '/v1/nowhere'],
    ['an unknown path', '/nowhere'],
    ['a path that does not decode', '/v1/%zz'],
    ['the health', '/healthz'],
  ])('the answer to %s forbids caching, and has a request id', async (_, path) => {
    const { headers } = await customer.ask(path)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-request-id')).toMatch(/^[0-9A-Za-z]{16}$/)
  })

  test.each(['a1b2c3d4', 'request_00-Z', 'x'.repeat(64)])(
    'the answer repeats the X-Request-Id %s of the request',
    async id => {
      for (const path of [resolveOne, '/v1/account?no=1', '/v1/nowhere', '/v1/%zz']) {
        const { headers } = await customer.ask(path, { headers: { 'x-request-id': id } })
        expect(headers.get('x-request-id'), path).toBe(id)
      }
    },
  )

  test.each(['short', 'x'.repeat(65), 'with blank', 'semi;colon', 'ünïcödé1'])(
    'the answer has a new request id instead of the invalid one %s',
    async id => {
      const { headers } = await customer.ask('/v1/account', { headers: { 'x-request-id': id } })
      expect(headers.get('x-request-id')).toMatch(/^[0-9A-Za-z]{16}$/)
    },
  )
})

describe('a failure', () => {
  test.each(codes)('the failure %s has a doc_url that leads to its page', async code => {
    const { status, headers, text: page } = await service.ask(`/docs/errors/${code}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('text/html')
    expect(page).toContain(code)
  })

  test.each([
    '/v1/nowhere',
    '/v1',
    '/v1/exports//download',
    '/v1/companies//people',
    '/V1/account',
    '/v1/%zz',
    '/nowhere',
    '/docs/errors/no_code',
  ])('the path %s answers route_not_found, with a key and without', async path => {
    expectFailure(await customer.ask(path), 'route_not_found', {})
    expectFailure(await service.ask(path), 'route_not_found', {})
  })

  test.each([
    ['GET', '/v1/'],
    ['GET', '/v1/account/'],
    ['GET', '/v1/domains/resolve/?domain=casino.example'],
    ['POST', '/v1/exports/'],
    ['GET', '/v1/prospect-lists/'],
    ['GET', '/openapi.json/'],
    ['GET', '/nowhere/'],
  ])('%s %s answers route_not_found with the reason, and does not redirect', async (method, path) => {
    const response = await customer.ask(path, { method })
    expectFailure(response, 'route_not_found', { takes: 'a path without a slash at its end' })
    expect(response.headers.get('location')).toBeNull()
  })

  const takenBy = (path: string) =>
    catalogue
      .filter(operation => operation.path === path)
      .flatMap(({ method, prices }) => (method === 'GET' && prices.length === 0 ? ['GET', 'HEAD'] : [method]))

  test.each(
    paths.flatMap(path =>
      ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
        .filter(method => !takenBy(path).includes(method))
        .map(method => ({ path, method })),
    ),
  )('$method $path answers method_not_allowed with the header Allow', async ({ path, method }) => {
    const response = await customer.ask(path, { method })
    expectFailure(response, 'method_not_allowed', { allowed: takenBy(path) })
    expect(response.headers.get('allow')).toBe(takenBy(path).join(', '))
  })

  test.each(paths.filter(path => takenBy(path).includes('HEAD')))(
    'HEAD %s is free and answers like GET, without a body',
    async path => {
      // The compressed length depends on the timestamp.
      const headers = { 'accept-encoding': 'identity' }
      const [head, get] = [
        await customer.ask(path, { method: 'HEAD', headers }),
        await customer.ask(path, { headers }),
      ]
      const facts = ({ status, headers }: Response) => [
        status,
        ...['content-type', 'content-length', 'cache-control', 'etag'].map(name => headers.get(name)),
      ]
      expect([facts(head), head.text]).toEqual([facts(get), ''])
    },
  )

  test.each(paths.filter(path => !takenBy(path).includes('HEAD')))(
    'HEAD %s is refused, and charges nothing',
    async path => {
      const { status, headers, text: body } = await customer.ask(path, { method: 'HEAD' })
      expect([status, headers.get('allow'), body]).toEqual([405, takenBy(path).join(', '), ''])
      expect(headers.get('x-credits-charged')).toBeNull()
    },
  )

  test('a body of more than 64 KiB answers body_too_large', async () => {
    const response = await customer.ask('/v1/exports', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'x'.repeat(64 * 1024) }),
    })
    expectFailure(response, 'body_too_large', { body_bytes_max: 65_536 })
  })

  test('a body whose Content-Type is not JSON answers unsupported_media_type', async () => {
    const headers = { 'content-type': 'application/xml' }
    const response = await customer.ask('/v1/exports', { method: 'POST', headers, body: '<a/>' })
    expectFailure(response, 'unsupported_media_type', {})
  })

  test.each(['{', ' ', '{"a":1,}', '\u0000'])('the JSON body %j answers invalid_json', async body => {
    const headers = { 'content-type': 'application/json' }
    const response = await customer.ask('/v1/exports', { method: 'POST', headers, body })
    expectFailure(response, 'invalid_json', {})
  })

  test.each([
    ['half a body', 'application/json', '{'],
    ['a form', 'application/x-www-form-urlencoded', 'domain=casino.example'],
    ['too much', 'application/json', JSON.stringify('x'.repeat(64 * 1024))],
  ])('the path, the method and the key are checked before the body: %s', async (_what, type, body) => {
    const sent = { method: 'POST', headers: { 'content-type': type }, body }
    const stranger = await service.ask('/v1/exports', sent)
    expect([stranger.status, stranger.body.errors]).toEqual([401, {}])
    const elsewhere = await customer.ask('/v1/domains/search', sent)
    expectFailure(elsewhere, 'method_not_allowed', { allowed: ['GET'] })
    expect(elsewhere.headers.get('allow')).toBe('GET')
    expectFailure(await customer.ask('/v1/nowhere', sent), 'route_not_found', {})
    const refused = await customer.ask('/v1/exports', sent)
    expect([400, 413, 415]).toContain(refused.status)
    expect(refused.headers.get('x-credits-charged')).toBe('0')
    expect(refused.headers.get('x-credits-remaining')).not.toBeNull()
  })

  test('a body cannot change the prototype of objects', async () => {
    const headers = { 'content-type': 'application/json' }
    const body = '{"__proto__":{"polluted":true}}'
    expect((await customer.ask('/v1/exports', { method: 'POST', headers, body })).status).toBe(400)
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('bytes that are not HTTP', () => {
  /** Sends these bytes, and returns what the server answers before it closes the connection. */
  async function send(bytes: string | Buffer): Promise<{ head: string; body: unknown }> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => {}) // The server may close the connection while the test still writes.
    socket.write(bytes)
    const answer = await text(socket)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    return { head, body: body === '' ? null : JSON.parse(body) }
  }

  test.each([
    ['noise', 'this is no request\r\n\r\n'],
    ['a TLS greeting', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
    ['a header without a name', 'GET /v1/account HTTP/1.1\r\n: x\r\n\r\n'],
    ['two lengths', 'POST /v1/account HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
    [
      'a length beside chunks',
      'POST /v1/account HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    ],
    ['no host', 'GET /v1/account HTTP/1.1\r\n\r\n'],
    ['headers past 16 KiB', `GET /v1/account HTTP/1.1\r\nhost: a\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('a request with %s is answered with the envelope, and the connection is closed', async (_, bytes) => {
    const { head, body } = await send(bytes)
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    expect(head).toMatch(/\r\nconnection: close/i)
    expect(head).toMatch(/\r\nx-request-id: [0-9A-Za-z]{16}/i)
    expect(body).toMatchObject({ success: false, errors: { code: 'invalid_parameter' }, timestamp: instant })
  })

  test.each([
    [
      'a URL of other than ASCII',
      'GET /v1/domains/resolve?domain=bücher.example HTTP/1.1',
      'percent-encoded',
    ],
    ['a URL past 16 KiB', `GET /v1/account?x=${'x'.repeat(20_000)} HTTP/1.1`, 'of 16384 bytes'],
  ])('the answer to invalid HTTP explains the problem: %s', async (_what, line, words) => {
    const { body } = await send(`${line}\r\nhost: a\r\n\r\n`)
    expect(body).toMatchObject({
      message: expect.stringContaining(words),
      errors: { code: 'invalid_parameter', details: { takes: expect.stringContaining(words) } },
    })
  })

  test('the server ignores unknown expectations and accepts HTTP/1.0', async () => {
    for (const sent of ['HTTP/1.1\r\nhost: a\r\nexpect: an-answer\r\nconnection: close', 'HTTP/1.0']) {
      const { head, body } = await send(`GET /v1/account ${sent}\r\n\r\n`)
      expect(head).toMatch(/^HTTP\/1\.1 401 Unauthorized/)
      expect(head).toMatch(/\r\nx-request-id: [0-9A-Za-z]{16}/i)
      expect(body).toMatchObject({ success: false, message: 'Unauthorized', timestamp: instant })
    }
  })

  test('bytes that are not HTTP do not affect later requests', async () => {
    await send('\r\n\r\n\0\r\n')
    expect((await service.ask('/healthz')).status).toBe(200)
  })
})

describe('an error outside /v1', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
  const page = (path: string, accept = browser, method = 'GET') =>
    service.ask(path, { method, headers: { accept } })

  test.each([
    ['GET', '/nowhere'],
    ['GET', '/nowhere/'],
    ['GET', '/docs/errors/no_code'],
    ['GET', '/images/no-such.svg'],
    ['GET', '/v1x'],
    ['GET', '/prospect-list-requests'],
  ])('a browser gets a page with safe headers for the error of %s %s', async (method, path) => {
    const response = await page(path, browser, method)
    const json = await service.ask(path, { method })
    expect(response.status).toBe(json.status)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('vary')).toContain('accept')
    expect(response.text).toContain(`<h1>${json.body.message}</h1>`)
    expect(response.text).toContain(`Status ${json.status},`)
    expect(response.text).toContain(`href="${json.body.doc_url}"`)
    expect(response.text).toContain(`<code>${response.headers.get('x-request-id')}</code>`)
    const { headers } = await page('/request-a-list')
    for (const [name, value] of headers)
      if (
        ![
          'cache-control',
          'content-length',
          'date',
          'x-request-id',
          'etag',
          'vary',
          'content-encoding',
          'transfer-encoding',
        ].includes(name)
      )
        expect([name, response.headers.get(name)]).toEqual([name, value])
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test('an error page outside /v1 does not show the path', async () => {
    expect((await page('/<script>alert(1)</script>')).text).not.toContain('alert')
  })

  test.each([
    ['/nowhere', '*/*'],
    ['/nowhere', 'application/json, text/html'],
    ['/nowhere', 'text/html;q=0.5, application/json'],
    ['/nowhere', 'text/html;q=0, */*;q=0.1'],
    ['/nowhere', 'text/html;q=nonsense'],
    ['/v1/nowhere', browser],
    ['/v1', browser],
    ['/v1?page=1', browser],
    ['/v1/account', browser],
  ])('the error of %s for a client with Accept: %s is JSON', async (path, accept) => {
    const { headers, body } = await page(path, accept)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(body).toMatchObject({ success: false })
  })
})

test('the service serves the page about keys, to which a 401 links', async () => {
  const { body } = await service.ask('/v1/account')
  const { status, text: page } = await service.ask(new URL(body.doc_url).pathname)
  expect(status).toBe(200)
  expect(page).toContain('<h1>Keys</h1>')
  const shown = page.replaceAll(/<[^>]*>/g, '')
  expect(shown).toContain(`&quot;doc_url&quot;: &quot;${body.doc_url}&quot;`)
})
