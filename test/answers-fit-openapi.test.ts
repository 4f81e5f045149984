import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../src/catalogue.ts'
import { demoKey } from '../src/core/api-key.ts'
import type { AnyOperation, DemoTemplate } from '../src/core/operation.ts'
import type { World } from '../src/database/open.ts'
import { templatePath } from '../src/http/answer/demo-templates.ts'
import { setDemoRefs } from './harness/import-demo.ts'
import { type Ask, type Customer, type Response, startService, type TestService } from './harness/service.ts'

let service: TestService
let customer: Customer
let ajv: Ajv2020
let document: Document
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  // The customers' records get the refs of the demo, because templates may contain refs.
  await setDemoRefs(service.service.live.database)
  customer = await service.customer()
  const { body } = await service.ask('/openapi.json')
  document = body
  ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(body, 'openapi.json')
})
afterAll(() => service.close())

type Answer = { $ref?: string; headers?: object; content?: object }
type Described = {
  parameters?: { name: string; in: string; example?: unknown }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, Answer>
}
type Document = {
  paths: Record<string, Record<string, Described>>
  components: { responses: Record<string, Answer> }
}

const ofHttp = [
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
]
const everywhere = ['cache-control', 'x-content-type-options']

/**
 * Returns the declared response and its place in the document. Several operations may share one response.
 */
function declaredFor(path: string, method: string, status: number): { answer: Answer; pointer: string } {
  const answer = document.paths[path]?.[method.toLowerCase()]?.responses[status] ?? {}
  const own = `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`
  const shared = document.components.responses[answer.$ref?.split('/').at(-1) ?? '']
  return { answer: shared ?? answer, pointer: answer.$ref ?? own }
}

function undeclaredHeaders(path: string, method: string, { status, headers }: Response): string[] {
  const declared = Object.keys(declaredFor(path, method, status).answer.headers ?? {})
  const known = new Set([...declared.map(name => name.toLowerCase()), ...ofHttp, ...everywhere])
  return [...headers.keys()].filter(name => !known.has(name))
}

function errorsOf(path: string, method: string, status: number, body: unknown): unknown {
  const { pointer } = declaredFor(path, method, status)
  const check = ajv.compile({ $ref: `openapi.json${pointer}/content/application~1json/schema` })
  return check(body) ? null : check.errors
}

function requestOf({ method, body }: AnyOperation<World>, template?: DemoTemplate): Ask {
  if (body === undefined) return { method }
  const sent = JSON.stringify(template?.body ?? {})
  return { method, body: sent, headers: { 'content-type': 'application/json' } }
}

describe.each(catalogue)('the operation $name and openapi.json', operation => {
  const { path, method, demo, success, download } = operation
  const expected = success?.status ?? 200

  function expectDeclared(response: Response): void {
    const { status, headers, text, body } = response
    expect(status, text).toBe(expected)
    expect(undeclaredHeaders(path, method, response)).toEqual([])
    if (download === undefined) expect(errorsOf(path, method, status, body)).toBeNull()
    else expect(Object.keys(download)).toContain(headers.get('content-type'))
  }

  test.each(demo)(
    `${operation.name} answers the demo key as openapi.json declares: $title`,
    async template => {
      const request = { ...requestOf(operation, template), key: demoKey }
      expectDeclared(await service.ask(templatePath(path, template), request))
    },
  )

  // Operations with these tags are skipped, because only the demo key has their records and its past.
  const ofDemo = ['Exports', 'Enrichments', 'Lobby monitor', 'Portfolios']
  const ofOtherDays = /"(as_of|known_at)"/
  const forCustomers = demo.filter(each => !ofOtherDays.test(JSON.stringify(each)))
  test.each(forCustomers.filter(() => !ofDemo.includes(operation.tag)))(
    `${operation.name} answers a customer as openapi.json declares: $title`,
    async template => {
      expectDeclared(await customer.ask(templatePath(path, template), requestOf(operation, template)))
    },
  )

  test(`${operation.name} refuses a missing key and a wrong parameter as openapi.json declares`, async () => {
    const unauthorized = await service.ask(path, requestOf(operation))
    expect(unauthorized.status).toBe(401)
    expect(errorsOf(path, method, 401, unauthorized.body)).toBeNull()
    expect(undeclaredHeaders(path, method, unauthorized)).toEqual([])
    const wrong = await customer.ask(`${path}?surely_unknown=1`, requestOf(operation))
    expect(wrong.status).toBe(400)
    expect(errorsOf(path, method, 400, wrong.body)).toBeNull()
    expect(undeclaredHeaders(path, method, wrong)).toEqual([])
  })
})

