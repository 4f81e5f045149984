import { markets } from '@baize/names'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { signIn } from '../../../test/harness/sign-in.ts'
import { recordCoverage } from '../../features/coverage/index.ts'

const html = { accept: 'text/html' }

let service: TestService
let empty: TestService

beforeAll(async () => {
  service = await startService({ world: 'demo_with_registers' })
  empty = await startService({ world: 'demo_key' })
})
afterAll(async () => {
  await service.close()
  await empty.close()
})

describe('the page /', () => {
  test('the page / describes the service, and shows a verdict of the demo with its curl line', async () => {
    const { status, text, headers } = await empty.ask('/', { headers: html })
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(text).toContain('✓ licensed')
    expect(text).toContain('X-API-Key: client_demo')
    for (const link of ['/docs', '/coverage', '/request-a-list', '/dashboard'])
      expect(text).toContain(`href="${link}"`)
  })

  test('the page / looks up the templates of the demo, and nothing else', async () => {
    const blocked = await empty.ask('/?domain=redkite-casino.example', { headers: html })
    expect(blocked.text).toContain('✕ blocklisted')
    const other = await empty.ask('/?domain=%3Cscript%3E', { headers: html })
    expect([other.status, other.text.includes('<script>')]).toEqual([200, false])
  })

  test('the page / sends htmx only the part with the answer', async () => {
    const { text } = await empty.ask('/?domain=twofaced.example', {
      headers: { ...html, 'hx-target': '#verdict' },
    })
    expect(text).toMatch(/^<div id="verdict"/)
    expect(text).toContain('± mixed')
  })
})

describe('the page /coverage', () => {
  test('the page /coverage has every market once, with the state of its sources', async () => {
    const { status, body } = await service.ask('/coverage.json')
    expect(status).toBe(200)
    expect(body.markets.map((each: { market: string }) => each.market)).toEqual(
      markets.map(({ code }) => code),
    )
    const covered = body.markets.filter((each: { streams: unknown[] }) => each.streams.length > 0)
    expect(covered.length).toBeGreaterThan(0)
    expect(covered[0].streams[0]).toMatchObject({ truth_state: expect.any(String), rows: expect.any(Number) })
    const page = await service.ask('/coverage', { headers: html })
    for (const { name } of markets) expect(page.text).toContain(name.replaceAll('&', '&amp;').split(' ')[0])
  })

  test('each market has a public page with its sources, and an unknown code has none', async () => {
    const { status, text } = await service.ask('/coverage/ukgc', { headers: html })
    expect([status, text.includes('<h1>Great Britain</h1>')]).toEqual([200, true])
    expect(text).toContain('ukgc.licences')
    const read = await service.ask('/coverage/ukgc')
    expect(read.body.data.market).toBe('ukgc')
    expect((await service.ask('/coverage/atlantis', { headers: html })).status).toBe(404)
    expect((await service.ask('/sitemap.xml')).text).toContain('/coverage/ukgc<')
  })

  test('the page of prices lists what requests are charged by', async () => {
    const { status, text } = await service.ask('/pricing', { headers: html })
    expect([status, text.includes('Verdict of a site')]).toEqual([200, true])
    expect((await service.ask('/pricing')).body.data.prices['company.profile'].credits).toBe(3)
    expect((await service.ask('/', { headers: html })).text).toContain('Markets with a source')
  })

  test('the sources of the coverage page sort, and are files without a key', async () => {
    const get = (url: string) => service.ask(url, { headers: html })
    const csv = await get('/coverage.csv?sort=-stream')
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const rows = parse(csv.text, { columns: true }) as { stream: string }[]
    const streams = rows.map(({ stream }) => stream)
    expect(streams).toEqual(['ukgc.licences', 'italy.blocklist'])
    const { data } = (await get('/coverage.json?sort=-stream')).body
    expect(data.rows.map((row: { stream: string }) => row.stream)).toEqual(streams)
    expect((await get('/coverage?sort=nothing')).status).toBe(400)
    const page = (await get('/coverage?state=stale&sort=-market')).text
    expect(page).toContain('href="/coverage.csv?state=stale&amp;sort=-market"')
  })

  test('the page /coverage of a service without registers says so, and when its history starts', async () => {
    const { body } = await empty.ask('/coverage.json')
    expect(body).toMatchObject({ share_live: 0, history: { since: null, periods: [] } })
    expect((await empty.ask('/coverage', { headers: html })).text).toContain(
      'The history starts with the first day',
    )
  })

  test('the page /coverage shows the state of each day', async () => {
    const other = await startService({ world: 'demo_with_registers' })
    try {
      const { database } = other.service.live
      const now = other.service.now()
      await recordCoverage(database, new Date(now.getTime() - 86_400_000))
      await recordCoverage(database, now)
      await recordCoverage(database, now)
      const { history } = (await other.ask('/coverage.json')).body
      const [first] = history.periods
      expect(first).toMatchObject({ from: history.since, to: now.toISOString().slice(0, 10) })
      expect(first.from < first.to).toBe(true)
    } finally {
      await other.close()
    }
  })
})

