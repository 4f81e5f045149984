/** These tests find, probe, watch and fetch registers at their official addresses. */
import type { Official, Reading, Stream } from '@baize/registers'
import { readDelimited, type SourceFile } from '@baize/tables'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  fileAnswer,
  networkAllowing,
  startTestServer,
  type TestServer,
} from '../../../packages/outbound/fixture.ts'
import { day, fakeStream, openTestWorld, type TestWorld } from '../fixture.ts'
import { fetchRegister } from './fetch-register.ts'
import { probeAll } from './probe-all.ts'
import { probeRegister } from './probe-register.ts'
import { readProbe } from './probes-store.ts'
import { findWatch, unwatchRegister, watchRegister } from './watch-register.ts'

let testWorld: TestWorld
let server: TestServer

beforeAll(async () => {
  testWorld = await openTestWorld()
  server = await startTestServer()
})
beforeEach(() => {
  server.requests.length = 0
})
afterEach(() => testWorld.empty())
afterAll(async () => {
  await server.close()
  await testWorld.close()
})

/** Reads a table of sites with the day of their listing. */
async function* readSites(files: readonly SourceFile[]): AsyncGenerator<Reading> {
  const layout = { site: { headers: ['Site'] }, day: { headers: ['Day'] } }
  for (const file of files)
    for await (const row of readDelimited(file, { encoding: 'utf-8', delimiter: ';' }, layout)) {
      if (row.kind !== 'row') {
        if (row.kind === 'unknown_column')
          yield { record: 'notice', notice: 'unknown column', published: row.name }
        continue
      }
      const { site, day } = row.cells
      if (site === 'Site') continue
      yield {
        record: 'blocklist_entry',
        recordKey: site,
        published: site,
        scope: 'domain',
        domain: site,
        listedAs: site,
        listedAt: `${day}T00:00:00Z`,
        delistedAt: null,
        listed: true,
      }
    }
}

function otterland(official: Partial<Official> = {}, facts: Partial<Stream> = {}): Stream {
  const fake = fakeStream('otterland.blocklist')
  return {
    ...fake,
    covers: ['blocklist'],
    read: readSites,
    rowsMin: 3,
    rowsMax: 1_000,
    official: {
      ...fake.official,
      columns: ['Site', 'Day', 'Remark'],
      files: [
        {
          url: `${server.url}/index.html`,
          resolve: { by: 'newest_link', href: '\\.csv', newest: 'latest_date' },
        },
      ],
      ...official,
    },
    ...facts,
  }
}

const sites = (count: number, offset = 0) =>
  Array.from(
    { length: count },
    (_, number) => `otter-${number + offset}.example;2026-01-${String(1 + (number % 28)).padStart(2, '0')}`,
  )
const csv = (rows: readonly string[]) => `${['Site;Day', ...rows].join('\n')}\n`
const withColumn = (name: string) => csv(sites(20)).replaceAll('\n', ';\n').replace('Day;', `Day;${name}`)
const html =
  (body: string): Answer =>
  response => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body)
  }
const index = (...links: string[]) =>
  html(`<title>Lists</title><p>${links.map(link => `<a href="${link}">List</a>`).join('')}</p>`)

const options = (number: number) => ({ now: day(number), network: networkAllowing(server.host) })
const probe = (stream: Stream, number = 1) => probeRegister(testWorld.world, stream, options(number))
const fetchOfficial = (stream: Stream, number: number) =>
  fetchRegister(testWorld.world, stream, options(number))
const watch = (stream: Stream) => watchRegister(testWorld.world, stream, { allowedHosts: [server.host] })