describe('headers of a download', () => {
  const path = '/v1/exports/{id}/download'
  const ask = (headers: Record<string, string>) =>
    service.ask('/v1/exports/1/download', { key: demoKey, headers })

  test.each([
    [200, {}],
    [206, { range: 'bytes=0-1' }],
    [416, { range: 'bytes=999999-' }],
  ])(
    'a download with the status %i has the headers that openapi.json declares',
    async (status, headers: Record<string, string>) => {
      const response = await ask(headers)
      expect(response.status).toBe(status)
      expect(undeclaredHeaders(path, 'get', response)).toEqual([])
    },
  )

  test('a download with the status 304 has the headers that openapi.json declares', async () => {
    const { headers } = await ask({})
    const response = await ask({ 'if-none-match': headers.get('etag') ?? '' })
    expect(response.status).toBe(304)
    expect(undeclaredHeaders(path, 'get', response)).toEqual([])
  })

  test('openapi.json declares the 404 of an export that is not yet written, and of its record', async () => {
    const starter = await service.customer({ plan: 'starter' })
    const queued = await starter.ask('/v1/exports', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    for (const each of [path, '/v1/exports/{id}']) {
      const response = await starter.ask(each.replace('{id}', String(queued.body.data.export_id)))
      expect([response.status, response.headers.has('retry-after')]).toEqual([404, true])
      expect(errorsOf(each, 'get', 404, response.body)).toBeNull()
      expect(undeclaredHeaders(each, 'get', response)).toEqual([])
    }
  })
})

describe('public endpoints', () => {
  const form = '/prospect-list-requests'
  const asked = { name: 'Ada', email: 'ada@gateway.example', company: 'Gateway', request: 'Operators.' }
  const post = (body: unknown) =>
    service.ask(form, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })

  test.each([
    [202, asked],
    [400, { ...asked, phone: '1' }],
    [422, []],
    [429, asked],
  ])('the public form answers %i as openapi.json declares', async (status, body) => {
    let response = await post(body)
    while (status === 429 && response.status !== 429) response = await post(body)
    expect(response.status).toBe(status)
    expect(errorsOf(form, 'post', status, response.body)).toBeNull()
    expect(undeclaredHeaders(form, 'post', response)).toEqual([])
  })

  test.each([
    ['/images/{domain}', '/images/nobody.example', 200],
    ['/images/{domain}', '/images/luckyotter.example?format=svg', 302],
    ['/images/{domain}', '/images/10.0.0.1', 400],
    ['/images/{domain}', '/images/nobody.example?fallback=404', 404],
    ['/images/{kind}/{slug}', '/images/company/nobody', 200],
    ['/images/{kind}/{slug}', '/images/company/nobody?size=1', 400],
    ['/logos/{file}', '/logos/none.svg', 404],
  ])('the path %s answers %s with %i as openapi.json declares', async (path, url, status) => {
    const response = await service.ask(url)
    expect(response.status, response.text).toBe(status)
    expect(undeclaredHeaders(path, 'get', response)).toEqual([])
    const content = declaredFor(path, 'get', status).answer.content ?? {}
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    expect(type === '' ? [] : [type]).toEqual(Object.keys(content))
    if (status >= 400) expect(errorsOf(path, 'get', status, response.body)).toBeNull()
  })

  test('the stored logo in the example of openapi.json exists in the demo world', async () => {
    const { headers } = await service.ask('/images/demo/luckyotter.example?format=png')
    const [file] = document.paths['/logos/{file}']?.get?.parameters ?? []
    expect(headers.get('location')).toMatch(new RegExp(`/logos/${file?.example}$`))
  })

  test('a stored logo and a cached image are answered as openapi.json declares', async () => {
    const { headers } = await service.ask('/images/luckyotter.example')
    const { pathname } = new URL(headers.get('location') ?? '')
    const stored = await service.ask(pathname)
    const monogram = await service.ask('/images/nobody.example')
    const responses: [string, number, Response][] = [['/logos/{file}', 200, stored]]
    for (const [path, url, { headers: first }] of [
      ['/logos/{file}', pathname, stored],
      ['/images/{domain}', '/images/nobody.example', monogram],
    ] as const) {
      const cached = await service.ask(url, { headers: { 'if-none-match': first.get('etag') ?? '' } })
      responses.push([path, 304, cached])
    }
    for (const [path, status, response] of responses) {
      expect(response.status).toBe(status)
      expect(undeclaredHeaders(path, 'get', response)).toEqual([])
    }
  })
})

describe('all examples of openapi.json', () => {
  const demoed = catalogue.filter(({ demo }) => demo.length > 0)
  const images = ['/images/{domain}', '/images/{kind}/{slug}', '/logos/{file}']

  test.each([...demoed.map(({ path }) => path), ...images])(
    '%s answers a program that sends every example of openapi.json',
    async path => {
      const forDemo = demoed.filter(each => each.path === path).map(({ method }) => method.toLowerCase())
      for (const [method, { parameters = [], requestBody }] of Object.entries(document.paths[path] ?? {})) {
        if (forDemo.length > 0 && !forDemo.includes(method)) continue
        const response = await service.ask(urlOf(path, parameters), {
          method: method.toUpperCase(),
          key: demoKey,
          ...bodyOf(requestBody),
        })
        // The status 302 redirects to the stored image.
        expect([200, 202, 302], response.text).toContain(response.status)
      }
    },
  )

  function urlOf(path: string, parameters: NonNullable<Described['parameters']>): string {
    const query = new URLSearchParams()
    let filled = path
    for (const { name, in: place, example } of parameters) {
      if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)))
      else if (example !== undefined) for (const each of [example].flat()) query.append(name, String(each))
    }
    return `${filled}?${query}`
  }

  function bodyOf(requestBody: Described['requestBody']): Ask {
    const example = requestBody?.content['application/json']?.example
    if (example === undefined) return {}
    return { body: JSON.stringify(example), headers: { 'content-type': 'application/json' } }
  }
})
