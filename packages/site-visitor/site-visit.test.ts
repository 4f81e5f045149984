import { expect, test } from 'vitest'
import type { PageAnswer } from './capture-answer.ts'
import { type SiteTools, SiteVisit } from './site-visit.ts'

const page = (body = ''): PageAnswer => ({
  status: 200,
  headers: {},
  location: null,
  body: Buffer.from(body),
  truncated: false,
  certificate: null,
})
const redirect = (location: string, status = 302): PageAnswer => ({
  status,
  headers: { location },
  location,
  body: Buffer.alloc(0),
  truncated: false,
  certificate: null,
})

function visitOf(answers: Record<string, PageAnswer>, tools: Partial<SiteTools> = {}) {
  const requested: string[] = []
  let nowMs = 0
  const visit = new SiteVisit(
    'otter.example',
    {
      async fetchPage(url) {
        requested.push(url)
        return answers[url] ?? { failure: { reason: 'refused_connection', message: 'refused' } }
      },
      takeTurn: async () => 0,
      now: () => new Date(nowMs),
      signal: new AbortController().signal,
      ...tools,
    },
    { endsAtMs: 55_000, isOfSite: url => new URL(url).hostname.endsWith('otter.example') },
  )
  return { visit, requested, passTime: (ms: number) => (nowMs += ms) }
}

test('redirects within the site are followed and stored as a chain', async () => {
  const { visit } = visitOf({
    'https://otter.example/': redirect('https://www.otter.example/', 301),
    'https://www.otter.example/': redirect('https://www.otter.example/en'),
    'https://www.otter.example/en': page('hello'),
  })
  expect(await visit.capture('https://otter.example/', 'root')).toMatchObject({
    status: 200,
    finalUrl: 'https://www.otter.example/en',
    redirectChain: ['https://otter.example/', 'https://www.otter.example/', 'https://www.otter.example/en'],
    failure: null,
  })
  expect(visit.requestsLeft).toBe(4)
})

test('a redirect to another site is recorded and never followed', async () => {
  const { visit, requested } = visitOf({ 'https://otter.example/': redirect('https://kite.example/') })
  expect(await visit.capture('https://otter.example/', 'root')).toMatchObject({
    status: 302,
    finalUrl: 'https://kite.example/',
    redirectChain: ['https://otter.example/', 'https://kite.example/'],
  })
  expect(requested).toEqual(['https://otter.example/'])
})

test('a redirect to a page that robots.txt forbids is not followed', async () => {
  const { visit, requested } = visitOf({ 'https://otter.example/': redirect('https://otter.example/en/') })
  visit.mayFetch = async url => !url.endsWith('/en/')
  expect(await visit.capture('https://otter.example/', 'root')).toMatchObject({
    status: null,
    failure: { reason: 'robots_disallow' },
    redirectChain: ['https://otter.example/', 'https://otter.example/en/'],
  })
  expect(requested).toEqual(['https://otter.example/'])
})

test('a loop of redirects ends as a failure of the capture', async () => {
  const { visit, requested } = visitOf({
    'https://otter.example/': redirect('https://otter.example/a'),
    'https://otter.example/a': redirect('https://otter.example/'),
  })
  const { failure } = await visit.capture('https://otter.example/', 'root')
  expect(failure?.reason).toBe('too_many_redirects')
  expect(requested).toHaveLength(2)
})

test('a check makes at most 7 requests for pages, with redirects, and one for the logo', async () => {
  const answers = Object.fromEntries(
    Array.from({ length: 20 }, (_, step) => [
      `https://otter.example/${step}`,
      step < 4 ? redirect(`https://otter.example/${step + 1}`) : page(),
    ]),
  )
  const { visit, requested } = visitOf(answers)
  await visit.capture('https://otter.example/0', 'root')
  for (let step = 5; step < 12; step++) await visit.capture(`https://otter.example/${step}`, 'page')
  expect(requested).toHaveLength(7)
  expect(visit.requestsLeft).toBe(0)
})

test('the pages of one check have at most 15 MB together', async () => {
  const limits: number[] = []
  const { visit } = visitOf(
    {},
    {
      async fetchPage(_url, { bytesMax }) {
        limits.push(bytesMax)
        return page('x'.repeat(Math.min(bytesMax, 5_000_000)))
      },
    },
  )
  for (let step = 0; step < 5; step++) await visit.capture(`https://otter.example/${step}`, 'page')
  expect(limits).toEqual([5_242_880, 5_242_880, 5_242_880, 728_640])
})

test("a page is not requested if the host's queue is too long or the time of the check is over", async () => {
  const late = visitOf({}, { takeTurn: async () => null })
  expect((await late.visit.capture('https://otter.example/', 'root')).failure?.reason).toBe('rate_limited')
  const { visit, passTime, requested } = visitOf({})
  passTime(55_000)
  expect((await visit.capture('https://otter.example/', 'root')).failure?.reason).toBe('timeout')
  expect(requested).toEqual([])
})

test('a network error is stored as the failure of the capture', async () => {
  const { visit } = visitOf({})
  expect(await visit.capture('https://otter.example/', 'root')).toMatchObject({
    status: null,
    body: null,
    failure: { reason: 'refused_connection' },
  })
})