describe('a watched official register', () => {
  test('a watched official register is fetched again only when its link changes', async () => {
    const stream = otterland()
    server.answer('/index.html', index('/list-20260101.csv'))
    server.answer('/list-20260101.csv', fileAnswer(csv(sites(20)), '"v1"'))
    expect(await watch(stream)).toMatchObject({ isOfficial: true, everyMinutes: 1_440 })
    expect(await fetchOfficial(stream, 1)).toMatchObject({ status: 'applied', added: 20 })
    expect(await fetchOfficial(stream, 2)).toMatchObject({ status: 'unchanged', fetch: 'not_modified' })

    server.answer('/index.html', index('/list-20260101.csv', '/list-20260103.csv'))
    server.answer(
      '/list-20260103.csv',
      fileAnswer(csv([...sites(20), 'new-otter.example;2026-01-03']), '"v1"'),
    )
    server.requests.length = 0
    expect(await fetchOfficial(stream, 3)).toMatchObject({ status: 'applied', added: 1 })
    expect(server.requests.map(({ path, headers }) => [path, headers['if-none-match']])).toEqual([
      ['/index.html', undefined],
      // The validator of the old file is not sent for another file.
      ['/list-20260103.csv', undefined],
    ])
    expect(await testWorld.rowsOf('register_streams')).toMatchObject([
      { watch_url: `${server.url}/index.html`, watch_found_url: `${server.url}/list-20260103.csv` },
    ])
  })

  test('each fetch of a watched official register also reports how its address was found', async () => {
    const stream = otterland()
    server.answer('/index.html', index('/list.csv'))
    server.answer('/list.csv', fileAnswer(withColumn('Reason'), '"v1"'))
    await watch(stream)
    const report = await fetchOfficial(stream, 1)
    expect(report.layout_changes).toEqual(['new column: Reason'])
    expect(await readProbe(testWorld.world.database, stream.key)).toMatchObject({
      probed_at: day(1),
      is_well: true,
      changes: ['new column: Reason'],
      rows: 20,
      found_url: `${server.url}/list.csv`,
      is_nightly: false,
    })
  })

  test('a watched official register whose link is gone counts a failure, and its data stays', async () => {
    const stream = otterland()
    server.answer('/index.html', index('/list.csv'))
    server.answer('/list.csv', fileAnswer(csv(sites(20)), '"v1"'))
    await watch(stream)
    await fetchOfficial(stream, 1)
    const before = await testWorld.factsInForce()
    server.answer('/index.html', index('/report.pdf'))
    const report = await fetchOfficial(stream, 2)
    expect(report).toMatchObject({
      status: 'refused',
      fetch: 'not_found',
      try_again: true,
      reasons: [expect.stringMatching(/has 1 links, none with the address .*\.csv/)],
    })
    expect(await testWorld.factsInForce()).toEqual(before)
    expect(await testWorld.rowsOf('register_streams')).toMatchObject([
      { last_confirmed_at: day(1), watch_failures: 1 },
    ])
  })

  test('a watched official register of several files on one page fetches the page once', async () => {
    const file = (href: string) => ({
      url: `${server.url}/index.html`,
      resolve: { by: 'newest_link' as const, href },
    })
    const stream = otterland({ files: [file('a\\.csv'), file('b\\.csv')] })
    server.answer('/index.html', index('/a.csv', '/b.csv'))
    server.answer('/a.csv', fileAnswer(csv(sites(10)), '"a"'))
    server.answer('/b.csv', fileAnswer(csv(sites(10, 50)), '"b"'))
    expect(await fetchOfficial(stream, 1)).toMatchObject({ status: 'applied', added: 20 })
    expect(server.requests.map(each => each.path)).toEqual(['/index.html', '/a.csv', '/b.csv'])
  })

  test('an official register with only a home page, or no file address, cannot be watched', async () => {
    const stream = otterland({ files: [] })
    await expect(watch(stream)).rejects.toThrow(
      'The address of the file of otterland.blocklist is not known: https://regulator.example/ is a page for people.',
    )
    const urls = ['https://regulator.example/']
    await expect(watchRegister(testWorld.world, stream, { urls, allowedHosts: [] })).rejects.toThrow(
      'https://regulator.example/ is a home page, not a file.',
    )
    expect(await findWatch(testWorld.world, stream.key)).toBeUndefined()
  })
})

