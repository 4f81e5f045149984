import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { verifyChecks } from '../features/enrichments/index.ts'
import { type Line, openTestWorld, type TestWorld } from './fixture.ts'

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
beforeEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const visa = {
  section: 'payment_methods',
  value_key: 'visa',
  value: { normalized_name: 'visa', category: 'card' },
  rule: 'payment-methods/visa',
  strength: 1,
  snippet: 'Visa',
}
const check: Line = {
  kind: 'site_check',
  domain: 'www.otter.example',
  checked_at: '2026-03-01T08:00:00Z',
  findings: [visa],
}

async function observed() {
  const { rows } = await sql<{ value_key: string; last_seen_at: Date; last_checked_at: Date }>`
    select observation.value_key, observation.last_seen_at, domain.last_checked_at
      from observations observation
      join domains domain on domain.id = observation.domain_id
     where domain.domain = 'otter.example'`.execute(testWorld.world.database)
  return rows
}

test('the findings of a check become observations with the date of the check, only once', async () => {
  const at = new Date('2026-03-01T08:00:00Z')
  const first = await testWorld.load([check])
  expect(first.loaded.site_check).toMatchObject({ added: 1, changed: 0 })
  const again = await testWorld.load([check, { ...check, findings: [] }])
  expect(again.loaded.site_check).toMatchObject({ added: 0, changed: 0 })
  expect(await observed()).toEqual([{ value_key: 'visa', last_seen_at: at, last_checked_at: at }])
  expect(await verifyChecks(testWorld.world.database)).toEqual([])
})

test('findings of a failed check are stored, and the site does not count as checked', async () => {
  const failed = { ...check, state: 'failed', reason: 'blocked' }
  await testWorld.load([failed])
  expect(await observed()).toMatchObject([{ value_key: 'visa', last_checked_at: null }])
})

test.each<[string, Line]>([
  ['a value of another shape', { ...check, findings: [{ ...visa, value: { name: 'visa' } }] }],
  ['an unknown section', { ...check, findings: [{ ...visa, section: 'colours' }] }],
  ['a failure without a reason', { ...check, state: 'failed' }],
  ['no time', { ...check, checked_at: undefined }],
])('a line of a site check with %s is refused', async (_title, line) => {
  expect(await testWorld.load([line])).toMatchObject({ loaded: {}, rejected: 1 })
})

async function latestOf(section: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown; last_confirmed_at: Date }>`
    select observation.value, observation.last_confirmed_at
      from observations observation
      join domains domain on domain.id = observation.domain_id
     where domain.domain = 'otter.example' and observation.section = ${section}`.execute(
    testWorld.world.database,
  )
  return rows[0]
}

const imported = (section: string, value: object, seen: string): Line => ({
  kind: 'observation',
  domain: 'otter.example',
  section,
  ...value,
  first_seen_at: seen,
  last_seen_at: seen,
  last_confirmed_at: seen,
})

test('an answer shows the value with the latest date, whichever source it comes from', async () => {
  const older = { normalized_name: 'visa', category: 'bank_transfer' }
  await testWorld.load([imported('payment_methods', older, '2025-01-01T00:00:00Z'), check])
  expect(await latestOf('payment_methods')).toEqual({
    value: visa.value,
    last_confirmed_at: new Date('2026-03-01T08:00:00Z'),
  })
})

const shown = (languages: string[], currencies: string[]) => ({ languages, currencies, geo_hints: [] })
const geoCheck = {
  ...check,
  findings: [{ ...visa, section: 'geo', value_key: '', value: shown(['en'], []) }],
}

test('a check that sees one language keeps the languages of last week, without confirming them', async () => {
  const seen = '2026-02-22T08:00:00Z'
  await testWorld.load([imported('geo', shown(['fi', 'sv'], ['EUR']), seen), geoCheck])
  expect(await latestOf('geo')).toEqual({
    value: shown(['en', 'fi', 'sv'], ['EUR']),
    last_confirmed_at: new Date(seen),
  })
})

test('languages last seen more than 30 days before the latest check are no longer shown', async () => {
  await testWorld.load([imported('geo', shown(['fi'], ['EUR']), '2025-06-01T00:00:00Z'), geoCheck])
  expect(await latestOf('geo')).toEqual({
    value: shown(['en'], []),
    last_confirmed_at: new Date('2026-03-01T08:00:00Z'),
  })
})
