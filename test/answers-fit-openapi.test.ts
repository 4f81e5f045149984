import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../src/catalogue.ts'
import { demoKey } from '../src/core/api-key.ts'
import type { AnyOperation, DemoTemplate } from '../src/core/operation.ts'
import type { World } from '../src/database/open.ts'
import { nameDemoRefs } from '../src/dataset/demo-store.ts'
import { templatePath } from '../src/http/demo.ts'
import { loadDemoWorlds } from './harness/demo-world.ts'
import { type Ask, type Customer, type Response, startService, type TestService } from './harness/service.ts'

let service: TestService
let customer: Customer
let ajv: Ajv2020
beforeAll(async () => {
  service = await startService()
  await loadDemoWorlds(service)
  // A template may name a ref: here a customer's records have those of the demo.
  await nameDemoRefs(service.service.live.database)
  customer = await service.customer()
  const { body } = await service.ask('/openapi.json')
  ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(body, 'openapi.json')
})
afterAll(() => service.close())

function errorsOf(path: string, method: string, status: number, body: unknown): unknown {
  const pointer = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`
  const check = ajv.compile({ $ref: `openapi.json#${pointer}/content/application~1json/schema` })
  return check(body) ? null : check.errors
}

/** A template as a request; a body where the operation takes one. */
function requestOf({ method, body }: AnyOperation<World>, template?: DemoTemplate): Ask {
  if (body === undefined) return { method }
  const sent = JSON.stringify(template?.body ?? {})
  return { method, body: sent, headers: { 'content-type': 'application/json' } }
}

describe.each(catalogue)('$name answers what openapi.json declares', operation => {
  const { path, method, demo, success, download } = operation
  const expected = success?.status ?? 200

  function expectDeclared({ status, headers, text, body }: Response): void {
    expect(status, text).toBe(expected)
    if (download === undefined) expect(errorsOf(path, method, status, body)).toBeNull()
    else expect(download).toContain(headers.get('content-type'))
  }

  test.each(demo)('the demo key: $title', async template => {
    const request = { ...requestOf(operation, template), key: demoKey }
    expectDeclared(await service.ask(templatePath(path, template), request))
  })

  // What the demo key alone has, a customer does not find.
  test.each(demo.filter(() => operation.tag !== 'Exports'))('a customer: $title', async template => {
    expectDeclared(await customer.ask(templatePath(path, template), requestOf(operation, template)))
  })

  test('without a key, and with a wrong parameter', async () => {
    const unauthorized = await service.ask(path, requestOf(operation))
    expect(unauthorized.status).toBe(401)
    expect(errorsOf(path, method, 401, unauthorized.body)).toBeNull()
    const wrong = await customer.ask(`${path}?surely_unknown=1`, requestOf(operation))
    expect(wrong.status).toBe(400)
    expect(errorsOf(path, method, 400, wrong.body)).toBeNull()
  })
})
