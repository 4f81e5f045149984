import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { catalogue } from '../../catalogue.ts'
import { recentUsage } from '../../features/account/index.ts'

// Requests go to POST /v1/exports. Its filters match nothing here, so nothing is charged.

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService()
  customer = await service.customer()
})
afterAll(() => service.close())

const post = (body: string | Uint8Array<ArrayBuffer> | undefined, type: string | null = 'application/json') =>
  customer.ask('/v1/exports', {
    method: 'POST',
    headers: type === null ? {} : { 'content-type': type },
    ...(body === undefined ? {} : { body: body as string }),
  })

/** Sends the lines of a request, because fetch joins repeated headers and adds Content-Length. */
function postRaw(path: string, headers: readonly string[], body: string): Promise<number> {
  const { port } = new URL(service.url)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connect(Number(port), '127.0.0.1')
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: baize.test',
    `X-API-Key: ${customer.key}`,
    'Connection: close',
  ]
  socket.on('error', reject).once('data', answer => resolve(Number(String(answer).split(' ')[1])))
  socket.write(`${[...head, ...headers].join('\r\n')}\r\n\r\n${body}`)
  return promise
}

const bodied = catalogue.filter(({ body, method }) => body !== undefined && method === 'POST')

test.each(bodied)('$name without a body answers 400, and with `{}` it is carried out', async ({ path }) => {
  const missing: [string | undefined, string | null][] = [
    [undefined, null],
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['', 'application/json; charset=utf-8'],
    ['', 'text/plain'],
    ['', 'application/x-www-form-urlencoded'],
    ['null', 'application/json'],
  ]
  for (const [body, type] of missing) {
    const { status, headers, body: answer } = await post(body, type)
    expect([body, type, status, answer.errors.code]).toEqual([body, type, 400, 'missing_parameter'])
    expect(answer.errors.details).toEqual({ parameter: null, takes: 'a JSON object, {} without members' })
    expect(headers.get('x-credits-charged')).toBe('0')
  }
  const chunked = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
  expect(await postRaw(path, chunked, '0\r\n\r\n')).toBe(400)
  expect((await post('{}')).status).toBe(202)
})

test.each([
  ['application/json', 202],
  ['application/json; charset=utf-8', 202],
  ['Application/JSON ;charset="UTF-8"', 202],
  ['application/json; charset=us-ascii', 202],
  ['application/json; profile=x', 202],
  ['application/json; charset=iso-8859-1', 415],
  ['application/json; charset=utf-8; charset=utf-16', 415],
  ['application/json, application/json', 415],
  ['application/jsonp', 415],
])('a body with the Content-Type %s answers %i', async (type, expected) => {
  expect((await post('{}', type)).status).toBe(expected)
})

test('a request with two Content-Type headers, or without one, answers unsupported_media_type', async () => {
  const json = 'Content-Type: application/json'
  const length = 'Content-Length: 2'
  expect(await postRaw('/v1/exports', [json, length], '{}')).toBe(202)
  for (const types of [
    [json, 'Content-Type: text/plain'],
    ['Content-Type: text/plain', json],
    [json, json],
    [],
  ])
    expect([types, await postRaw('/v1/exports', [...types, length], '{}')]).toEqual([types, 415])
})

test('a body sent with gzip is read, up to the limit of its unpacked bytes', async () => {
  const packed = (text: string) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: new Uint8Array(gzipSync(text)),
  })
  expect((await customer.ask('/v1/exports', packed('{}'))).status).toBe(202)
  const bomb = await customer.ask('/v1/exports', packed(' '.repeat(65 * 1024)))
  expect([bomb.status, bomb.body.errors]).toMatchObject([
    413,
    { code: 'body_too_large', details: { body_bytes_max: 65_536 } },
  ])
  const torn = { ...packed('{}'), body: new Uint8Array(gzipSync('{}').subarray(0, 12)) }
  expect((await customer.ask('/v1/exports', torn)).body.errors.code).toBe('invalid_json')
  const other = { ...packed('{}'), headers: { 'content-type': 'application/json', 'content-encoding': 'br' } }
  expect((await customer.ask('/v1/exports', other)).status).toBe(415)
})

test('a body that is not UTF-8 answers invalid_json, and a byte order mark is ignored', async () => {
  const body = Buffer.from('{"filters":{"exclude_provider":"Caf\u00e9"}}', 'latin1')
  expect((await post(new Uint8Array(body))).body.errors.code).toBe('invalid_json')
  expect((await post('\ufeff{}')).status).toBe(202)
})

test.each(['[]', '"x"', '1', 'true'])(
  'the body %s, which is not an object, answers unprocessable_body',
  async body => {
    const { status, body: answer } = await post(body)
    expect([status, answer.errors.code]).toEqual([422, 'unprocessable_body'])
    expect(answer.errors.details.takes).toBe('a JSON object')
  },
)

