import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../catalogue.ts'
import { failureCatalogue } from '../core/failure.ts'
import { mountDocs } from './docs.ts'
import { refusal, sendRefusal } from './failures.ts'
import { openApiDocument } from './openapi.ts'

const baseUrl = 'https://api.baize.test/gambling'
const settings = {
  baseUrl,
  logoUrl: `${baseUrl}/logos`,
  imageUrl: `${baseUrl}/images`,
  throttlePerMinute: 0,
  trustProxy: null,
  observation: { isOn: true, waitSeconds: 240 },
}

let app: FastifyInstance
beforeAll(async () => {
  app = Fastify()
  app.setErrorHandler((error, _request, reply) =>
    sendRefusal(reply, refusal(error, baseUrl, '2026-03-01T12:00:00Z')),
  )
  app.get('/v1/beside', async () => ({}))
  await mountDocs(app, { operations: catalogue, settings })
})
afterAll(() => app.close())

const policyOf = (response: { headers: Record<string, unknown> }) =>
  String(response.headers['content-security-policy'])

test('/openapi.json is the document of the catalogue, for this address', async () => {
  const response = await app.inject('/openapi.json')
  expect(response.headers['content-type']).toContain('application/json')
  expect(response.headers['cache-control']).toBe('public, max-age=300')
  expect(response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(catalogue, baseUrl))))
})

test.each([
  ['/docs/', '/docs'],
  ['/docs/errors/', '/docs/errors'],
])('%s leads to %s, also below a path of a proxy', async (typed, meant) => {
  const { statusCode, headers } = await app.inject(typed)
  expect([statusCode, new URL(String(headers.location), baseUrl + typed).href]).toEqual([
    302,
    baseUrl + meant,
  ])
})

describe('/docs', () => {
  // Without a browser only the presence of both sides of the rule can be checked.
  test('moves the address of the try-it dialog off its sidebar button on a phone', async () => {
    const { body } = await app.inject('/docs')
    const [, selector = ''] = /@media \(max-width: \d+px\) \{ \.([\w-]+) \{ padding-left/.exec(body) ?? []
    const [, script = ''] = /src="(docs\/assets\/[^"]+)"/.exec(body) ?? []
    expect(selector).not.toBe('')
    expect((await app.inject(`/${script}`)).body).toContain(selector)
  })

  test('asks no other host for anything, and runs no script but its own file', async () => {
    const page = await app.inject('/docs')
    expect(page.statusCode).toBe(200)
    expect(page.body).not.toMatch(/(src|href)="(https?:)?\/\//)
    expect(policyOf(page)).toContain("script-src 'self';")
    expect(policyOf(page)).toContain("connect-src 'self' https://api.baize.test")
    expect(policyOf(page)).not.toContain('unsafe-eval')
  })

  test('names what it is drawn of to who runs no script', async () => {
    const { body } = await app.inject('/docs')
    const [, shown = ''] = body.match(/<noscript>(.*)<\/noscript>/s) ?? []
    const addresses = Array.from(shown.matchAll(/href="([^"]+)"/g), ([, address]) => `/${address}`)
    expect(addresses).toEqual(['/openapi.json', '/docs/errors'])
    for (const address of addresses) expect((await app.inject(address)).statusCode).toBe(200)
  })

  test('sends only the working request of a document that has its other parameters left out', async () => {
    const { body } = await app.inject('/docs')
    expect(body).toContain('&quot;url&quot;:&quot;./docs/openapi.json&quot;')
    type Document = Record<'paths', Record<string, { get: { parameters: Record<string, unknown>[] } }>>
    const parametersOf = async (url: string) =>
      (await app.inject(url)).json<Document>().paths['/v1/logos/search']?.get.parameters
    const [q, kind] = (await parametersOf('/openapi.json')) ?? []
    expect(await parametersOf('/docs/openapi.json')).toEqual([
      q,
      { ...kind, examples: { default: { 'x-disabled': true } } },
    ])
  })

  test('serves the program of the reference itself, compressed, for good', async () => {
    const [, file] = (await app.inject('/docs')).body.match(/src="(docs\/assets\/[^"]+)"/) ?? []
    const plain = await app.inject(`/${file}`)
    const gzipped = await app.inject({ url: `/${file}`, headers: { 'accept-encoding': 'gzip' } })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body).toContain('api-reference')
    expect(gzipped.headers['content-encoding']).toBe('gzip')
    expect(gzipped.headers['cache-control']).toContain('immutable')
    expect(gzipped.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
    expect((await app.inject('/docs/assets/another.js')).statusCode).toBe(404)
  })
})

describe('/docs/errors', () => {
  test.each(Object.entries(failureCatalogue))('%s has its page', async (code, { status }) => {
    const page = await app.inject(`/docs/errors/${code}`)
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.body).toContain(`<h1>${code}</h1>`)
    expect(page.body).toContain(`<strong>Status:</strong> ${status}</li>`)
    expect(policyOf(page)).not.toMatch(/script-src|unsafe/)
  })

  test('the index links each of them, by where it stands', async () => {
    const { body } = await app.inject('/docs/errors')
    for (const code of Object.keys(failureCatalogue)) expect(body).toContain(`<a href="errors/${code}">`)
    expect(body).not.toMatch(/<a href="[^"]*\.md"/)
  })

  test('the examples name this address, as the answers do', async () => {
    for (const path of ['/docs/errors', '/docs/errors/demo_key_restricted']) {
      const { body } = await app.inject(path)
      expect(body).toContain(`${baseUrl}/docs/errors/`)
      expect(body).not.toContain('127.0.0.1')
    }
  })

  test('a long code breaks behind its underscores', async () => {
    const { body } = await app.inject('/docs/errors')
    expect(body).toContain('<code>legacy_<wbr>cursor_<wbr>not_<wbr>supported</code>')
  })

  test.each(['no_such_code', 'README', '..%2F..%2Fpackage.json'])(
    '%s is a path that does not exist',
    async name => {
      const response = await app.inject(`/docs/errors/${name}`)
      expect(response.statusCode).toBe(404)
      expect(response.json().errors.code).toBe('route_not_found')
    },
  )
})

test.each(['/docs', '/openapi.json', '/docs/errors', '/docs/errors/not_found'])('HEAD %s', async url => {
  const [head, get] = await Promise.all([app.inject({ method: 'HEAD', url }), app.inject(url)])
  expect([head.statusCode, head.body]).toEqual([get.statusCode, ''])
})

test('the pages about keys and the dashboard link each other', async () => {
  for (const [path, link] of [
    ['/docs/keys', 'dashboard'],
    ['/docs/dashboard', 'keys'],
  ] as const) {
    const { statusCode, body } = await app.inject(path)
    expect([statusCode, body.includes(`href="${link}"`)]).toEqual([200, true])
  }
})

test('the policies of the pages do not reach the API', async () => {
  expect((await app.inject('/v1/beside')).headers['content-security-policy']).toBeUndefined()
})
