import { globSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { servedFiles } from '../src/http/docs/page-files.ts'
import { startService, type TestService } from './harness/service.ts'

// Tests how programs and models find the docs: Markdown, /llms.txt and the API catalog.

let service: TestService
let baseUrl: string
beforeAll(async () => {
  service = await startService({ isReachable: true })
  baseUrl = service.service.settings.baseUrl
})
afterAll(() => service.close())

const pages = [
  'quickstart',
  'guides/screen-a-portfolio',
  'guides/wire-an-agent',
  'site-checks',
  'keys',
  'errors',
  'errors/not_found',
]

const linksIn = (markdown: string) =>
  [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, href = '']) => href)
    .filter(href => !href.startsWith('#'))

describe.each(['', ...pages.map(page => `/${page}`)])('/docs%s', page => {
  const path = `/docs${page}`

  test(`the page ${path} is Markdown for the path .md and for Accept, and HTML for browsers`, async () => {
    const [byPath, byAccept, both, ofBrowser, other] = await Promise.all([
      service.ask(`${path}.md`),
      service.ask(path, { headers: { accept: 'text/markdown' } }),
      service.ask(path, { headers: { accept: 'text/markdown, text/html, */*' } }),
      service.ask(path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }),
      service.ask(path, { headers: { accept: 'text/markdown;q=0.5, text/html' } }),
    ])
    for (const { status, headers, text } of [byPath, byAccept, both]) {
      expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
      expect(text).toBe(byPath.text)
    }
    for (const { headers } of [ofBrowser, other]) expect(headers.get('content-type')).toContain('text/html')
    expect(byAccept.headers.get('vary')).toContain('accept')
    expect(ofBrowser.headers.get('vary')).toContain('accept')
    expect(byAccept.headers.get('etag')).not.toBe(ofBrowser.headers.get('etag'))
    expect(byPath.text).toMatch(/^# /)
  })
})

test('every link of every page works, as HTML and as Markdown', async () => {
  const list = (await service.ask('/llms.txt')).text
  const seen = new Set(linksIn(list).filter(href => href.endsWith('.md')))
  expect(seen.size).toBeGreaterThan(40)
  const links = new Set(linksIn(list))
  const ids = new Map<string, string>()
  for (const page of seen) {
    const { text } = await service.ask(page.slice(baseUrl.length))
    for (const href of linksIn(text)) links.add(href)
    const html = await service.ask(page.slice(baseUrl.length, -'.md'.length), {
      headers: { accept: 'text/html' },
    })
    const address = page.slice(0, -'.md'.length)
    ids.set(address, html.text)
    for (const [, href = ''] of html.text.matchAll(/<a href="([^"]+)"/g))
      links.add(new URL(href, address).href)
  }
  const wrong: string[] = []
  for (const href of links) {
    expect([href, href.startsWith(`${baseUrl}/`)]).toEqual([href, true])
    const { origin, pathname, search, hash } = new URL(href)
    const heading = `id="${hash.slice(1)}"`
    const isFound = ids.get(`${origin}${pathname}`.replace(/\.md$/, ''))?.includes(heading) ?? false
    if (hash !== '' && !isFound) wrong.push(`no heading ${href}`)
    const { status } = await service.ask(`${pathname}${search}`)
    if (status !== 200 && !(status === 401 && /\/(mcp|dashboard)$/.test(href)))
      wrong.push(`${status} ${href}`)
  }
  expect(wrong).toEqual([])
})

test('each page of docs/ is served, or is listed as a page for operators and developers', () => {
  const internal = [
    'data-model.md',
    'describing-a-register.md',
    'identity-quality.md',
    'lobby-quality.md',
    'map.md',
    'observation-quality.md',
    'operating.md',
    'registers.md',
    'running-a-cluster.md',
    'search-quality.md',
  ]
  const written = globSync(['*.md', 'guides/*.md'], { cwd: new URL('../docs/', import.meta.url) })
  const served = servedFiles.filter(file => !file.startsWith('errors/'))
  expect(
    written.toSorted(),
    'List a page for customers in src/http/docs/page-files.ts, another one here.',
  ).toEqual([...served, ...internal].toSorted())
})

test('the file /llms.txt describes the API, and lists every page with its purpose', async () => {
  const { status, headers, text } = await service.ask('/llms.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text).toMatch(/^# Baize\n\n> The data API of the gambling industry/)
  expect(text).toContain('not that a site is unlicensed')
  for (const page of pages.filter(each => each !== 'errors/not_found'))
    expect(text).toContain(`/docs/${page}.md): `)
  for (const line of text.split('\n').filter(each => each.startsWith('- [')))
    expect(line).toMatch(/\): \S.{10,}/)
})

test('/llms-full.txt has the text of every page', async () => {
  const { status, text } = await service.ask('/llms-full.txt')
  expect(status).toBe(200)
  for (const page of pages.filter(each => each !== 'errors/not_found'))
    expect(text).toContain((await service.ask(`/docs/${page}.md`)).text.trim())
})

test('/.well-known/api-catalog lists the interfaces, and HEAD returns its link (RFC 9727)', async () => {
  const path = '/.well-known/api-catalog'
  const [get, head] = await Promise.all([service.ask(path), service.ask(path, { method: 'HEAD' })])
  for (const { status, headers } of [get, head]) {
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    )
    expect(headers.get('link')).toBe(`<${baseUrl}${path}>; rel="api-catalog"`)
  }
  const { linkset } = JSON.parse(get.text)
  const anchors = linkset.map(({ anchor }: { anchor: string }) => anchor.slice(baseUrl.length))
  expect(anchors).toEqual([path, '/v1', '/mcp'])
  const { anchor: _api, ...ofApi } = linkset[1]
  for (const { href, type } of Object.values(ofApi).flat() as { href: string; type?: string }[]) {
    const { status, headers } = await service.ask(href.slice(baseUrl.length), {
      headers: { accept: type ?? '*/*' },
    })
    expect([href, status]).toEqual([href, 200])
    if (type !== undefined) expect(headers.get('content-type')).toContain(type)
  }
})

test('the Markdown reference has every operation with its path, price and parameters', async () => {
  const { text } = await service.ask('/docs.md')
  for (const { method, path, query } of service.service.operations) {
    expect(text).toContain(`\`${method} ${path}\``)
    for (const name of Object.keys(query.properties)) expect(text).toContain(`| \`${name}\` | query |`)
  }
  expect(text).toContain('**Price.** 1 credit per verdict')
})
