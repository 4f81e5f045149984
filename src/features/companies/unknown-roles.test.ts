import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { day, licensee } from '../../registers/fixture.ts'
import { verifyAll } from '../../verify/index.ts'
import { endFactChange } from '../facts/index.ts'
import { catchUpSearch } from '../search/index.ts'
import { type CompanyService, startCompanyService } from './resolve/fixture.ts'

// Nobody else has so many of one name.
const everyone = ['Marten Registered', 'Marten Told', 'Marten Unsaid']

let service: CompanyService
beforeAll(async () => {
  service = await startCompanyService()
  await service.sync('malta', day(1), licensee('M1', { legalName: 'Marten Registered' }))
  await service.load(
    day(2),
    { kind: 'company', key: 'unsaid', company_name: 'Marten Unsaid' },
    { kind: 'company', key: 'told', company_name: 'Marten Told', role: ['unknown'] },
    { kind: 'company', key: 'both', company_name: 'Marten Both', role: ['unknown', 'game_studio'] },
  )
})
afterAll(() => service.close())

/** As a customer of a free preview and of a paid search is told it. */
async function ofUnknownRole() {
  const customer = await service.customer({ credits: 1_000 })
  const { body: preview } = await customer.ask('/v1/companies/search/preview?q=marten')
  const { body } = await customer.ask('/v1/companies/search?q=marten&role=unknown')
  const { values } = preview.data.facet_counts.find(({ field }: { field: string }) => field === 'role')
  const hits: { company_name: string; role: string[] }[] = body.data.hits
  return {
    counted: values.find(({ value }: { value: string }) => value === 'unknown').count,
    names: hits.map(hit => hit.company_name).toSorted(),
    roles: new Set(hits.flatMap(hit => hit.role)),
  }
}
const told = { counted: everyone.length, names: everyone, roles: new Set(['unknown']) }

test('whoever no source gives a role is unknown, counted and found as that, whoever told of it', async () => {
  expect(await ofUnknownRole()).toEqual(told)
})

test('unknown does not stand beside a role that is known', async () => {
  expect((await service.answer({ name: 'Marten Both' })).companies[0].role).toEqual(['game_studio'])
})

test('so it is after an upgrade of data that held no role at all', async () => {
  const { database } = service.service.live
  for (const table of ['companies', 'company_identities'])
    await sql.raw(`alter table ${table} drop constraint a_role_or_unknown`).execute(database)
  for (const table of ['companies', 'company_identities'])
    await sql.raw(`update ${table} set role = '{}' where company_name = 'Marten Unsaid'`).execute(database)
  await sql
    .raw(`update companies set role = '{unknown,game_studio}' where company_name = 'Marten Both'`)
    .execute(database)
  await sql
    .raw(`update company_identities set role = '{unknown,game_studio}' where company_name = 'Marten Both'`)
    .execute(database)
  await catchUpSearch(service.service.live, endFactChange)
  expect(await ofUnknownRole()).not.toEqual(told)

  await sql.raw(await readFile('database/migrations/0021_unknown_roles.sql', 'utf8')).execute(database)
  await catchUpSearch(service.service.live, endFactChange)
  expect(await ofUnknownRole()).toEqual(told)
  expect((await service.answer({ name: 'Marten Both' })).companies[0].role).toEqual(['game_studio'])
  expect(await verifyAll(service.service.live)).toMatchObject({ ok: true })
})
