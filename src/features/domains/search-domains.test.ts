import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import {
  type DemoRecord,
  type ExpectedVerdict,
  expectedVerdicts,
  readDemoRecords,
} from '../../../test/harness/demo-world.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { dayMs } from '../../core/time.ts'

const path = '/v1/domains/search'
const listedVerdicts = ['licensed', 'blocklisted', 'mixed'] as const
const paymentCategories = ['card', 'crypto', 'ewallet', 'bank_transfer', 'open_banking', 'local_apm']

type Row = ExpectedVerdict & { domain: string; platform_present: boolean }

let service: TestService
let customer: Customer
let records: DemoRecord[]
let verdicts: Map<string, ExpectedVerdict>
const misfits = declaredData('search_domains')
beforeAll(async () => {
  service = await startService({ world: 'demo' })
  customer = await service.customer({ credits: 10_000_000 })
  records = await readDemoRecords()
  verdicts = expectedVerdicts(records)
})
afterAll(() => service.close())

type Parameters = Record<string, string | number>
const textOf = (values: Parameters) =>
  Object.entries(values).map(([name, value]): [string, string] => [name, String(value)])
const pathOf = (parameters: Parameters) => `${path}?${new URLSearchParams(textOf(parameters))}`

/** Returns all rows of a search, after checking them against the declared schema and the total. */
async function search(parameters: Parameters): Promise<Row[]> {
  const { status, body } = await customer.ask(pathOf({ per_page: 1_000, ...parameters }))
  expect(status, JSON.stringify(body)).toBe(200)
  expect(misfits(body.data)).toBeNull()
  expect(body.data.total).toBe(body.data.domains.length)
  expect(body.data.credits_charged).toBe(body.data.domains.length)
  return body.data.domains
}

const domainsOf = (rows: Row[]) => rows.map(row => row.domain).sort()
const ofKind = (kind: string) => records.filter(record => record.kind === kind)

/** Returns the sites with a verdict according to demo/ alone; `geo` is used as in §4.13. */
function sitesOf(verdict: string, geo?: string): string[] {
  return [...verdicts]
    .filter(([, each]) => each.verdict === verdict)
    .filter(([, each]) => geo === undefined || geosOf(each).includes(geo))
    .map(([domain]) => domain)
    .sort()
}

function geosOf(each: ExpectedVerdict): string[] {
  return (each.verdict === 'licensed' ? each.licensed_by : each.blocked_by).map(({ geo }) => geo)
}

const entriesOf = (domain: string) => ofKind('blocklist_entry').filter(entry => entry.domain === domain)
const firstSeen = (record: DemoRecord) =>
  Date.parse(record.first_seen_at ?? record.last_seen_at ?? new Date().toISOString())

function latestReading(domain: string): DemoRecord | undefined {
  const readings = ofKind('platform_reading').filter(reading => reading.domain === domain)
  return readings.sort((a, b) => Date.parse(String(a.seen_at)) - Date.parse(String(b.seen_at))).at(-1)
}
const reviewed = () => ofKind('platform').filter(platform => platform.reviewed === true)
const runsReviewed = (domain: string) =>
  reviewed().some(platform => platform.key === latestReading(domain)?.platform)

describe('domain search by verdict', () => {
  test.each(listedVerdicts)(
    'domain search lists exactly the %s sites, everywhere and in each geo',
    async verdict => {
      const all = await search({ verdict })
      expect(all.length).toBeGreaterThan(0)
      expect(domainsOf(all)).toEqual(sitesOf(verdict))
      const geos = new Set([...verdicts.values()].filter(each => each.verdict === verdict).flatMap(geosOf))
      for (const geo of geos)
        expect(domainsOf(await search({ verdict, geo })), geo).toEqual(sitesOf(verdict, geo))
    },
  )

  test.each(listedVerdicts)(
    '%s rows of domain search match the resolved verdict and name no company',
    async verdict => {
      for (const row of await search({ verdict })) {
        expect(row).toEqual({
          domain: row.domain,
          ...verdicts.get(row.domain),
          platform_present: runsReviewed(row.domain),
        })
      }
    },
  )

  test('domain search in a market without records is an empty page', async () => {
    expect(await search({ verdict: 'licensed', geo: 'peru' })).toEqual([])
  })

  test.each(listedVerdicts)(
    '%s rows of domain search are ordered by the date first seen, then by domain',
    async verdict => {
      const { database } = service.service.live
      const ordered = await database
        .selectFrom('domains')
        .select('domain')
        .where('verdict', '=', verdict)
        .orderBy('first_seen_at')
        .orderBy('domain')
        .execute()
      expect((await search({ verdict })).map(row => row.domain)).toEqual(ordered.map(row => row.domain))
    },
  )
})

