import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { demoFiles } from '../../../test/harness/import-demo.ts'
import { newApiKey } from '../../core/api-key.ts'
import { loadedAt, openTestWorld, type TestWorld } from '../fixture.ts'
import { dumpWorld, importFiles } from '../index.ts'

let small: TestWorld
beforeAll(async () => {
  small = await openTestWorld()
})
beforeEach(() => small.empty())
afterAll(() => small.close())

test('a dump that is loaded into an empty world and dumped again is the same byte for byte', async () => {
  await importFiles(small.world, await demoFiles(), { mode: 'strict', now: loadedAt, files: small.files })
  const dumped = await small.dump()
  await small.empty()
  const report = await small.load(dumped)
  expect(report).toMatchObject({ rejected: 0, lines: dumped.length })
  expect(await small.dump()).toEqual(dumped)
})

test('loading a dump into its own world changes nothing', async () => {
  await importFiles(small.world, await demoFiles(), { mode: 'strict', now: loadedAt, files: small.files })
  const report = await small.load(await small.dump())
  for (const counts of Object.values(report.loaded)) expect(counts).toMatchObject({ added: 0, changed: 0 })
})

test('an account is dumped without its keys', async () => {
  const key = newApiKey()
  await small.load([
    { kind: 'account', key: 'customer', name: 'Customer', plan: 'growth', credits_granted: 10, api_key: key },
    { kind: 'account', key: 'house', name: 'House', plan: 'internal' },
  ])
  expect(await small.dump()).toEqual([
    '{"kind":"account","key":"customer","name":"Customer","plan":"growth","credits_granted":10}',
    '{"kind":"account","key":"house","name":"House","plan":"internal"}',
  ])
})

test('a dump contains only the requested kinds', async () => {
  await small.load([
    { kind: 'company', key: 'acme' },
    { kind: 'blocklist_entry', regulator: 'poland', domain: 'a.example' },
  ])
  const lines: string[] = []
  const { lines: count } = await dumpWorld(small.world, line => void lines.push(line), { kinds: ['company'] })
  expect(lines).toEqual([
    '{"kind":"company","key":"acme","subject_kind":"unknown","role":["unknown"],"affiliate_program":false}',
  ])
  expect(count).toBe(1)
})

test('facts of registers are included, and facts that the format cannot express are counted', async () => {
  await small.load([
    {
      kind: 'license',
      jurisdiction: 'ukgc',
      license_number: '7',
      authorized_domains: ['a.example', 'b.example', 'c.example'],
    },
    {
      kind: 'blocklist_entry',
      regulator: 'poland',
      domain: 'd.example',
      first_seen_at: '2025-01-01T00:00:00Z',
    },
  ])
  await sql`update licenses set stream = 'ukgc.licences', record_key = '7'`.execute(small.world.database)
  await sql`
    update authorisations
       set stream = 'ukgc.licences',
           status = case published when 'b.example' then 'inactive' end,
           license_id = case when published <> 'c.example' then license_id end`.execute(small.world.database)
  await sql`update blocklist_entries set stream = 'poland.blocklist'`.execute(small.world.database)
  const lines: string[] = []
  const report = await dumpWorld(small.world, line => void lines.push(line))
  expect(report.left_out).toMatchObject({ authorisations_without_license: 1 })
  expect(lines.map(line => JSON.parse(line)).filter(({ kind }) => kind !== 'domain')).toEqual([
    {
      kind: 'license',
      jurisdiction: 'ukgc',
      license_number: '7',
      authorized_domains: ['a.example'],
      first_seen_at: loadedAt.toISOString(),
    },
    {
      kind: 'blocklist_entry',
      regulator: 'poland',
      domain: 'd.example',
      first_seen_at: '2025-01-01T00:00:00.000Z',
      listed: true,
    },
  ])
})
