/** What domain search sells as newly listed or dropped, the feed of register changes has, too. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BlocklistRow, findStream, type Stream, streams } from '@baize/registers'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RealSnapshot, realSnapshots } from '../../../scripts/journey-files.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { day, emptyRegisters, entry, fakeStream, fileOf, syncApproved } from '../fixture.ts'
import { sourceFileFrom } from '../index.ts'

let service: TestService
let customer: Customer
beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 10_000_000 })
})
afterEach(() => emptyRegisters(service.service.live.database))
afterAll(() => service.close())

async function get(path: string, parameters: Record<string, string>) {
  const { status, body } = await customer.ask(`${path}?${new URLSearchParams(parameters)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

/** Returns the sites that a search with these times sells, whatever their verdict. */
async function sold(geo: string, times: { since?: Date; dropped_before?: Date }): Promise<Set<string>> {
  const window = Object.entries(times).map(([name, time]) => [name, time.toISOString()])
  const domains = new Set<string>()
  for (const verdict of ['blocklisted', 'mixed'])
    for (let after = ''; ; ) {
      const paging = { per_page: '1000', ...(after === '' ? {} : { after }) }
      const page = await get('/v1/domains/search', { verdict, geo, ...Object.fromEntries(window), ...paging })
      for (const { domain } of page.domains) domains.add(domain)
      if (page.next_cursor === null || page.domains.length === 0) break
      after = page.next_cursor
    }
  return domains
}

type News = { added: Set<string>; removed: Set<string>; cursor: string | null }

/** Returns the sites in the Signals after a cursor. */
async function newsAfter(jurisdiction: string, cursor: string | null): Promise<News> {
  const news: News = { added: new Set(), removed: new Set(), cursor }
  for (let hasMore = true; hasMore; ) {
    const after: Record<string, string> = news.cursor === null ? {} : { after: news.cursor }
    const page = await get('/v1/signals/register-changes', { jurisdiction, page_size: '20', ...after })
    for (const { change } of page.signals)
      if (change.change_set.scope === 'domain')
        news[change.event_type === 'removed_from_register' ? 'removed' : 'added'].add(
          change.change_set.domain,
        )
    news.cursor = page.next_cursor
    hasMore = page.has_more
  }
  return news
}

const sorted = (sites: Iterable<string>) => [...sites].sort()
const without = (sites: Iterable<string>, others: ReadonlySet<string>) =>
  sorted(sites).filter(site => !others.has(site))

/** The names are far apart, because a name one letter from another can be a misprint. */
const words = ['otter', 'heron', 'grebe', 'plover', 'ibis', 'sandpiper', 'teal', 'wigeon']
const sites = words.flatMap(one => words.map(other => `${one}-${other}s.example`))

const spellings = (site: string): BlocklistRow[] => [
  entry(site),
  entry(site, { recordKey: `www.${site}`, published: `www.${site}`, listedAs: `www.${site}` }),
  entry(site, {
    scope: 'path',
    recordKey: `${site}/casino`,
    published: `${site}/casino`,
    listedAs: `${site}/casino`,
  }),
]
const rowOf = new Map(sites.flatMap(spellings).map(row => [row.recordKey, row]))
const keys = [...rowOf.keys()]
const series = fc.record({
  key: fc.constantFrom(...streams.filter(each => each.sourceClaim === 'blocklist').map(({ key }) => key)),
  snapshots: fc.array(
    fc.oneof(fc.subarray(keys, { minLength: 1, maxLength: 6 }), fc.subarray(keys, { minLength: 1 })),
    { minLength: 2, maxLength: 4 },
  ),
})

const sitesOf = (rows: readonly BlocklistRow[]) =>
  new Set(rows.filter(row => row.scope === 'domain').map(row => row.domain as string))

test('the feed and the windows of domain search agree on any series of snapshots', async () => {
  await fc.assert(
    fc.asyncProperty(series, async ({ key, snapshots }) => {
      await emptyRegisters(service.service.live.database)
      const stream: Stream = { ...(findStream(key) as Stream), parserVersion: 1, read: fakeStream(key).read }
      let before = new Set<string>()
      const ever = new Set<string>()
      let cursor: string | null = null
      for (const [index, listed] of snapshots.entries()) {
        const at = day(index + 1)
        const rows = listed.map(each => rowOf.get(each) as BlocklistRow)
        const files = [fileOf(...rows)]
        await syncApproved(service.service.live, stream, files, { takenAt: at, now: at })
        const now = sitesOf(rows)
        const news: News = await newsAfter(stream.market, cursor)
        cursor = news.cursor
        const dropped = await sold(stream.market, { dropped_before: at })
        if (index > 0) {
          const newly = await sold(stream.market, { since: at })
          expect(sorted(newly)).toEqual(without(now, before))
          expect(without(newly, news.added)).toEqual([])
          expect(without(without(before, now), news.removed)).toEqual([])
        } else expect([...news.added, ...news.removed]).toEqual([])
        expect(sorted(dropped)).toEqual(without(ever, now))
        for (const site of now) ever.add(site)
        before = now
      }
    }),
    { numRuns: 12, endOnFailure: true },
  )
})

const directory = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
const anj = ['2024-08-01', '2024-10-01'].map(
  (published): RealSnapshot => ({
    stream: 'france.blocklist',
    takenAt: `${published}T00:00:00Z`,
    files: [`${directory}outsiders/anj/${published}.csv`],
  }),
)
const realSeries = existsSync(directory)
  ? [anj, ...['czechia', 'italy', 'ukraine'].map(market => readable(market))]
  : []

function readable(market: string): RealSnapshot[] {
  return realSnapshots(directory).filter(
    ({ stream, files }) => stream.startsWith(`${market}.`) && !files.some(file => file.endsWith('.html')),
  )
}

describe.skipIf(realSeries.length === 0)('real series (skipped without ../shared/data)', () => {
  test.each(realSeries.map(each => [each[0]?.stream as string, each] as const))(
    'the feed has what domain search sells as newly listed and dropped in the real files of %s',
    async (key, snapshots) => {
      const stream = findStream(key) as Stream
      let cursor: string | null = null
      let dropped = new Set<string>()
      let sales = 0
      for (const [index, { takenAt, files }] of snapshots.entries()) {
        const at = new Date(takenAt)
        const sources = await Promise.all(files.map(sourceFileFrom))
        const report = await syncApproved(service.service.live, stream, sources, { takenAt: at, now: at })
        // A site that was listed and deleted between two files has a Signal for each.
        expect(report.signals).toBeGreaterThanOrEqual(index === 0 ? 0 : report.added + report.removed)
        const news = await newsAfter(stream.market, cursor)
        cursor = news.cursor
        const droppedNow = await sold(stream.market, { dropped_before: at })
        if (index > 0) {
          const newly = await sold(stream.market, { since: at })
          sales += newly.size
          expect(without(newly, news.added)).toEqual([])
          expect(without(without(droppedNow, dropped), news.removed)).toEqual([])
        }
        dropped = droppedNow
      }
      expect(sales).toBeGreaterThan(0)
    },
    300_000,
  )

  test('163 entries that France listed in two months are 163 Signals', async () => {
    const stream = findStream('france.blocklist') as Stream
    for (const [index, { takenAt, files }] of anj.entries()) {
      const at = new Date(takenAt)
      const sources = await Promise.all(files.map(sourceFileFrom))
      expect(
        await syncApproved(service.service.live, stream, sources, { takenAt: at, now: at }),
      ).toMatchObject(index === 0 ? { signals: 0 } : { added: 163, removed: 0, signals: 163 })
    }
  })
})