describe('a probe of an official register', () => {
  test('a probe reports what it found at the official address, and applies nothing', async () => {
    server.answer('/index.html', index('/list.csv'))
    server.answer('/list.csv', response => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end(withColumn('New'))
    })
    expect(await probe(otterland())).toEqual({
      stream: 'otterland.blocklist',
      official_url: 'https://regulator.example/',
      probed_at: day(1),
      is_well: true,
      is_reachable: true,
      found_urls: [`${server.url}/list.csv`],
      media_type: 'text/csv',
      layout: 'recorded',
      is_layout_recognised: true,
      rows: 20,
      rejected: 0,
      rows_min: 3,
      rows_max: 1_000,
      newest_date: '2026-01-20',
      changes: ['new column: New'],
      known_obstacle: null,
      reasons: [],
    })
    expect(await testWorld.factsInForce()).toEqual([])
    for (const table of ['register_snapshots', 'register_runs', 'kept_files'])
      expect(await testWorld.rowsOf(table)).toEqual([])
  })

  test('a probe reports too few rows, and a media type that differs from the last probe', async () => {
    const stream = otterland()
    const serve = (rows: number, type: string) =>
      server.answer('/list.csv', response => {
        response.writeHead(200, { 'content-type': type }).end(csv(sites(rows)))
      })
    server.answer('/index.html', index('/list.csv'))
    serve(20, 'text/csv')
    await probe(stream)
    serve(2, 'application/octet-stream')
    expect(await probe(stream, 2)).toMatchObject({
      is_well: false,
      is_layout_recognised: true,
      reasons: [expect.stringContaining('2 rows, fewer than the 3 that known files allow')],
      changes: ['media type application/octet-stream, before text/csv'],
    })
  })

  test('a probe reports whether the guard would quarantine the change', async () => {
    const stream = otterland()
    server.answer('/index.html', index('/list.csv'))
    server.answer('/list.csv', fileAnswer(csv(sites(100)), '"v1"'))
    await fetchOfficial(stream, 1)
    server.answer('/list.csv', fileAnswer(csv(sites(40)), '"v2"'))
    const report = await probe(stream, 2)
    expect(report).toMatchObject({ is_well: false, rows: 40 })
    expect(report.reasons.join('; ')).toMatch(/40 entries after 100/)
    expect(await testWorld.rowsOf('register_snapshots')).toHaveLength(1)
  })

  test('a probe without a known file reports what is missing', async () => {
    expect(await probe(otterland({ files: [] }))).toMatchObject({
      is_well: false,
      is_reachable: false,
      is_layout_recognised: null,
      reasons: [expect.stringMatching(/is not known: .* is a page for people/)],
    })
    expect(server.requests).toEqual([])
  })

  test('probes follow the order of streams, and repeat nightly until the stream is unwatched', async () => {
    server.answer('/index.html', index('/list.csv'))
    server.answer('/list.csv', fileAnswer(csv(sites(20)), '"v1"'))
    const streams = Array.from({ length: 9 }, (_, number) => ({
      ...otterland(),
      key: `otterland.list${number}`,
    }))
    const reports = await probeAll(testWorld.world, streams, {
      network: networkAllowing(server.host),
      now: () => day(1),
    })
    expect(reports.map(report => [report.stream, report.is_well])).toEqual(
      streams.map(({ key }) => [key, true]),
    )
    const first = streams[0] as Stream
    const stored = () => readProbe(testWorld.world.database, first.key)
    expect(await stored()).toMatchObject({ is_nightly: true })
    await unwatchRegister(testWorld.world, first)
    expect(await stored()).toMatchObject({ is_nightly: false, is_well: true })
  })
})

