import type { LicenseeRow } from '@baize/registers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { applyLicensees, compareLicensees } from '../changes/licensees-store.ts'
import { day, fakeStream, fileOf, licensee, openTestWorld, type TestWorld } from '../fixture.ts'
import { createStaging, stageRows } from '../snapshot/staging-store.ts'
import { syncRegister } from './sync-register.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const malta = fakeStream('malta.licences')
const bystander = licensee('C9')

function sync(number: number, ...rows: LicenseeRow[]) {
  return syncRegister(testWorld.world, malta, [fileOf(...rows)], { takenAt: day(number), now: day(number) })
}

async function states(recordKey: string) {
  const rows = await testWorld.rowsOf('licensee_states')
  return rows.filter(row => row.record_key === recordKey)
}

const snapshot = {
  stream: malta,
  takenAt: day(20),
  previousTakenAt: day(10),
  now: day(20),
  isCorrection: false,
  isBackfill: false,
  emitsSignals: true,
  followsGap: false,
  isOtherForm: false,
}

/** Compares licensees with the stored ones, without applying them. */
function compared(...rows: LicenseeRow[]) {
  return testWorld.world.database.transaction().execute(async tx => {
    await createStaging(tx)
    await stageRows(tx, 'licensee', rows)
    return compareLicensees(tx, snapshot)
  })
}

test('a licensee that is published differently gets a new state, and the old state is closed', async () => {
  await sync(10, licensee('C1', { legalName: 'Alpha Ltd' }), bystander)
  await sync(12, licensee('C1', { legalName: 'Alpha Limited', tradingNames: ['Ace'] }), bystander)
  expect(await states('C1')).toMatchObject([
    {
      legal_name: 'Alpha Ltd',
      trading_names: [],
      country: 'GB',
      registration_number: null,
      first_seen_at: day(10),
      last_seen_at: day(10),
      known_from: day(10),
      known_to: day(12),
    },
    {
      legal_name: 'Alpha Limited',
      trading_names: ['Ace'],
      first_seen_at: day(10),
      last_seen_at: null,
      known_from: day(12),
      known_to: null,
    },
  ])
  expect(await states('C9')).toHaveLength(1)
})

test('a removed licensee is closed, and has its original first_seen_at when it returns', async () => {
  await sync(10, licensee('C1'), bystander)
  await sync(12, bystander)
  expect(await states('C1')).toMatchObject([{ known_to: day(12), last_seen_at: day(10) }])
  await sync(14, licensee('C1'), bystander)
  expect(await states('C1')).toMatchObject([
    { known_to: day(12) },
    { first_seen_at: day(10), known_from: day(14), known_to: null },
  ])
})

test('a registration number is stored as published', async () => {
  await sync(10, licensee('C1', { registrationNumber: 'C 109579' }))
  expect(await states('C1')).toMatchObject([{ registration_number: 'C 109579' }])
})

test.each<[what: string, fields: Partial<LicenseeRow>, change: 'changed' | 'restated']>([
  ['another legal name is a change', { legalName: 'Beta Ltd' }, 'changed'],
  ['another country is a change', { country: 'MT' }, 'changed'],
  ['trading names alone are not', { tradingNames: ['Zed'] }, 'restated'],
  ['a registration number alone is not', { registrationNumber: '12345678' }, 'restated'],
])('a change of a licensee in a field is noticed: %s', async (_what, fields, change) => {
  const none = { added: 0, removed: 0, changed: 0, filled: 0, restated: 0 }
  await sync(10, licensee('C1', { tradingNames: ['Ace'] }))
  expect(await compared(licensee('C1', { tradingNames: ['Ace'] }))).toEqual(none)
  expect(await compared(licensee('C1', { tradingNames: ['Ace'], ...fields }))).toEqual({
    ...none,
    [change]: 1,
  })
  expect(await compared(licensee('C2', fields))).toEqual({ ...none, added: 1, removed: 1 })
})

test('many new licensees are written without a read of all states for each of them', async () => {
  const { database } = testWorld.world
  const many = Array.from({ length: 3_000 }, (_, index) => licensee(`C${index}`))
  await sql`vacuum licensee_states`.execute(database) // The table is then planned as empty.
  const blocks = await database.transaction().execute(async tx => {
    await createStaging(tx)
    await stageRows(tx, 'licensee', many)
    await compareLicensees(tx, snapshot)
    await applyLicensees(tx, snapshot)
    const { rows } = await sql<{ hit: number }>`
      select pg_stat_get_xact_blocks_hit('licensee_states'::regclass) as hit`.execute(tx)
    return Number(rows[0]?.hit)
  })
  expect(blocks).toBeGreaterThan(0)
  expect(blocks / many.length).toBeLessThan(8)
})