describe('the page /request-a-list', () => {
  const fields = {
    name: 'Ada',
    email: 'ada@gateway.example',
    company: 'Gateway',
    request: 'Operators in Malta',
  }
  const post = (sent: Record<string, string>) =>
    empty.ask('/prospect-list-requests', {
      method: 'POST',
      headers: { ...html, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(sent).toString(),
    })

  test('the page /request-a-list has a form that a browser sends, which answers with a page', async () => {
    expect((await empty.ask('/request-a-list', { headers: html })).text).toContain(
      'action="/prospect-list-requests"',
    )
    const { status, text } = await post(fields)
    expect([status, text.includes('Your request has arrived.')]).toEqual([202, true])
  })

  test('an invalid field of a form is shown again with the reason and the typed text', async () => {
    const { status, text } = await post({ ...fields, email: 'no address', company: '<b>Gateway</b>' })
    expect(status).toBe(400)
    expect(text).toContain('aria-invalid="true"')
    expect(text).toContain('value="&lt;b&gt;Gateway&lt;/b&gt;"')
  })
})

test.each(['/', '/coverage', '/request-a-list'])(
  'the path %s answers browsers in HTML, and programs in JSON',
  async path => {
    const page = await empty.ask(path, { headers: html })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    for (const accept of ['application/json', '*/*']) {
      const { status, headers, body } = await empty.ask(path, { headers: { accept } })
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
      if (path === '/coverage') expect(Object.keys(body)).toContain('share_live')
      else expect(body).toMatchObject({ success: true, message: 'OK', data: expect.any(Object) })
      expect(headers.get('vary')).toContain('accept')
    }
    expect(page.headers.get('vary')).toContain('accept')
  },
)

test('links to public pages are shown by other sites with a picture of this host', async () => {
  for (const path of ['/', '/pricing', '/coverage/ukgc']) {
    const { text } = await empty.ask(path, { headers: html })
    expect(text).toContain(`<meta property="og:url" content="http://baize.test${path}">`)
    const [, picture = ''] = /og:image" content="http:\/\/baize\.test([^"]+)"/.exec(text) ?? []
    const { status, headers } = await empty.ask(picture)
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'image/png'])
  }
})

test('robots.txt allows the public pages, and not the dashboard', async () => {
  expect((await empty.ask('/robots.txt')).text).toContain('Disallow: /dashboard')
})

test('the sitemap lists public pages, each of which answers', async () => {
  const { status, text } = await empty.ask('/sitemap.xml')
  expect(status).toBe(200)
  const urls = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url))
  expect(urls.length).toBeGreaterThan(20)
  for (const { pathname } of urls)
    expect([pathname, (await empty.ask(pathname)).status]).toEqual([pathname, 200])
})

test('/favicon.ico is the icon of the pages', async () => {
  const { status, headers } = await empty.ask('/favicon.ico')
  expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})

test('security.txt names where to report a vulnerability, and ends within a year', async () => {
  const { status, text } = await empty.ask('/.well-known/security.txt')
  expect(status).toBe(200)
  expect(text).toMatch(/^Contact: http\S+\/request-a-list\nExpires: \d{4}-\d\d-\d\dT/)
})

test('pages send X-Frame-Options, so that no other site can frame them', async () => {
  expect((await empty.ask('/', { headers: html })).headers.get('x-frame-options')).toBe('DENY')
})

test('an error is a page with advice for browsers, and JSON for programs', async () => {
  const page = await empty.ask('/nothing-here', { headers: html })
  expect([page.status, page.text.includes('Check the address')]).toEqual([404, true])
  expect(page.headers.get('content-security-policy')).toContain("style-src 'self'")
  const { body } = await empty.ask('/nothing-here')
  expect(body.errors.code).toBe('route_not_found')
  const stranger = await signIn(empty, {})
  expect((await stranger.get('/dashboard/nothing')).text).toContain('Status 404')
})
