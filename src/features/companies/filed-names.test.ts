import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, licensee, openTestWorld, type TestWorld } from '../../registers/fixture.ts'
import { openSources, type Sources } from './fixture.ts'
import { mergeCompanies } from './index.ts'

let fixture: TestWorld
let sources: Sources
beforeAll(async () => {
  fixture = await openTestWorld()
  sources = openSources(fixture.world)
})
afterAll(() => fixture.close())

test('licensees whose names spell S.à r.l. differently in two registers are one Company', async () => {
  const marten = { legalName: 'Marten Gaming S.à r.l.', country: 'LU' }
  await sources.sync('malta', day(1), licensee('M1', marten))
  await sources.sync('sweden', day(2), licensee('S1', { ...marten, legalName: 'MARTEN GAMING SARL' }))
  expect(await sources.companies()).toEqual(['malta.licences:M1 sweden.licences:S1 = Marten Gaming S.à r.l.'])
})

test('an imported Company with only a legal name is a legal entity', async () => {
  const { database } = fixture.world
  await sources.load(
    day(3),
    { kind: 'company', key: 'stoat', legal_entity: 'Stoat Ltd' },
    { kind: 'company', key: 'site', company_name: 'Site' },
  )
  const { rows } = await sql`
    select coalesce(company_name, legal_entity) as name, subject_kind
      from companies
     where coalesce(company_name, legal_entity) in ('Stoat Ltd', 'Site')
     order by 1`.execute(database)
  expect(rows).toEqual([
    { name: 'Site', subject_kind: 'unknown' },
    { name: 'Stoat Ltd', subject_kind: 'legal_entity' },
  ])
})

test('only legal entities publish a legal name, and every Company has a name', async () => {
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
  expect(await names()).toEqual([
    { company_name: 'Ermine', legal_entity: null, aliases: ['Erm', 'Ermine Works Ltd'] },
    { company_name: 'Fitch Ltd', legal_entity: 'Fitch Ltd', aliases: [] },
    { company_name: 'Genet Ltd', legal_entity: null, aliases: [] },
    { company_name: 'Linsang', legal_entity: 'Linsang AB', aliases: ['Erm', 'Lin', 'Linsang Ltd'] },
  ])
})

async function names(): Promise<unknown[]> {
  const { rows } = await sql`
    select company_name, legal_entity, aliases
      from companies
     where merged_into is null and company_name ~ '^(Ermine|Fitch|Genet|Linsang)'
     order by company_name collate "C"`.execute(fixture.world.database)
  return rows
}
