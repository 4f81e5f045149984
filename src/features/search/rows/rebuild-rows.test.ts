import type { Reading } from '@baize/registers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authorisation, day, fileOf, license, licensee, syncApproved } from '../../../registers/fixture.ts'
import {
  alpha,
  betaIdentity,
  file,
  gammaIdentity,
  type MergeWorld,
  malta,
  openMergeWorld,
  streams,
  sweden,
} from '../../companies/fixture.ts'
import { endFactChange, lapseLicenses } from '../../facts/index.ts'
import { reviewPlatform } from '../../signals/index.ts'
import { catchUpSearch, searchRows, verifySearchRows } from '../index.ts'

let world: MergeWorld

beforeAll(async () => {
  world = await openMergeWorld()
})

afterAll(() => world.close())

beforeEach(() => world.reset())

const database = () => world.world.database

async function differences(): Promise<unknown[]> {
  return (await database().transaction().execute(verifySearchRows)).differences
}

async function find(text: string, subject: 'company' | 'license' = 'company') {
  const { rows } = await searchRows(
    world.world,
    { subject, filters: [], text },
    { position: { offset: 0 }, rows: 10 },
  )
  return rows.map(row => JSON.parse(row.hit))
}

/** Syncs and approves a snapshot, which the guard would quarantine as too small. */
const syncMalta = (number: number, ...readings: Reading[]) =>
  syncApproved(world.world, streams.malta, [fileOf(...readings)], { takenAt: day(number), now: day(number) })

const versionNow = async () => (await world.rowsOf('dataset_version'))[0]?.version

describe('search rows after changes of facts', () => {
  test('search matches the facts after a sync that adds, changes and removes', async () => {
    expect(await differences()).toEqual([])
    await syncMalta(
      11,
      { ...alpha, legalName: 'Omega Ltd' },
      license('L1', 'M1', { status: 'suspended' }),
      authorisation('new.example', { licenseKey: 'L1', licenseeKey: 'M1' }),
      licensee('M2'),
    )
    expect(await differences()).toEqual([])
    expect(await find('Omega')).toMatchObject([
      {
        company_name: 'Omega Ltd',
        license_statuses: ['suspended'],
        primary_domain: { domain: 'new.example' },
      },
    ])
    expect(await find('Alpha')).toEqual([])
    expect(await find('Omega', 'license')).toMatchObject([
      { status: 'suspended', authorized_domain_count: 1 },
    ])
    await syncMalta(12, alpha)
    expect(await differences()).toEqual([])
    expect(await find('Alpha', 'license')).toEqual([])
    expect(await find('Alpha')).toMatchObject([{ license_count: 0, domain_count: 0, jurisdictions: [] }])
  })

  test('search matches the facts after an import of a Company, a relation and a license', async () => {
    const [company, domain, licensed] = file
    await world.load(
      day(12),
      { ...company, company_name: 'Delta', brands: [] },
      { ...domain, brand: 'Dee' },
      {
        ...licensed,
        status: 'Revoked',
      },
    )
    expect(await differences()).toEqual([])
    expect(await find('Delta')).toMatchObject([{ license_statuses: ['revoked'] }])
    expect(await find('Gee')).toEqual([])
  })

  test('search matches the facts after an import of observations, readings and people', async () => {
    const site = 'b.example'
    await world.load(
      day(12),
      {
        kind: 'observation',
        domain: site,
        section: 'payment_methods',
        normalized_name: 'visa',
        category: 'card',
      },
      { kind: 'platform', key: 'copperbeam', name: 'Copperbeam', reviewed: true },
      { kind: 'platform_reading', domain: site, platform: 'copperbeam', seen_at: day(12).toISOString() },
      { kind: 'firmographics', domain: site, fetched_at: day(12).toISOString(), name: 'Gamma' },
      { kind: 'contact', company: 'gamma', name: 'Ada Example', email: 'ada@b.example', source: 'a test' },
    )
    expect(await differences()).toEqual([])
    expect(await find('Gamma')).toMatchObject([
      {
        payment_method_count: 1,
        payment_categories: ['card'],
        platform_present: true,
        firmographics_available: true,
        contacts_available: true,
      },
    ])
  })

  test('search matches the facts after a merge, and after a split that reverses it', async () => {
    await world.merge(gammaIdentity, betaIdentity)
    expect(await differences()).toEqual([])
    expect(await find('Gamma')).toMatchObject([{ company_name: 'Beta AB', license_count: 2 }])
    expect(await find('Beta', 'license')).toHaveLength(2)
    await world.split(betaIdentity, [gammaIdentity])
    expect(await differences()).toEqual([])
    expect(await find('Gamma')).toMatchObject([{ company_name: 'Gamma', license_count: 1 }])
  })

  test('search matches the facts after a platform is reviewed, and after the review is revoked', async () => {
    await world.load(
      day(12),
      { kind: 'platform', key: 'backroom', name: 'Backroom', reviewed: false },
      { kind: 'platform_reading', domain: 'b.example', platform: 'backroom', seen_at: day(12).toISOString() },
    )
    for (const reviewed of [true, false]) {
      await reviewPlatform(world.world, 'backroom', day(13), { reviewed })
      expect(await differences()).toEqual([])
      expect(await find('Gamma')).toMatchObject([{ platform_present: reviewed }])
    }
  })

  test('search matches the facts after a license lapses', async () => {
    await world.load(day(12), { ...file[2], expires_at: '2099-01-01' })
    await database()
      .transaction()
      .execute(async tx => {
        await sql`
          update license_states set expires_at = current_date - 1
           where expires_at = '2099-01-01'`.execute(tx)
        await endFactChange(tx)
      })
    expect(await lapseLicenses(database())).toBe(1)
    expect(await differences()).toEqual([])
  })
})

