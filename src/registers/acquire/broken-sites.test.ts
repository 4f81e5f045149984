/** Each way of finding the files of a register fails with a reason. The last good data and its age stay. */
import type { OfficialFile, Stream } from '@baize/registers'
import { readBlocklist } from '@baize/registers/test/described'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  networkAllowing,
  startTestServer,
  type TestServer,
} from '../../../packages/outbound/fixture.ts'
import { day, fakeStream, openTestWorld, type TestWorld } from '../fixture.ts'
import { fetchRegister } from './fetch-register.ts'
import { watchRegister } from './watch-register.ts'

let testWorld: TestWorld
let server: TestServer
beforeAll(async () => {
  testWorld = await openTestWorld()
  server = await startTestServer()
})
afterEach(() => testWorld.empty())
afterAll(async () => {
  await server.close()
  await testWorld.close()
})

const fileBytesMax = 1024 * 1024
const hosts = (first: number) => Array.from({ length: 60 }, (_, index) => `otter-${first + index}.example\n`)
const list = hosts(0).join('')
const sheet = '/spreadsheets/d/1AbC'

/** The answers by path. The first one leads to the others. */
type Site = Record<string, string>
type Way = { resolve: OfficialFile['resolve']; at: string; site: Site; withoutLink?: [string, RegExp] }

const ways: Record<string, Way> = {
  'a known address': { resolve: { by: 'direct' }, at: '/list.txt', site: { '/list.txt': list } },
  'a link on a page': {
    resolve: { by: 'newest_link', href: '\\.txt$' },
    at: '/index.html',
    site: { '/index.html': '<title>Lists</title><a href="/list.txt">List</a>', '/list.txt': list },
    withoutLink: [
      '<title>Lists</title><a href="/news">News</a>',
      /has 1 links, none with.*register watch --url/,
    ],
  },
  'a link on the page of a link': {
    resolve: { by: 'newest_link', href: '2026$', next: { href: '\\.txt$' } },
    at: '/index.html',
    site: {
      '/index.html': '<title>Lists</title><a href="/2026">2026</a>',
      '/2026': '<title>2026</title><a href="/list.txt">List</a>',
      '/list.txt': list,
    },
    withoutLink: ['<title>Lists</title>', /\("Lists"\) has 0 links.*register watch --url/],
  },
  'a field of JSON': {
    resolve: { by: 'json_field', path: 'files/*/url' },
    at: '/api',
    site: { '/api': '{"files":[{"url":"/list.txt"}]}', '/list.txt': list },
    withoutLink: ['{"files":[]}', /no address at files.*register watch --url/],
  },
  'numbered pages': {
    resolve: { by: 'pages', parameter: 'page' },
    at: '/pages',
    site: { '/pages': `${list}<a href="?page=2">2</a>\n`, '/pages?page=2': hosts(60).join('') },
    withoutLink: [list, /60 entries after 120/],
  },
  'a sheet of an online spreadsheet': {
    resolve: { by: 'sheet', gid: 7 },
    at: `${sheet}/edit`,
    site: { [`${sheet}/export?format=csv&gid=7`]: list },
  },
}

const status =
  (code: number): Answer =>
  response =>
    response.writeHead(code).end()
const content =
  (text: string): Answer =>
  response =>
    response.writeHead(200).end(text)

const faults: [what: string, answer: Answer, reason: RegExp][] = [
  ['404', status(404), /status 404\. The file may have moved.*register watch otterland\.blocklist --url/],
  ['500', status(500), /status 500\. The site is overloaded or has a fault.*register sync/],
  [
    'a login page',
    content('<!doctype html><title>Sign in</title><form><input type="password"></form>'),
    /asks for a login \("Sign in"\)/,
  ],
  [
    'a captcha page',
    content('<!doctype html><title>Just a moment...</title>'),
    /checks whether its visitor is a person/,
  ],
  ['too many bytes', content('x'.repeat(5 * fileBytesMax)), /No register is that large.*register watch/],
  ['nothing', content(''), /empty|has 0 links|not JSON/],
]

function otterland({ resolve, at }: Way): Stream {
  const fake = fakeStream('otterland.blocklist', { covers: ['blocklist'] })
  return {
    ...fake,
    official: { ...fake.official, files: [{ url: `${server.url}${at}`, resolve }] },
    async *read(files) {
      for (const file of files) yield* readBlocklist([file])
    },
  }
}

describe.each(Object.entries(ways))('broken sites of a register found by %s', (_name, way) => {
  const fetchAt = (stream: Stream, night: number) =>
    fetchRegister(testWorld.world, stream, {
      now: day(night),
      network: networkAllowing(server.host),
      fileBytesMax,
    })

  async function expectNoChange(broken: [path: string, answer: Answer], reason: RegExp, outcome: string) {
    const stream = otterland(way)
    for (const [path, text] of Object.entries(way.site)) server.answer(path, content(text))
    await watchRegister(testWorld.world, stream, { allowedHosts: [server.host] })
    expect(await fetchAt(stream, 1)).toMatchObject({ status: 'applied' })
    const before = await testWorld.factsInForce()
    server.answer(...broken)
    const report = await fetchAt(stream, 2)
    expect(report.reasons.join('; ')).toMatch(reason)
    expect(report.status).toBe(outcome)
    expect(await testWorld.factsInForce()).toEqual(before)
    const [stored] = await testWorld.rowsOf('register_streams')
    expect(stored).toMatchObject({ last_confirmed_at: day(1), last_taken_at: day(1) })
  }

  const cases = Object.keys(way.site).flatMap(path => faults.map(fault => [path, ...fault] as const))
  test.each(cases)(
    'a fault is refused and changes no fact: %s answers with %s',
    async (path, _what, answer, reason) => {
      await expectNoChange([path, answer], reason, 'refused')
    },
  )

  test.each(way.withoutLink === undefined ? [] : [way.withoutLink])(
    'a page without the link to the file changes no fact',
    async (text, reason) => {
      const [first = ''] = Object.keys(way.site)
      await expectNoChange([first, content(text)], reason, way.resolve.by === 'pages' ? 'held' : 'refused')
    },
  )
})
