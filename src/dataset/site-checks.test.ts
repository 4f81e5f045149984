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

test('the findings of a check become observations of its date, once', async () => {
  const at = new Date('2026-03-01T08:00:00Z')
  const first = await testWorld.load([check])
  expect(first.loaded.site_check).toMatchObject({ added: 1, changed: 0 })
  const again = await testWorld.load([check, { ...check, findings: [] }])
  expect(again.loaded.site_check).toMatchObject({ added: 0, changed: 0 })
  expect(await observed()).toEqual([{ value_key: 'visa', last_seen_at: at, last_checked_at: at }])
  expect(await verifyChecks(testWorld.world.database)).toEqual([])
})

test('a failed check has facts, and does not count as a check of the site', async () => {
  const failed = { ...check, state: 'failed', reason: 'blocked' }
  await testWorld.load([failed])
  expect(await observed()).toMatchObject([{ value_key: 'visa', last_checked_at: null }])
})

test.each<[string, Line]>([
  ['a value of another shape', { ...check, findings: [{ ...visa, value: { name: 'visa' } }] }],
  ['an unknown section', { ...check, findings: [{ ...visa, section: 'colours' }] }],
  ['a failure without a reason', { ...check, state: 'failed' }],
  ['no time', { ...check, checked_at: undefined }],
])('a line with %s is refused', async (_title, line) => {
  expect(await testWorld.load([line])).toMatchObject({ loaded: {}, rejected: 1 })
})