describe('broken answers of an official address', () => {
  const good = csv(sites(120))
  const text =
    (content: string | Buffer, type = 'text/csv'): Answer =>
    response => {
      response.writeHead(200, { 'content-type': type }).end(content)
    }
  const status =
    (code: number): Answer =>
    response => {
      response.writeHead(code).end('<html>error</html>')
    }
  const login = html('<!doctype html><title>Sign in</title><form><input type="password"></form>')
  const captcha = html(
    '<!doctype html><title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/x"></script>',
  )
  const picture = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4_096, 0xd8)])
  const others = sites(120, 5_000)

  const answers: [what: string, answer: Answer, outcome: 'refused' | 'held', reason: RegExp][] = [
    [
      '404',
      status(404),
      'refused',
      /status 404\. The file may have moved: look for it from https:\/\/reg.*--url/,
    ],
    [
      '403',
      status(403),
      'refused',
      /status 403\. The site refuses programs or asks for a login.*register sync/,
    ],
    ['500', status(500), 'refused', /status 500\. The site is overloaded or has a fault.*register sync/],
    ['a web page', html('<!doctype html><title>News</title>'), 'refused', /a web page \("News"\).*--url/],
    ['a login page', login, 'refused', /HTML page.*it is a page that asks for a login \("Sign in"\)/],
    ['a captcha', captcha, 'refused', /checks whether its visitor is a person.*register sync/],
    ['an empty body', text(''), 'refused', /empty body/],
    ['half a file', text(good.slice(0, good.length / 2)), 'held', /beginning of the last snapshot's file/],
    ['a doubled file', text(`${good}${good}`), 'held', /contains everything twice/],
    ['another file', text(csv(others)), 'held', /would be removed/],
    [
      'another layout',
      text('Domain,Name\na.example,A\n'),
      'refused',
      /expected the columns \[Site \| Day\], found/,
    ],
    ['a PDF that is a picture', text(picture, 'application/pdf'), 'refused', /expected text, found a PDF/],
    ['another kind', text('{"rows": []}', 'application/json'), 'refused', /expected the columns/],
  ]
  test.each(answers)(
    'an answer with %s is refused or quarantined, and the last good data stays',
    async (_what, answer, outcome, reason) => {
      const stream = otterland()
      server.answer('/index.html', index('/list.csv'))
      server.answer('/list.csv', text(good))
      await watch(stream)
      await fetchOfficial(stream, 1)
      const before = await testWorld.factsInForce()
      server.answer('/list.csv', answer)
      const probed = await probe(stream, 2)
      expect(probed.is_well).toBe(false)
      expect(probed.reasons.join('; ')).toMatch(reason)
      const report = await fetchOfficial(stream, 2)
      expect(report.status).toBe(outcome)
      expect(report.reasons.join('; ')).toMatch(reason)
      expect(await testWorld.factsInForce()).toEqual(before)
      const [stored] = await testWorld.rowsOf('register_streams')
      expect(stored).toMatchObject({ last_confirmed_at: day(1), last_taken_at: day(1) })
    },
  )

  test('an answer of 300 MB is refused, and no more than the limit is received', async () => {
    const stream = otterland()
    let sent = 0
    server.answer('/index.html', index('/list.csv'))
    server.answer('/list.csv', response => {
      const piece = Buffer.alloc(1024 * 1024, 'x')
      const send = () => {
        while (sent < 300 && response.write(piece)) sent += 1
        sent += 1
        if (sent >= 300) response.end()
      }
      response.writeHead(200).on('drain', send)
      send()
    })
    const report = await fetchRegister(testWorld.world, stream, {
      ...options(1),
      fileBytesMax: 2 * 1024 * 1024,
    })
    expect(report).toMatchObject({ status: 'refused', fetch: 'too_large', try_again: false })
    expect(report.reasons[0]).toMatch(/No register is that large: open the address in a browser/)
    expect(sent).toBeLessThan(100)
  })

  test('the file of an earlier day that is served again is quarantined', async () => {
    const stream = otterland()
    server.answer('/index.html', index('/list.csv'))
    await watch(stream)
    server.answer('/list.csv', text(good))
    await fetchOfficial(stream, 1)
    server.answer('/list.csv', text(csv([...sites(120), 'new-otter.example;2026-01-02'])))
    expect(await fetchOfficial(stream, 2)).toMatchObject({ status: 'applied', added: 1 })
    server.answer('/list.csv', text(good))
    const again = await fetchOfficial(stream, 3)
    expect(again).toMatchObject({ status: 'held', removed: 1 })
    expect(again.reasons.join()).toMatch(
      /the rows are those of snap_\w+, taken at 2026-01-01.*an old state again/,
    )
    expect(await testWorld.verdictOf('new-otter.example')).toContain('blocklisted')
  })
})