test('a snapshot without changes leaves search rows and the data version unchanged', async () => {
  const before = await versionNow()
  const rows = await world.rowsOf('company_search')
  await world.sync('sweden', day(11), ...sweden)
  await world.sync('malta', day(11), ...malta)
  expect(await versionNow()).toBe(before)
  expect(await world.rowsOf('company_search')).toEqual(rows)
})

test('a blocklist entry and a verdict make no search row stale', async () => {
  await database()
    .transaction()
    .execute(async tx => {
      await sql`
      insert into blocklist_entries
        (stream, record_key, regulator, scope, published, domain_id, listed, first_seen_at, known_from,
         scope_rules)
      select 'test', domain, 'poland', 'domain', domain, id, true, now(), now(), 1 from domains`.execute(tx)
      await sql`update domains set verdict = 'mixed', blocked_by = '[{"geo":"poland"}]'`.execute(tx)
      await sql`update license_states set last_seen_at = now()`.execute(tx)
      await sql`update authorisations set last_seen_at = now()`.execute(tx)
      const { rows } = await sql`select * from search_stale`.execute(tx)
      expect(rows).toEqual([])
      await sql`delete from blocklist_entries`.execute(tx)
    })
})

describe('differences that verification reports', () => {
  test.each([
    [
      'a changed row',
      sql`update company_search set hit = '{}' where ref = (select min(ref) from company_search)`,
      'hit',
    ],
    [
      'a document',
      sql`update license_search set document = '''otter''' where id = (select min(id) from license_search)`,
      'document',
    ],
    [
      'terms',
      sql`update company_search set terms = '{}' where id = (select min(id) from company_search)`,
      'terms',
    ],
    ['a row too few', sql`delete from license_search`, 'row'],
    ['a count', sql`update search_terms set rows = rows + 1 where field = 'role'`, 'rows'],
    ['a word that the vocabulary lacks', sql`delete from search_words where word = 'gamma'`, 'word'],
    [
      'a writer that forgot',
      sql`update companies set company_name = 'Other' where company_name = 'Gamma'`,
      'stale',
    ],
  ])('verification reports %s', async (_what, tamper, field) => {
    await tamper.execute(database())
    expect(await differences()).toContainEqual(expect.objectContaining({ field }))
  })
})

test('stale search rows are rebuilt when an instance starts', async () => {
  await sql`delete from company_search`.execute(database())
  await sql`update search_terms set rows = 0 where subject = 'company'`.execute(database())
  await sql`insert into search_stale select 'company', id from companies`.execute(database())
  expect(await find('Gamma')).toEqual([])
  expect(await catchUpSearch(world.world, endFactChange)).toBe(true)
  expect(await find('Gamma')).toHaveLength(1)
  expect(await differences()).toEqual([])
  expect(await catchUpSearch(world.world, endFactChange)).toBe(false)
})

test('truncating the facts empties the search rows and resets their counts', async () => {
  await sql`truncate companies, licenses cascade`.execute(database())
  expect(await differences()).toEqual([])
  expect(await world.rowsOf('search_stale')).toEqual([])
  expect(
    (
      await searchRows(
        world.world,
        { subject: 'company', filters: [] },
        { position: { offset: 0 }, rows: 10 },
      )
    ).total,
  ).toBe(0)
})
