import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../src/catalogue.ts'
import { demoKey } from '../src/core/api-key.ts'
import { templatePath } from '../src/http/demo.ts'
import { loadDemoWorlds } from './harness/demo-world.ts'
import { type Customer, startService, type TestService } from './harness/service.ts'

let service: TestService
let customer: Customer
let ajv: Ajv2020
beforeAll(async () => {
  service = await startService()
  await loadDemoWorlds(service)
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

describe.each(catalogue)('$name answers what openapi.json declares', ({ path, method, demo }) => {
  test.each(demo)('the demo key: $title', async template => {
    const { status, body } = await service.ask(templatePath(path, template), { key: demoKey })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(errorsOf(path, method, status, body)).toBeNull()
  })

  test.each(demo)('a customer: $title', async template => {
    const { status, body } = await customer.ask(templatePath(path, template))
    expect(status, JSON.stringify(body)).toBe(200)
    expect(errorsOf(path, method, status, body)).toBeNull()
  })

  test('without a key, and with a wrong parameter', async () => {
    const unauthorized = await service.ask(path)
    expect(unauthorized.status).toBe(401)
    expect(errorsOf(path, method, 401, unauthorized.body)).toBeNull()
    const wrong = await customer.ask(`${path}?surely_unknown=1`)
    expect(wrong.status).toBe(400)
    expect(errorsOf(path, method, 400, wrong.body)).toBeNull()
  })
})
