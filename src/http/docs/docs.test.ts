import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '../../catalogue.ts'
import { failureCatalogue } from '../../core/failure.ts'
import { refusal, sendRefusal } from '../answer/failures.ts'
import { openApiDocument } from '../openapi/openapi.ts'
import { mountDocs } from './docs.ts'
import type { ApiDocument } from './reference-document.ts'

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
  for (const path of ['', 'coverage', 'pricing', 'dashboard', 'request-a-list', 'verify', 'sign-in'])
    app.get(`/${path}`, async () => ({}))
  await mountDocs(app, { operations: catalogue, settings })
})
afterAll(() => app.close())

const policyOf = (response: { headers: Record<string, unknown> }) =>
  String(response.headers['content-security-policy'])

test('/openapi.json is the document of the catalogue, with the base URL of the service', async () => {
  const response = await app.inject('/openapi.json')
  expect(response.headers['content-type']).toContain('application/json')
  expect(response.headers['cache-control']).toBe('public, max-age=300')
  expect(response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(catalogue, baseUrl))))
})

test.each([
  ['/docs/', '/docs'],
  ['/docs/errors/', '/docs/errors'],
  ['/docs/reference', '/docs'],
])('the path %s redirects to %s, also below a path of a proxy', async (typed, meant) => {
  const { statusCode, headers } = await app.inject(typed)
  expect([statusCode, new URL(String(headers.location), baseUrl + typed).href]).toEqual([
    302,
    baseUrl + meant,
  ])
})

test('programs of a page are tabs without a script, and its tables scroll inside themselves', async () => {
  const { body } = await app.inject({ url: '/docs/quickstart', headers: { accept: 'text/html' } })
  const [programs = ''] = /<div class="programs">.*?<\/div>/s.exec(body) ?? []
  expect(programs.match(/<label for="[^"]+">[^<]+/g)?.map(each => each.split('>')[1])).toEqual([
    'curl',
    'TypeScript',
    'Python',
  ])
  expect(programs.match(/ checked>/g)).toHaveLength(1)
  expect(body.match(/<table>/g)?.length).toBe(
    body.match(/<div class="wide"[^>]*tabindex="0"[^>]*><table>/g)?.length,
  )
})

const operations = () => {
  const { paths } = openApiDocument(catalogue, baseUrl) as ApiDocument
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...described,
      line: `${method.toUpperCase()} ${path}`,
    })),
  )
}

const idsIn = (body: string) => Array.from(body.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
const plainText = (html: string) =>
  html
    .replaceAll('<wbr>', '')
    .replaceAll(/<\/?span[^>]*>/g, '')
    .replaceAll('&quot;', '"')

describe('/docs', () => {
  test('/docs is a small page, which loads nothing but the script that copies', async () => {
    const page = await app.inject({ url: '/docs', headers: { accept: 'text/html' } })
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body.match(/<script|<link rel="stylesheet"/g)).toHaveLength(2)
    expect(page.body).toMatch(/<script src="\.\/assets\/[\w-]+\/script\.js" defer>/)
    expect(policyOf(page)).toContain("script-src 'self'")
    expect(policyOf(page)).not.toContain('unsafe')
    expect(page.body.length).toBeLessThan(40_000)
  })

  test('/docs begins with a program of the TypeScript client, and links the client', async () => {
    const { body } = await app.inject('/docs')
    const beforeOperations = plainText(body.slice(0, body.indexOf('<h2')))
    expect(beforeOperations).toContain(`import { Baize } from 'baize-api'`)
    expect(beforeOperations).toContain('<a href="docs/clients">baize-api</a>')
    expect(beforeOperations).toContain(`curl '${baseUrl}/v1/domains/resolve?domain=`)
  })

  test('every link of /docs leads to a page, an operation or openapi.json', async () => {
    const { body } = await app.inject('/docs')
    const links = Array.from(body.matchAll(/<a href="([^"]+)"/g), ([, href = '']) => href)
    expect(links.length).toBeGreaterThan(operations().length)
    for (const href of links) {
      const { href: whole } = new URL(href, `${baseUrl}/docs`)
      expect(whole.startsWith(`${baseUrl}/`)).toBe(true)
      expect([href, (await app.inject(whole.slice(baseUrl.length))).statusCode]).toEqual([href, 200])
    }
  })
})

describe.each(operations())('the reference of $operationId', ({ operationId, line, ...described }) => {
  const url = `/docs/reference/${operationId}`

  test(`${url} has the request, the parameters, the price and the answer of ${operationId}`, async () => {
    const page = await app.inject({ url, headers: { accept: 'text/html' } })
    expect(page.statusCode).toBe(200)
    expect(policyOf(page)).not.toContain('unsafe')
    const text = plainText(page.body)
    expect(text).toContain(`<h1>${described.summary}</h1>`)
    expect(text).toContain(`<code>${line}</code>`)
    for (const each of described.parameters ?? [])
      if ('name' in each) expect(text).toContain(`<code>${each.name}</code>`)
    for (const { credits, unit } of described['x-price'] ?? [])
      expect(text).toMatch(new RegExp(`${credits} credits? per ${unit}`))
    const { data } = catalogue.find(({ name }) => name === operationId) ?? {}
    if (described.responses['200']?.content?.['application/json'] !== undefined)
      for (const member of Object.keys(data?.properties ?? {}))
        expect(text).toContain(`<code>${member}</code>`)
  })

  test(`links inside ${url} lead to headings of the page, which have one id each`, async () => {
    const { body } = await app.inject({ url, headers: { accept: 'text/html' } })
    const ids = idsIn(body)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, id] of body.matchAll(/<a href="#([^"]+)"/g)) expect(ids).toContain(id)
  })
})

