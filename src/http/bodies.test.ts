import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'
import { recentUsage } from '../features/account/index.ts'

// How a JSON body is taken, by the one operation of /v1 that has one. Nothing matches here, so nothing is queued for money.

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
  const [asked] = await recentUsage(service.service.live, customer.accountRef, new Date())
  expect(JSON.stringify(asked?.request_params)).toBe(body.replace(/}$/, ',"export_format":"csv"}'))
})

test.each(['{"__proto__":{"max_credits":1}}', '{"constructor":{"prototype":{"max_credits":1}}}'])(
  'unknown_parameter is the answer to %s, as to any member that there is not',
  async body => {
    const { status, body: answer } = await post(body)
    expect([status, answer.errors.code]).toEqual([400, 'unknown_parameter'])
    expect(answer.errors.details.parameter).toBe(Object.keys(JSON.parse(body))[0])
  },
)

test('invalid_json is the answer to half of a body', async () => {
  const { status, body } = await post('{"filters":')
  expect([status, body.errors.code]).toEqual([400, 'invalid_json'])
})

test('no body at all asks for what an empty object asks for', async () => {
  const [none, empty] = [await post(undefined, null), await post('{}')]
  expect([none.status, none.body.errors?.code]).toEqual([empty.status, empty.body.errors?.code])
  expect(none.status).toBeLessThan(300)
})
