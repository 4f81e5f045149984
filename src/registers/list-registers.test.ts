import { markets } from '@baize/names'
import { type Reading, type Stream, streams } from '@baize/registers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchRegister } from './acquire/watch-register.ts'
import { syncRegister } from './apply/sync-register.ts'
import {
  authorisation,
  day,
  entry,
  fakeStream,
  fileOf,
  license,
  licensee,
  openTestWorld,
  type TestWorld,
} from './fixture.ts'
import { listCoverage } from './list-coverage.ts'
import { listRegisters } from './list-registers.ts'

let testWorld: TestWorld

const malta = fakeStream('mga.licensees', { market: 'mga', covers: ['register'], rowsMin: 2 })
const ukraine = fakeStream('ukraine.sites', { market: 'ukraine', covers: ['register', 'blocklist'] })
const poland = fakeStream('poland.blocklist', { market: 'poland', covers: ['blocklist'] })
const never = fakeStream('jersey.licences', { market: 'jersey', covers: ['register'] })
const four = [malta, ukraine, poland, never]
const nothing = { licenses: 0, authorisations: 0, blocklist_entries: 0 }

const sync = (stream: Stream, number: number, ...readings: Reading[]) =>
  syncRegister(testWorld.world, stream, [fileOf(...readings)], { takenAt: day(number), now: day(number) })
const rowOf = async (stream: Stream) =>
  (await listRegisters(testWorld.world, four, day(5))).find(row => row.stream === stream.key)

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

describe('registers before the first sync', () => {
  test('every stream is listed before its first sync, without snapshots', async () => {
    const listed = await listRegisters(testWorld.world, four, day(5))
    expect(listed.map(row => row.stream)).toEqual(four.map(stream => stream.key))
    expect(listed.at(-1)).toEqual({
      stream: 'jersey.licences',
      market: 'jersey',
      regulator: 'Regulator of jersey.licences',
      covers: ['register'],
      kind: 'register',
      official_url: 'https://regulator.example/',
      resolve: 'direct',
      fetched_from: [{ url: 'https://regulator.example/register.jsonl', resolve: 'direct' }],
      request: null,
      format: 'JSON lines',
      language: 'en',
      layout: 'recorded',
      layout_recorded_at: '2026-01-01',
      terms: null,
      sources: {
        address: 'made up',
        layout: 'made up',
        compared: null,
        cadence: 'made up',
        rows: 'made up',
        terms: null,
      },
      known_obstacle: null,
      ends_with_line_break: false,
      cadence: { words: 'daily', hours: 24 },
      publishes: ['licenses', 'holders', 'domains', 'statuses', 'revocations', 'dates', 'roles'],
      rows_min: 0,
      rows_max: null,
      removal_bounds: {},
      last_snapshot: null,
      last_taken_at: null,
      last_confirmed_at: null,
      last_run_at: null,
      last_probed_at: null,
      truth_state: 'not_covered',
      held: null,
      watched: null,
      open_facts: nothing,
    })
  })

  test('every known market is listed, even without a stream', async () => {
    const coverage = await listCoverage(testWorld.world, streams)
    expect(coverage.map(row => row.market)).toEqual(markets.map(market => market.code))
    expect(coverage.filter(row => row.coverage === 'fed')).toEqual([])
    const rowOf = (code: string) => coverage.find(row => row.market === code)
    expect(rowOf('mga')).toEqual({
      market: 'mga',
      name: 'Malta',
      country: 'MT',
      regulator: 'Malta Gaming Authority (MGA)',
      coverage: 'never_synced',
      registers: 1,
      registers_synced: 0,
      blocklists: 0,
      blocklists_synced: 0,
      streams: ['mga.licensees'],
    })
    expect(rowOf('us_nevada')).toMatchObject({
      coverage: 'not_fed_yet',
      registers: 0,
      blocklists: 0,
      streams: [],
    })
    expect(rowOf('romania')).toMatchObject({ registers: 1, blocklists: 1 })
  })

  test('every stream belongs to a known market', async () => {
    const coverage = await listCoverage(testWorld.world, streams)
    expect(coverage.flatMap(row => row.streams).toSorted()).toEqual(streams.map(stream => stream.key))
  })
})

describe('registers after a sync', () => {
  beforeAll(async () => {
    const site = authorisation('a.example', { licenseKey: 'L1' })
    await sync(malta, 1, licensee('C1'), license('L1', 'C1'), authorisation('b.example'), site)
    await sync(malta, 2, licensee('C1'), license('L1', 'C1'), site)
    await sync(malta, 3, licensee('C1'), license('L1', 'C1'), site)
    await sync(ukraine, 1, entry('c.example'), authorisation('d.example'))
    const unreadable = (line: number): Reading => ({
      record: 'reject',
      reason: 'not_a_domain',
      line,
      published: '?',
    })
    await sync(poland, 4, entry('e.example'), ...Array.from({ length: 12 }, (_, line) => unreadable(line)))
  })

  test('a stream is listed with its last snapshot, its last run and its open facts', async () => {
    expect(await rowOf(malta)).toMatchObject({
      last_snapshot: {
        snapshot_ref: expect.stringMatching(/./),
        number: 2,
        taken_at: day(2),
        applied_at: day(2),
        rows: 3,
        rejected: 0,
      },
      last_taken_at: day(3),
      last_confirmed_at: day(3),
      last_run_at: day(3),
      held: null,
      rows_min: 2,
      open_facts: { licenses: 1, authorisations: 1, blocklist_entries: 0 },
    })
  })

  test('a quarantined snapshot is listed beside the applied one, with its time and reasons', async () => {
    expect(await rowOf(poland)).toMatchObject({
      last_snapshot: null,
      held: {
        snapshot_ref: expect.stringMatching(/./),
        taken_at: day(4),
        since: expect.any(Date),
        reasons: ['12 of 13 rows cannot be read'],
      },
      open_facts: nothing,
    })
  })

  test('a market is `fed` once a snapshot is applied, and not by a quarantined snapshot', async () => {
    const coverage = await listCoverage(testWorld.world, four)
    const listed = ['mga', 'ukraine', 'poland', 'jersey', 'spain'].map(code => {
      const row = coverage.find(each => each.market === code)
      return [
        row?.market,
        row?.coverage,
        `${row?.registers_synced} of ${row?.registers} registers`,
        `${row?.blocklists_synced} of ${row?.blocklists} blocklists`,
      ]
    })
    expect(listed).toEqual([
      ['mga', 'fed', '1 of 1 registers', '0 of 0 blocklists'],
      ['ukraine', 'fed', '1 of 1 registers', '1 of 1 blocklists'],
      ['poland', 'never_synced', '0 of 0 registers', '0 of 1 blocklists'],
      ['jersey', 'never_synced', '0 of 1 registers', '0 of 0 blocklists'],
      ['spain', 'not_fed_yet', '0 of 0 registers', '0 of 0 blocklists'],
    ])
  })

  test('a watched stream lists its addresses, interval and failures', async () => {
    const url = 'https://regulator.example/register.json'
    await watchRegister(testWorld.world, never, {
      urls: [url],
      everyMinutes: 60,
      allowedHosts: ['regulator.example'],
    })
    expect(await rowOf(never)).toMatchObject({
      last_snapshot: null,
      watched: { urls: [url], is_official: false, every_minutes: 60, last_at: null, failures: 0 },
    })
    expect((await rowOf(malta))?.watched).toBeNull()
  })
})
