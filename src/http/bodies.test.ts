import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'
import { recentUsage } from '../features/account/index.ts'

// How a JSON body is taken, by the one operation of /v1 that has one. Nothing matches here, so nothing is
// queued for money.

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService()
  customer = await service.customer()
})
afterAll(() => service.close())

const post = (body: string | undefined, type: string | null = 'application/json') =>
  customer.ask('/v1/exports', {
    method: 'POST',
    headers: type === null ? {} : { 'content-type': type },
    ...(body === undefined ? {} : { body }),
  })

test.each(['null', '[]', '"x"', '1', 'true'])(
  'unprocessable_body is the answer to %s, which is no object',
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
])('unprocessable_body tells what the member of %s takes', async (body, parameter) => {
  const { status, body: answer } = await post(body)
  expect([status, answer.errors.code, answer.errors.details.parameter]).toEqual([
    422,
    'unprocessable_body',
    parameter,
  ])
})

test('unknown_parameter is the answer to a member that there is not, so that no ceiling is lost to a typing error', async () => {
  const { status, body } = await post('{"max_credit":1}')
  expect([status, body.errors.code, body.errors.details.did_you_mean]).toEqual([
    400,
    'unknown_parameter',
    'max_credits',
  ])
})

test.each(['text/plain', 'text/xml', 'application/x-www-form-urlencoded'])(
  'unsupported_media_type is the answer to %s',
  async type => {
    const { status, body } = await post('{}', type)
    expect([status, body.errors.code]).toEqual([415, 'unsupported_media_type'])
  },
)

test.each([
  '{"filters":{"__proto__":{"jurisdiction":"nowhere"}}}',
  '{"filters":{"constructor":{"prototype":{"jurisdiction":7}},"toString":1}}',
])('%s has a key that nobody knows, which is ignored, and changes nothing for others', async body => {
  const { status, body: answer } = await post(body)
  expect([status, answer.errors?.code]).toEqual([202, undefined])
  expect(Object.hasOwn(Object.prototype, 'jurisdiction')).toBe(false)
  await service.service.usage.flush()
  const records = await recentUsage(service.service.live, customer.accountRef, new Date())
  const asked = records.map(record => JSON.stringify(record.request_params))
  expect(asked).toContain(body.replace(/}$/, ',"export_format":"csv"}'))
})

test.each(['{"__proto__":{"max_credits":1}}', '{"constructor":{"prototype":{"max_credits":1}}}'])(
  'unknown_parameter is the answer to %s, as to any member that there is not',
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
])('half a surrogate pair in %s is refused by name, and stops nobody else', async (body, parameter) => {
  const other = await service.customer()
  const [refused, passed] = await Promise.all([
    post(body),
    other.ask('/v1/exports', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }),
  ])
  expect([refused.status, refused.body.errors.code]).toEqual([422, 'unprocessable_body'])
  expect(refused.body.errors.details.parameter).toBe(parameter)
  expect(passed.status).toBe(202)
})

test('a whole surrogate pair is a character like any other', async () => {
  const { status } = await post(
    '{"filters":{"supplier_brand":"\\ud83c\\udfb2","\\ud83c\\udfb2":"\\ud83c\\udfb2"}}',
  )
  expect(status).toBe(202)
})

test('values that are nested beyond all sense are refused', async () => {
  const { status, body } = await post(`{"filters":{"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`)
  expect([status, body.errors.code]).toEqual([422, 'unprocessable_body'])
})

test('a list as long as that of the markets is told once', async () => {
  const { body } = await post('{"filters":{"jurisdiction":"atlantis"}}')
  expect(body.errors.details.takes).toContain('ukgc')
  expect(body.message).not.toContain('ukgc')
  expect(body.message).toContain('"filters.jurisdiction" must be one of the values in "details.takes"')
  const asked = await customer.ask('/v1/licenses/search/preview?jurisdiction=atlantis')
  expect(asked.body.errors.details.takes).toContain('ukgc')
  expect(asked.body.message).not.toContain('ukgc')
})

test('a list is what is told to be missing where one word of it was sent', async () => {
  const { body } = await post('{"fields":"geo"}')
  expect(body.message).toMatch(/^"fields" must be a list, each one of .*geo/)
})

test('invalid_json is the answer to half of a body', async () => {
  const { status, body } = await post('{"filters":')
  expect([status, body.errors.code]).toEqual([400, 'invalid_json'])
})

test('no body at all asks for what an empty object asks for', async () => {
  const [none, empty] = [await post(undefined, null), await post('{}')]
  expect([none.status, none.body.errors?.code]).toEqual([empty.status, empty.body.errors?.code])
  expect(none.status).toBeLessThan(300)
})