test('the page of an operation is Markdown for .md and for Accept; another name has none', async () => {
  const url = '/docs/reference/show_account'
  const [byPath, byAccept] = await Promise.all([
    app.inject(`${url}.md`),
    app.inject({ url, headers: { accept: 'text/markdown' } }),
  ])
  expect(byPath.body).toBe(byAccept.body)
  expect(byPath.body).toContain('`GET /v1/account`, in the [TypeScript client]')
  expect(byPath.body).toContain('console.log(await baize.getAccount())')
  const unknown = await app.inject('/docs/reference/show_nothing')
  expect([unknown.statusCode, unknown.json().errors.code]).toEqual([404, 'route_not_found'])
})

describe('pages of errors', () => {
  test.each(Object.entries(failureCatalogue))('the error code %s has a page', async (code, { status }) => {
    const page = await app.inject(`/docs/errors/${code}`)
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.body).toContain(`<h1>${code}</h1>`)
    expect(page.body).toContain(`<strong>Status:</strong> ${status}</li>`)
    expect(policyOf(page)).not.toMatch(/script-src|unsafe/)
  })

  test('the index of errors links each error page by a relative path', async () => {
    const { body } = await app.inject('/docs/errors')
    for (const code of Object.keys(failureCatalogue)) expect(body).toContain(`<a href="errors/${code}">`)
    expect(body).not.toMatch(/<a href="[^"]*\.md"/)
  })

  test('examples on error pages have the base URL of the service, as answers do', async () => {
    for (const path of ['/docs/errors', '/docs/errors/demo_key_restricted']) {
      const { body } = await app.inject(path)
      expect(body).toContain(`${baseUrl}/docs/errors/`)
      expect(body).not.toContain('127.0.0.1')
    }
  })

  test('a long error code may break after its underscores', async () => {
    const { body } = await app.inject('/docs/errors')
    expect(body).toContain('<code>legacy_<wbr>cursor_<wbr>not_<wbr>supported</code>')
  })

  test.each(['no_such_code', 'README', '..%2F..%2Fpackage.json'])(
    'the error page %s does not exist',
    async name => {
      const response = await app.inject(`/docs/errors/${name}`)
      expect(response.statusCode).toBe(404)
      expect(response.json().errors.code).toBe('route_not_found')
    },
  )
})

test.each(['/docs', '/openapi.json', '/docs/errors', '/docs/errors/not_found'])(
  'HEAD %s has the status of GET and no body',
  async url => {
    const [head, get] = await Promise.all([app.inject({ method: 'HEAD', url }), app.inject(url)])
    expect([head.statusCode, head.body]).toEqual([get.statusCode, ''])
  },
)

test('a bracket that opens no link is unchanged before a link to a page for operators', async () => {
  const { body } = await app.inject('/docs/domain-search.md')
  expect(body).toContain('[`since`, `until`)')
  expect(body).toContain('(how rows are read)')
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

test('the content security policies of the pages do not apply to the API', async () => {
  expect((await app.inject('/v1/beside')).headers['content-security-policy']).toBeUndefined()
})

test('code is highlighted without changing its text, and a button copies it', async () => {
  const { body, headers } = await app.inject({ url: '/docs/quickstart', headers: { accept: 'text/html' } })
  const [, box = ''] = /<figure class="copyable" aria-label="Python">(.*?)<\/figure>/s.exec(body) ?? []
  expect(box).toContain('<span class="k">import</span> json')
  expect(box).toContain('<button type="button" data-copy aria-label="Copy: Python">')
  const written = (await app.inject('/docs/quickstart.md')).body
  const textOf = (markup: string) =>
    markup
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
  const blocks = [...body.matchAll(/<pre><code>(.*?)<\/code><\/pre>/gs)].map(([, code = '']) => textOf(code))
  expect(blocks.length).toBeGreaterThan(2)
  for (const block of blocks) expect(written).toContain(block)
  expect(policyOf({ headers })).toContain("script-src 'self'")
  expect(body.match(/<script/g)).toHaveLength(1)
  expect(body).toMatch(/<script src="\.\.\/assets\/[\w-]+\/script\.js" defer>/)
})

test('each page of the docs has the navigation and the search, which works without a script', async () => {
  const quickstart = await app.inject('/docs/quickstart')
  expect(quickstart.body).toContain('<a href="../docs/quickstart" aria-current="page">')
  expect(quickstart.body).toContain('action="../docs/search"')
  const { body, statusCode } = await app.inject('/docs/search?q=idempotency%20key')
  expect(statusCode).toBe(200)
  expect(body).toMatch(/<h2><a href="[a-z/_-]+">/)
  expect((await app.inject('/docs/search?q=%3Cscript%3E')).body).not.toContain('<script>')
  expect((await app.inject('/docs/search?q=zzzzqq')).body).toContain('0 of ')
})
