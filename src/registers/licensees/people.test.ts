import { withoutPeople } from '@baize/registers/entries'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyCompanies } from '../../features/companies/index.ts'
import { discardSnapshot } from '../apply/discard-snapshot.ts'
import {
  authorisation,
  day,
  fakeStream,
  fileOf,
  license,
  licensee,
  openTestWorld,
  syncApproved,
  type TestWorld,
} from '../fixture.ts'

const plain = fakeStream('germany.operators')
const stream = {
  ...plain,
  read: (files: Parameters<typeof plain.read>[0]) =>
    withoutPeople(plain.read(files), { language: 'de', regulator_country_code: 'DE' }),
}

let world: TestWorld
beforeAll(async () => {
  world = await openTestWorld()
})
afterAll(() => world.close())

const agent = (key: string, legalName: string) => [
  licensee(key, { legalName, country: 'DE' }),
  license(`L${key}`, key),
  authorisation('klassenlotterie.example', { recordKey: key, licenseKey: `L${key}`, licenseeKey: key }),
]
const sync = (number: number, ...agents: ReturnType<typeof agent>[]) =>
  syncApproved(world.world, stream, [fileOf(...agents.flat())], { takenAt: day(number), now: day(number) })

async function companies() {
  const { rows } = await sql<Record<string, unknown>>`
    select company_name, legal_entity, subject_kind
      from companies
     where exists (select from company_identities where company_id = companies.id)
     order by company_name, subject_kind`.execute(world.world.database)
  return rows.map(row => [row.company_name, row.legal_entity, row.subject_kind])
}

/** Searches all tables but those of files, which contain what the register published. */
async function tablesWith(word: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name
      from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname !~ '^(kept|raw)_'
     order by relname`.execute(world.world.database)
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: matches } = await sql`
      select from ${sql.table(name)} as stored where stored::text ilike ${`%${word}%`} limit 1`.execute(
      world.world.database,
    )
    if (matches.length > 0) found.push(name)
  }
  return found
}

test('a natural person of a register is no Company with her name, whatever changes', async () => {
  await sync(2, agent('4011', 'Jürgen Musterfeld'), agent('4012', 'Jürgen Musterfeld'))
  await sync(3, agent('4011', 'Jürgen Musterfeld'), agent('4013', 'Otter Lotto GmbH'))
  await sync(4, agent('4011', 'Jürgen A. Musterfeld'), agent('4013', 'Otter Lotto GmbH'))
  expect(await companies()).toContainEqual(['Natural person (register no. 4011)', null, 'unknown'])
  expect(await companies()).toContainEqual(['Natural person (register no. 4012)', null, 'unknown'])
  expect(await companies()).toContainEqual(['Otter Lotto GmbH', 'Otter Lotto GmbH', 'legal_entity'])
  expect((await verifyCompanies(world.world.database)).differences).toEqual([])
})

test('only the stored files have her name', async () => {
  expect(await tablesWith('Otter Lotto')).toContain('company_identities')
  expect(await tablesWith('Musterfeld')).toEqual([])
})

test('a holder that becomes a firm and is taken back is a person again', async () => {
  const before = await companies()
  const report = await sync(5, agent('4011', 'Musterfeld Lotto GmbH'), agent('4013', 'Otter Lotto GmbH'))
  expect(await companies()).toContainEqual(['Musterfeld Lotto GmbH', 'Musterfeld Lotto GmbH', 'legal_entity'])
  await discardSnapshot(world.world, {
    snapshotRef: report.snapshot_ref as string,
    reason: 'a wrong file',
    now: day(6),
  })
  expect(await companies()).toEqual(before)
})