describe('windows on blocklists', () => {
  const moments = () => [...new Set(ofKind('blocklist_entry').map(firstSeen))].sort((a, b) => a - b)
  const iso = (time: number) => new Date(time).toISOString()

  type Listing = { start: number; end: number }

  /** Returns the latest listing of a site; overlapping entries are one listing. */
  function listingOf(domain: string, regulator?: string): Listing | undefined {
    const spans = entriesOf(domain)
      .filter(entry => regulator === undefined || entry.regulator === regulator)
      .map(entry => ({
        start: firstSeen(entry),
        end: entry.listed === false ? Date.parse(entry.last_seen_at) : Infinity,
      }))
      .sort((a, b) => b.end - a.end)
    const [last, ...others] = spans
    if (last === undefined) return undefined
    for (const { start, end } of others) if (end >= last.start) last.start = Math.min(last.start, start)
    return last
  }

  test.each(listedVerdicts)(
    'since and until match %s sites whose current listing began in [since, until)',
    async verdict => {
      const times = moments()
      const middle = times[Math.floor(times.length / 2)] as number
      for (const geo of [undefined, 'poland']) {
        const inWindow = (from: number, to: number) => (domain: string) => {
          const listing = listingOf(domain, geo)
          return listing?.end === Infinity && listing.start >= from && listing.start < to
        }
        const where: Parameters = geo === undefined ? { verdict } : { verdict, geo }
        const cases: [Parameters, number, number][] = [
          [{ since: iso(middle) }, middle, Infinity],
          [{ until: iso(middle) }, -Infinity, middle],
          [{ since: iso(times[0] as number), until: iso(middle) }, times[0] as number, middle],
        ]
        for (const [window, from, to] of cases) {
          const expected = verdict === 'licensed' ? [] : sitesOf(verdict, geo).filter(inWindow(from, to))
          expect(
            domainsOf(await search({ ...where, ...window })),
            JSON.stringify({ ...where, ...window }),
          ).toEqual(expected)
        }
      }
    },
  )

  test('a listing that began at `since` is found, and a listing that began at `until` is not', async () => {
    const [entry] = entriesOf('redkite-casino.example').sort((a, b) => firstSeen(a) - firstSeen(b))
    const at = firstSeen(entry as DemoRecord)
    const found = async (window: Parameters) =>
      domainsOf(await search({ verdict: 'blocklisted', ...window })).includes('redkite-casino.example')
    expect(await found({ since: iso(at), until: iso(at + 1) })).toBe(true)
    expect(await found({ until: iso(at) })).toBe(false)
  })

  test.each(['since', 'until', 'dropped_before'])(
    '%s rejects leap seconds, and years outside 1900 to 2199, with a message',
    async parameter => {
      for (const time of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2016-12-31T23:59:60Z']) {
        const { status, body } = await customer.ask(pathOf({ verdict: 'blocklisted', [parameter]: time }))
        const takes = 'an ISO 8601 time from 1900 to 2199, no leap second'
        expect([status, body.message, body.errors.details]).toEqual([
          400,
          `"${parameter}" must be ${takes}.`,
          { parameter, takes },
        ])
      }
    },
  )

  test('an empty window of domain search returns nothing and is free', async () => {
    const moment = '2026-01-01T00:00:00Z'
    expect(await search({ verdict: 'blocklisted', since: moment, until: moment })).toEqual([])
  })

  test.each(listedVerdicts)(
    "dropped_before finds formerly %s sites that no blocklist lists now, with today's verdict",
    async verdict => {
      const now = Date.now() + dayMs
      const dropped = (domain: string, before: number) => (listingOf(domain)?.end ?? Infinity) < before
      const authorisedAt = (domain: string, time: number) =>
        ofKind('license').some(
          license => license.authorized_domains?.includes(domain) && firstSeen(license) <= time,
        )
      const was = (domain: string, before: number) =>
        dropped(domain, before) &&
        authorisedAt(domain, listingOf(domain)?.end as number) === (verdict === 'mixed')
      const sites = [...verdicts.keys()].sort()
      for (const before of [now, Date.parse('2026-03-01T00:00:00Z'), Date.parse('2020-01-01T00:00:00Z')]) {
        const expected =
          verdict === 'licensed'
            ? sitesOf('licensed').filter(domain => dropped(domain, before))
            : sites.filter(domain => was(domain, before))
        const rows = await search({ verdict, dropped_before: iso(before) })
        expect(domainsOf(rows), iso(before)).toEqual(expected)
        for (const row of rows) expect(row.verdict).toBe(verdicts.get(row.domain)?.verdict)
      }
    },
  )

  test("a site removed from every list is found as dropped, with today's verdict", async () => {
    const rows = await search({ verdict: 'blocklisted', dropped_before: iso(Date.now() + dayMs) })
    expect(rows.some(row => row.verdict === 'no_record')).toBe(true)
    const today = await search({ verdict: 'blocklisted' })
    for (const row of rows.filter(each => each.verdict === 'no_record')) {
      expect(domainsOf(today)).not.toContain(row.domain)
    }
  })
})

