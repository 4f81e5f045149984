import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaredData } from '../../../test/harness/declared-schema.ts'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { markets } from '../../core/markets.ts'
import { publishedFieldNames } from '../../core/published-fields.ts'
import { coveragePage } from '../../pages/index.ts'
import { fetchRegister } from '../../registers/fetch/fetch-register.ts'
import { recordFetched } from '../../registers/fetch/watch-store.ts'
import { entry, fakeStream, fileOf } from '../../registers/fixture.ts'
import { recordFacts, type Stream, syncRegister, watchRegister } from '../../registers/index.ts'

const path = '/v1/coverage'
const hourMs = 3_600_000

let service: TestService
let customer: Customer
let start: number
/** Hours from the start. */
let time = 0
beforeAll(async () => {
  start = Date.now()
  service = await startService({
    world: 'demo_with_registers',
    now: () => new Date(start + time * hourMs),
  })
  customer = await service.customer({ credits: 10 })
  await recordFacts(service.service.live)
})
afterAll(() => service.close())

type Market = {
  market: string
  state: string
  not_published: string[]
  known_obstacle: unknown
  streams: { stream: string; [field: string]: unknown }[]
}

async function coverage(key?: string): Promise<{ share_live: number; markets: Market[] }> {
  const { status, body } = await (key === undefined ? customer.ask(path) : service.ask(path, { key }))
  expect(status, JSON.stringify(body)).toBe(200)
  expect(declaredData('get_coverage')(body.data)).toBeNull()
  return body.data
}
const of = async (market: string) => (await coverage()).markets.find(each => each.market === market) as Market

const poland = fakeStream('poland.blocklist', { covers: ['blocklist'], market: 'poland' })
const sync = (stream: Stream, ...domains: string[]) =>
  syncRegister(service.service.live, stream, [fileOf(...domains.map(domain => entry(domain)))], {
    takenAt: service.service.now(),
    now: service.service.now(),
  })

test('says what is known of addresses that nobody looked at, and of markets without a stream', async () => {
  const peru = await of('peru')
  expect(peru.streams[0]?.known_obstacle).toMatchObject({ found: expect.stringContaining('No public list') })
  expect(await of('alderney')).toMatchObject({
    streams: [],
    known_obstacle: { found: expect.stringContaining('scripts'), on: '2026-10-04' },
  })
  expect((await of('poland')).known_obstacle).toBeNull()
  const page = (await service.ask('/coverage', { headers: { accept: 'text/html' } })).text
  expect(page).toContain('No public list of authorised platforms was found. (')
  expect(page).toContain('<b>Alderney</b>: ')
})

test('has each market once, with every known stream, also those that were never read', async () => {
  const { markets: covered } = await coverage()
  expect(covered.map(each => each.market)).toEqual(markets.map(({ code }) => code))
  expect(await of('czechia')).toMatchObject({
    state: 'not_covered',
    not_published: [...publishedFieldNames],
    streams: [
      {
        stream: 'czechia.blocklist',
        kind: 'blocklist',
        layout: 'recorded',
        layout_recorded_at: '2026-07-28',
        cadence: { words: 'irregular, about weekly', hours: 168 },
        rows: 0,
        last_confirmed_at: null,
        last_probed_at: null,
        is_fetched: false,
        truth_state: 'not_covered',
        state: 'not_covered',
        publishes: ['domains', 'dates'],
      },
    ],
  })
  expect(await of('us_nevada')).toMatchObject({ state: 'not_covered', not_published: [], streams: [] })
})

test('is free, and the page’s JSON says the same without a key', async () => {
  const { headers, body } = await customer.ask(path)
  expect([headers.get('x-credits-charged'), body.data.credits_charged]).toEqual([null, undefined])
  expect((await customer.ask('/v1/account')).body.data.credits_used).toBe(0)
  const page = await service.ask('/coverage.json')
  expect(page.body.markets).toEqual(body.data.markets)
})

test('shows the demo world to the demo key', async () => {
  const demo = await coverage(demoKey)
  const covered = demo.markets.filter(each => each.state !== 'not_covered').map(each => each.market)
  expect(covered.toSorted()).toEqual(['italy', 'ukgc'])
})

test('needs a key', async () => {
  expect((await service.ask(path)).status).toBe(401)
})

test('refuses parameters that it does not have', async () => {
  const { status, body } = await customer.ask(`${path}?market=poland`)
  expect([status, body.errors.code]).toEqual([400, 'unknown_parameter'])
})

