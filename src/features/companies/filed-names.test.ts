import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, licensee, openTestWorld, type TestWorld } from '../../registers/fixture.ts'
import { endFactChange } from '../facts/index.ts'
import { catchUpSearch, verifySearchRows } from '../search/index.ts'
import { openSources, type Sources } from './fixture.ts'
import { mergeCompanies, verifyCompanies } from './index.ts'

let fixture: TestWorld
let sources: Sources
beforeAll(async () => {
  fixture = await openTestWorld()
  sources = openSources(fixture.world)
})
afterAll(() => fixture.close())

test('licensees that registers list with different spellings of S.à r.l. are one Company', async () => {
  const marten = { legalName: 'Marten Gaming S.à r.l.', country: 'LU' }
  await sources.sync('malta', day(1), licensee('M1', marten))
  await sources.sync('sweden', day(2), licensee('S1', { ...marten, legalName: 'MARTEN GAMING SARL' }))
  expect(await sources.companies()).toEqual(['malta.licences:M1 sweden.licences:S1 = Marten Gaming S.à r.l.'])
})

async function upgrade(migration = '0019_filed_names'): Promise<void> {
  await sql
    .raw(await readFile(`database/migrations/${migration}.sql`, 'utf8'))
    .execute(fixture.world.database)
  await catchUpSearch(fixture.world, endFactChange)
}

test('an upgrade recognises legal forms in stored names', async () => {
  const { database } = fixture.world
  await sql`
    update company_identities
       set name_key = 'marten gaming sa rl'
     where stream = 'malta.licences'`.execute(database)
  const document = `'=marten gaming sa rl':1 '~martengamingsarl':1 'gaming':3 'marten':2 'rl':5 'sa':4`
  await sql`update company_search set document = ${document}::tsvector`.execute(database)
  await upgrade()
  expect((await database.transaction().execute(verifySearchRows)).differences).toEqual([])
  const { rows } = await sql`select distinct name_key from company_identities`.execute(database)
  expect(rows).toEqual([{ name_key: 'marten gaming sarl' }])
})

test('an upgrade makes imported Companies with only a legal name legal entities', async () => {
  const { database } = fixture.world
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

test('an upgrade publishes legal names of legal entities alone, and names every Company', async () => {
  const { database } = fixture.world
  const trade = { subject_kind: 'trade_name', company_name: 'Ermine', aliases: ['Erm'] }
  await sources.load(
    day(4),
    { kind: 'company', key: 'ermine', ...trade, legal_entity: 'Ermine Works Ltd' },
    { kind: 'company', key: 'fitch', legal_entity: 'Fitch Ltd' },
    { kind: 'company', key: 'genet', legal_entity: 'Genet Ltd', subject_kind: 'unknown' },
    { kind: 'company', key: 'linsang', ...trade, company_name: 'Linsang', legal_entity: 'Linsang Ltd' },
    { kind: 'company', key: 'linsang2', legal_entity: 'Linsang AB', aliases: ['Lin', 'Linsang'] },
  )
  const [into, from] = [await sources.refOf('import:linsang'), await sources.refOf('import:linsang2')]
  await mergeCompanies(fixture.world, { from, into, reason: 'one party', now: day(5) })
  const derived = await namedLikeIdentities()
  expect(derived).toEqual([
    { company_name: 'Ermine', legal_entity: null, aliases: ['Erm', 'Ermine Works Ltd'] },
    { company_name: 'Fitch Ltd', legal_entity: 'Fitch Ltd', aliases: [] },
    { company_name: 'Genet Ltd', legal_entity: null, aliases: [] },
    { company_name: 'Linsang', legal_entity: 'Linsang AB', aliases: ['Erm', 'Lin', 'Linsang Ltd'] },
  ])
  // The names as the previous release derived them.
  await sql`
    update companies company
       set company_name = identity.company_name, legal_entity = identity.legal_entity, aliases = '{}'
      from company_identities identity
     where identity.company_id = company.id
       and identity.identity_key in ('ermine', 'fitch', 'genet', 'linsang')
  `.execute(database)
  await upgrade('0027_filed_legal_entities')
  expect(await namedLikeIdentities()).toEqual(derived)
  expect((await database.transaction().execute(verifyCompanies)).differences).toEqual([])
  expect((await database.transaction().execute(verifySearchRows)).differences).toEqual([])
})

async function namedLikeIdentities(): Promise<unknown[]> {
  const { rows } = await sql`
    select company_name, legal_entity, aliases
      from companies
     where merged_into is null and company_name ~ '^(Ermine|Fitch|Genet|Linsang)'
     order by company_name collate "C"`.execute(fixture.world.database)
  return rows
}