describe('domain search by observations', () => {
  /** Returns true if a site currently accepts a rail: seen within 30 days before its latest observation. */
  function takes(domain: string, rail: string): boolean {
    const all = ofKind('observation').filter(each => each.domain === domain)
    const seen = (each: DemoRecord) => Date.parse(each.last_seen_at ?? new Date().toISOString())
    const latest = Math.max(...all.map(seen))
    return all.some(each => each.category === rail && seen(each) >= latest - 30 * dayMs)
  }

  test.each(paymentCategories)('payment_category=%s combines with every verdict', async rail => {
    for (const verdict of listedVerdicts) {
      const rows = await search({ verdict, payment_category: rail })
      expect(domainsOf(rows)).toEqual(sitesOf(verdict).filter(domain => takes(domain, rail)))
    }
  })

  test('the filter platform matches the latest reading, by key, name or alias in any case', async () => {
    const platform = reviewed().find(each => (each.aliases as string[] | undefined)?.length)
    if (platform === undefined) throw new Error('demo/ has a reviewed platform with an alias')
    const { key, name, aliases } = platform as unknown as { key: string; name: string; aliases: string[] }
    let found = 0
    for (const verdict of listedVerdicts) {
      const expected = sitesOf(verdict).filter(domain => latestReading(domain)?.platform === key)
      found += expected.length
      for (const spelling of [key, name, ...aliases, name.toUpperCase(), ` ${key} `]) {
        expect(domainsOf(await search({ verdict, platform: spelling })), spelling).toEqual(expected)
      }
    }
    expect(found).toBeGreaterThan(0)
  })

  test('unknown_platform: an unreviewed platform is a free 400, not an empty page', async () => {
    const careful = await service.customer()
    const unreviewed = ofKind('platform').filter(each => each.reviewed !== true)
    expect(unreviewed.length).toBeGreaterThan(0)
    for (const name of [...unreviewed.flatMap(each => [each.key, each.name]), 'nobody', '%%']) {
      const { status, body } = await careful.ask(pathOf({ verdict: 'licensed', platform: String(name) }))
      expect([status, body.errors?.code], String(name)).toEqual([400, 'unknown_platform'])
    }
    expect((await careful.ask('/v1/account')).body.data.credits_used).toBe(0)
  })

  test('payment_category and platform combine with all other filters', async () => {
    const filters = {
      geo: 'poland',
      since: '2020-01-01T00:00:00Z',
      until: '2026-05-01T00:00:00Z',
      dropped_before: '2026-09-01T00:00:00Z',
    }
    let choices: Parameters[] = [{}]
    for (const [name, value] of Object.entries(filters)) {
      choices = choices.flatMap(choice => [choice, { ...choice, [name]: value }])
    }
    const { key } = reviewed()[0] as unknown as { key: string }
    // The searches run one after the other, so that they share a connection and its prepared statements.
    for (const choice of choices) {
      for (const verdict of listedVerdicts) {
        const all = domainsOf(await search({ ...choice, verdict }))
        const paid = all.filter(domain => takes(domain, 'card'))
        const running = all.filter(domain => latestReading(domain)?.platform === key)
        const found = async (more: Parameters) => domainsOf(await search({ ...choice, verdict, ...more }))
        expect(await found({ payment_category: 'card' })).toEqual(paid)
        expect(await found({ platform: key })).toEqual(running)
        expect(await found({ payment_category: 'card', platform: key })).toEqual(
          paid.filter(domain => running.includes(domain)),
        )
      }
    }
  })
})