test('a market is live while it is fetched and young, then stale with its rows and their age', async () => {
  expect((await sync(poland, 'a.example', 'b.example', 'c.example')).status).toBe('applied')
  const confirmed = service.service.now().toISOString()
  expect(await of('poland')).toMatchObject({
    state: 'loaded_from_files',
    streams: [
      {
        rows: 3,
        records_in_force: { licenses: 0, authorised_domains: 0, blocklist_entries: 3 },
        last_confirmed_at: confirmed,
        last_changed_at: confirmed,
        truth_state: 'confirmed',
      },
    ],
  })
  const live = { ...service.service.live }
  await watchRegister(live, poland, { allowedHosts: [] })
  expect(await of('poland')).toMatchObject({ state: 'loaded_from_files', streams: [{ is_fetched: true }] })
  const validators = [{ etag: null, lastModified: null }]
  const fetched = { snapshotRef: null, contentSha256: Buffer.alloc(32), foundUrls: ['a'], validators }
  await recordFetched(live.database, poland.key, { at: service.service.now(), ...fetched })
  expect(await of('poland')).toMatchObject({ state: 'live', streams: [{ is_fetched: true }] })
  expect((await coverage()).share_live).toBeCloseTo(1 / markets.length, 3)

  time += 200
  expect(await of('poland')).toMatchObject({
    state: 'stale',
    streams: [{ rows: 3, last_confirmed_at: confirmed, truth_state: 'stale' }],
  })
})

test('a stream whose official site fails says why, and the verdict says how old it is', async () => {
  const report = await fetchRegister(service.service.live, poland, {
    now: service.service.now(),
    network: { allowedHosts: [], dnsServers: ['127.0.0.1:9'], caFile: null, connectTo: [], proxy: null },
  })
  expect(report.status).toBe('refused')
  const [stream] = (await of('poland')).streams
  expect(stream).toMatchObject({
    rows: 3,
    last_probed_at: service.service.now().toISOString(),
    problems: [...report.reasons, 'fetches without a usable file since the last good one: 1'],
  })
  const { data } = (await customer.ask('/v1/domains/resolve?domain=a.example&checked_streams=true')).body
  const { streams, registers, blocklists } = data.checked
  expect([streams.length, data.billing.credits_charged]).toEqual([registers + blocklists, 1])
  expect(streams).toContainEqual({
    stream: 'poland.blocklist',
    market: 'poland',
    kind: 'blocklist',
    last_snapshot_at: stream?.last_confirmed_at,
    truth_state: 'stale',
  })
  const without = await customer.ask('/v1/domains/resolve?domain=a.example')
  expect(without.body.data.checked).not.toHaveProperty('streams')
})

test('after a quarantined night, coverage and verdict show the age of the last good one', async () => {
  const greece = fakeStream('greece.blocklist', { covers: ['blocklist'], market: 'greece' })
  const sites = Array.from({ length: 12 }, (_, number) => `heron-${number}.example`)
  expect((await sync(greece, ...sites)).status).toBe('applied')
  const confirmed = service.service.now().toISOString()
  time += 24
  expect((await sync(greece, 'otter.example')).status).toBe('held')
  const [stream] = (await of('greece')).streams
  expect(stream).toMatchObject({ rows: 12, last_confirmed_at: confirmed, truth_state: 'held' })
  const { data } = (await customer.ask('/v1/domains/resolve?domain=heron-0.example&checked_streams=true'))
    .body
  expect(data.verdict).toBe('blocklisted')
  expect(data.checked.streams).toContainEqual({
    stream: 'greece.blocklist',
    market: 'greece',
    kind: 'blocklist',
    last_snapshot_at: confirmed,
    truth_state: 'held',
  })
})

test('the page shows where each stream is read from, its layout, and what it publishes', async () => {
  const { text } = await service.ask('/coverage', { headers: { accept: 'text/html' } })
  for (const part of [
    'recorded from a file of 2026-07-28',
    '<dt>Address probed</dt><dd>never</dd>',
    'domains, dates',
    'irregular, about weekly',
    'href="https://mf.gov.cz/cs/kontrola-a-regulace',
  ])
    expect([part, text.includes(part)]).toEqual([part, true])
})

test('days without a record are gaps of the history, and the page lists them', async () => {
  const day = (daysAgo: number) =>
    new Date(service.service.now().getTime() - daysAgo * 24 * hourMs).toISOString().slice(0, 10)
  const { database } = service.service.live
  for (const daysAgo of [9, 8, 5, 4, 2])
    await sql`
      insert into coverage_days (day, market, state, rows)
      values (${day(daysAgo)}::date, 'poland', 'live', 3)`.execute(database)
  const { body } = await customer.ask(path)
  expect(body.data.history).toMatchObject({
    since: day(9),
    days_recorded: 5,
    gaps: [
      { from: day(7), to: day(6) },
      { from: day(3), to: day(3) },
      { from: day(1), to: day(1) },
    ],
  })
  const { text } = coveragePage(body.data, { state: null, name: '' })
  expect(text).toContain(`the service did not run: ${day(7)} to ${day(6)}, ${day(3)}, ${day(1)}.`)
  expect(text).toContain('On each recorded day, each covered market was confirmed.')
})

test('a market of which only some sources were read is not live', async () => {
  const { publishes } = fakeStream('belgium.blocklist')
  const sites = fakeStream('belgium.blocklist', {
    covers: ['blocklist'],
    publishes: { ...publishes, licenses: false },
  })
  await sync(sites, 'd.example')
  const belgium = await of('belgium')
  expect(belgium.state).toBe('stale')
  expect(belgium.streams.map(each => each.state)).toEqual([
    'not_covered',
    'not_covered',
    'loaded_from_files',
    'not_covered',
  ])
  expect(belgium.not_published).toContain('licenses')
})