test.each([
  ['{"filters":[]}', 'filters'],
  ['{"filters":null}', 'filters'],
  ['{"max_credits":"3"}', 'max_credits'],
])('unprocessable_body names the invalid member of %s', async (body, parameter) => {
  const { status, body: answer } = await post(body)
  expect([status, answer.errors.code, answer.errors.details.parameter]).toEqual([
    422,
    'unprocessable_body',
    parameter,
  ])
})

test('a misspelt max_credits answers unknown_parameter', async () => {
  const { status, body } = await post('{"max_credit":1}')
  expect([status, body.errors.code, body.errors.details.did_you_mean]).toEqual([
    400,
    'unknown_parameter',
    'max_credits',
  ])
})

test.each(['text/plain', 'text/xml', 'application/x-www-form-urlencoded'])(
  'the media type %s answers unsupported_media_type',
  async type => {
    const { status, body } = await post('{}', type)
    expect([status, body.errors.code]).toEqual([415, 'unsupported_media_type'])
  },
)

test.each([
  '{"filters":{"__proto__":{"jurisdiction":"nowhere"}}}',
  '{"filters":{"constructor":{"prototype":{"jurisdiction":7}},"toString":1}}',
])('the unknown filter of %s is ignored, and does not pollute prototypes', async body => {
  const { status, body: answer } = await post(body)
  expect([status, answer.errors?.code]).toEqual([202, undefined])
  expect(Object.hasOwn(Object.prototype, 'jurisdiction')).toBe(false)
  await service.service.usage.flush()
  const records = await recentUsage(service.service.live, customer.accountRef, new Date())
  const asked = records.map(record => JSON.stringify(record.request_params))
  expect(asked).toContain(body.replace(/}$/, ',"export_format":"csv"}'))
})

test.each(['{"__proto__":{"max_credits":1}}', '{"constructor":{"prototype":{"max_credits":1}}}'])(
  'the body %s answers unknown_parameter',
  async body => {
    const { status, body: answer } = await post(body)
    expect([status, answer.errors.code]).toEqual([400, 'unknown_parameter'])
    expect(answer.errors.details.parameter).toBe(Object.keys(JSON.parse(body))[0])
  },
)

test.each([
  ['{"filters":{"supplier_brand":"\\ud800"}}', 'filters.supplier_brand'],
  ['{"filters":{"supplier_brand":"a\\udc00b"}}', 'filters.supplier_brand'],
  ['{"filters":{"nobody knows it":["a",{"b":"\\ude00\\ud83d"}]}}', 'filters.nobody knows it.1.b'],
  ['{"filters":{"\\ud800":1}}', 'filters.\ufffd'],
  ['{"export_format":"json","fields":["\\ud83d"]}', 'fields.0'],
])('a lone surrogate in %s is refused by name, and other requests succeed', async (body, parameter) => {
  const other = await service.customer()
  const [refused, passed] = await Promise.all([
    post(body),
    other.ask('/v1/exports', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }),
  ])
  expect([refused.status, refused.body.errors.code]).toEqual([422, 'unprocessable_body'])
  expect(refused.body.errors.details.parameter).toBe(parameter)
  expect(passed.status).toBe(202)
})

test('a surrogate pair in a body is accepted', async () => {
  const { status } = await post(
    '{"filters":{"supplier_brand":"\\ud83c\\udfb2","\\ud83c\\udfb2":"\\ud83c\\udfb2"}}',
  )
  expect(status).toBe(202)
})

test('deeply nested values in a body are refused', async () => {
  const { status, body } = await post(`{"filters":{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`)
  expect([status, body.errors.code]).toEqual([422, 'unprocessable_body'])
})

test('a long list of accepted values is in the details of an error, and not in its message', async () => {
  const { body } = await post('{"filters":{"jurisdiction":"atlantis"}}')
  expect(body.errors.details.takes).toContain('ukgc')
  expect(body.message).not.toContain('ukgc')
  expect(body.message).toContain('"filters.jurisdiction" must be one of the values in "details.takes"')
  const asked = await customer.ask('/v1/licenses/search/preview?jurisdiction=atlantis')
  expect(asked.body.errors.details.takes).toContain('ukgc')
  expect(asked.body.message).not.toContain('ukgc')
})

test('a single word in place of a list is refused with the accepted type', async () => {
  const { body } = await post('{"fields":"geo"}')
  expect(body.message).toMatch(/^"fields" must be a list, each one of .*geo/)
})

test('a truncated body answers invalid_json', async () => {
  const { status, body } = await post('{"filters":')
  expect([status, body.errors.code]).toEqual([400, 'invalid_json'])
})
