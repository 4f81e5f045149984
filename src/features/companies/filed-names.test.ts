import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, licensee, openTestWorld, type TestWorld } from '../../registers/fixture.ts'
import { endFactChange } from '../facts/index.ts'
import { catchUpSearch, verifySearchRows } from '../search/index.ts'
import { openSources, type Sources } from './fixture.ts'
import { verifyCompanies } from './index.ts'

let held: TestWorld
let sources: Sources
beforeAll(async () => {
  held = await openTestWorld()
  sources = openSources(held.world)
})
afterAll(() => held.close())

test('a Luxembourg company whose registers spell S.à r.l. in their ways is one Company', async () => {
  const marten = { legalName: 'Marten Gaming S.à r.l.', country: 'LU' }
  await sources.sync('malta', day(1), licensee('M1', marten))
  await sources.sync('sweden', day(2), licensee('S1', { ...marten, legalName: 'MARTEN GAMING SARL' }))
  expect(await sources.companies()).toEqual(['malta.licences:M1 sweden.licences:S1 = Marten Gaming S.à r.l.'])
})

/** What an instance does that finds data of an older version. */
async function upgrade(): Promise<void> {
  await sql
    .raw(await readFile('database/migrations/0019_filed_names.sql', 'utf8'))
    .execute(held.world.database)
  await catchUpSearch(held.world, endFactChange)
}

test('what was held before under a spelling that was not known as a legal form is found by the form after an upgrade', async () => {
  const { database } = held.world
  await sql`update company_identities set name_key = 'marten gaming sa rl' where stream = 'malta.licences'`.execute(
    database,
  )
  await sql`
    update company_search
       set document = $$'=marten gaming sa rl':1 '~martengamingsarl':1 'gaming':3 'marten':2 'rl':5 'sa':4$$::tsvector`.execute(
    database,
  )
  await upgrade()
  expect((await database.transaction().execute(verifySearchRows)).differences).toEqual([])
  const { rows } = await sql`select distinct name_key from company_identities`.execute(database)
  expect(rows).toEqual([{ name_key: 'marten gaming sarl' }])
})

test('what a file told by a legal name alone is a legal entity after an upgrade', async () => {
  const { database } = held.world
  await sources.load(
    day(3),
    { kind: 'company', key: 'stoat', legal_entity: 'Stoat Ltd' },
    { kind: 'company', key: 'site', company_name: 'Site' },
  )
  await sql`update company_identities set subject_kind = 'unknown' where stream = 'import'`.execute(database)
  await sql`update companies set subject_kind = 'unknown' where legal_entity = 'Stoat Ltd'`.execute(database)
  await upgrade()
  const { rows } = await sql`
    select coalesce(company_name, legal_entity) as name, subject_kind
      from companies
     where coalesce(company_name, legal_entity) in ('Stoat Ltd', 'Site')
     order by 1`.execute(database)
  expect(rows).toEqual([
    { name: 'Site', subject_kind: 'unknown' },
    { name: 'Stoat Ltd', subject_kind: 'legal_entity' },
  ])
  expect((await database.transaction().execute(verifyCompanies)).differences).toEqual([])
  expect((await database.transaction().execute(verifySearchRows)).differences).toEqual([])
})
