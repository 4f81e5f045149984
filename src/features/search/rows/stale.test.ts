import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Transaction } from '../../../database/open.ts'
import { openSearchWorld, records, type SearchWorld } from '../fixture.ts'
import { rebuildSearchRows, verifySearchRows } from '../index.ts'

let world: SearchWorld

beforeAll(async () => {
  world = await openSearchWorld()
  await world.load([
    ...records,
    { kind: 'firmographics', domain: 'pikebet.example', fetched_at: '2026-01-01T00:00:00Z', name: 'Pike' },
    { kind: 'contact', company: 'pike', name: 'Ada Example', email: 'ada@pikebet.example', source: 'a test' },
    { kind: 'contact', company: 'kite', name: 'Bob Example', source: 'a test' },
  ])
})

afterAll(() => world.close())

class RolledBack extends Error {}

async function tried(work: (tx: Transaction) => Promise<void>): Promise<void> {
  const outcome = world.world.database.transaction().execute(async tx => {
    await work(tx)
    throw new RolledBack()
  })
  await expect(outcome).rejects.toBeInstanceOf(RolledBack)
}

async function staleIn(tx: Transaction): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(company.company_name, license.record_key, 'nameless') as name
      from search_stale stale
      left join companies company on stale.subject = 'company' and company.id = stale.id
      left join licenses license on stale.subject = 'license' and license.id = stale.id`.execute(tx)
  return rows.map(row => row.name).sort()
}

const companyId = (name: string) => sql`(select id from companies where company_name = ${name})`
const domainId = (domain: string) => sql`(select id from domains where domain = ${domain})`
const licenseId = sql`(select id from licenses where record_key = 'mga|MGA/B2C/101/2019')`
const mga = 'mga|MGA/B2C/101/2019'
const uk = 'ukgc|099101-R-339101-004'

const changes: [what: string, change: RawBuilder<unknown>, stale: string[]][] = [
  [
    'a Company is added',
    sql`insert into companies (company_ref, company_name, subject_kind) values ('co_new', 'New', 'unknown')`,
    ['New'],
  ],
  [
    'a Company changes',
    sql`update companies set role = '{operator}' where company_name = 'Otter'`,
    ['Otter'],
  ],
  [
    'a Company is renamed, also in its licenses',
    sql`update companies set company_name = 'Renamed' where company_name = 'Ottermoor Gaming'`,
    ['Renamed', mga, uk],
  ],
  [
    'a Company gets a brand, by which its licenses are found',
    sql`update companies set brands = brands || '{Otterest}'::text[] where company_name = 'Ottermoor Gaming'`,
    ['Ottermoor Gaming', mga, uk],
  ],
  [
    'a license is added',
    sql`
      insert into licenses (license_ref, stream, record_key, jurisdiction, company_id, first_seen_at)
      values ('lic_new', 'import', 'new', 'sweden', ${companyId('Otter')}, now())`,
    ['Otter', 'new'],
  ],
  [
    'the holder of a license changes',
    sql`update licenses set company_id = ${companyId('Otter')} where id = ${licenseId}`,
    ['Otter', 'Ottermoor Gaming', mga],
  ],
  [
    'a state of a license closes',
    sql`update license_states set known_to = now() where license_id = ${licenseId}`,
    ['Ottermoor Gaming', mga],
  ],
  [
    'an authorisation is added',
    sql`
      insert into authorisations (stream, record_key, domain_id, market, license_id, company_id,
                                  published, counts, first_seen_at, known_from)
      values ('import', 'new', ${domainId('pikebet.example')}, 'spain', ${licenseId}, ${companyId('Otter')},
              'x', true, now(), now())`,
    ['Otter', mga],
  ],
  [
    'an authorisation of a license without a Company is added',
    sql`
      insert into authorisations (stream, record_key, domain_id, market, license_id, published, counts,
                                  first_seen_at, known_from)
      values ('import', 'new', ${domainId('pikebet.example')}, 'mga', ${licenseId}, 'x', true, now(), now())`,
    ['Ottermoor Gaming', mga],
  ],
  [
    'an authorisation closes',
    sql`update authorisations set known_to = now() where license_id = ${licenseId}`,
    ['Ottermoor Gaming', mga],
  ],
  [
    'an authorisation no longer counts',
    sql`update authorisations set counts = false where license_id = ${licenseId}`,
    ['Ottermoor Gaming', mga],
  ],
  [
    'a domain gets a Company',
    sql`
      insert into domain_companies (domain_id, company_id, relation, stream, known_from)
      values (${domainId('pikebet.example')}, ${companyId('Otter')}, 'licensee', 'import', now())`,
    ['Otter'],
  ],
  [
    'a domain loses its Company',
    sql`update domain_companies set known_to = now() where company_id = ${companyId('Pebble & Pike')}`,
    ['Pebble & Pike'],
  ],
  [
    'a relation moves to another Company',
    sql`
      update domain_companies set company_id = ${companyId('Otter')}
       where company_id = ${companyId('Pebble & Pike')}`,
    ['Otter', 'Pebble & Pike'],
  ],
  [
    'a domain is observed',
    sql`
      update domains set last_observed_at = now(), payment_categories = '{card}'
       where domain = 'pikebet.example'`,
    ['Pebble & Pike', 'Sea Otter Bets'],
  ],
  [
    'the inferred place of a domain changes',
    sql`update domains set inferred_geo = 'NO' where domain = 'redkite-casino.example'`,
    ['Red Kite Leisure'],
  ],
  [
    'the platform of a domain changes',
    sql`
      update domains set platform_id = (select id from platforms where platform_key = 'copperbeam')
       where domain = 'redkite-casino.example'`,
    ['Red Kite Leisure'],
  ],
  [
    'a site gets an observation',
    sql`
      insert into observations (domain_id, section, value_key, value, first_seen_at, last_seen_at)
      values (${domainId('redkite-casino.example')}, 'payment_methods', 'visa',
              '{"normalized_name": "visa"}', now(), now())`,
    ['Red Kite Leisure'],
  ],
  [
    'something is seen otherwise',
    sql`
      update observations set value = '{"geo_hints": ["DE"]}'
       where section = 'geo' and domain_id = ${domainId('redkite-casino.example')}`,
    ['Red Kite Leisure'],
  ],
  ['an observation is deleted', sql`delete from observations where section = 'geo'`, ['Red Kite Leisure']],
  [
    'a platform is renamed',
    sql`update platforms set aliases = '{Cuprum}' where platform_key = 'copperbeam'`,
    ['Ottermoor Gaming'],
  ],
  [
    'a platform is reviewed',
    sql`update platforms set reviewed_at = now() where platform_key = 'backroom'`,
    ['Pebble & Pike', 'Sea Otter Bets'],
  ],
  [
    'firmographics come',
    sql`
      insert into firmographics (domain_id, fetched_at, data, stream)
      values (${domainId('redkite-casino.example')}, now(), '{}', 'import')`,
    ['Red Kite Leisure'],
  ],
  ['firmographics are deleted', sql`delete from firmographics`, ['Pebble & Pike', 'Sea Otter Bets']],
  [
    'somebody comes',
    sql`
      insert into contacts (contact_ref, company_id, name, name_key, email, source, collected_at)
      values ('con_new', ${companyId('Otter')}, 'Eve', 'eve', 'eve@otter.example', 'a test', now())`,
    ['Otter'],
  ],
  [
    'somebody can be reached',
    sql`update contacts set email = 'bob@kite.example' where name = 'Bob Example'`,
    ['Red Kite Leisure'],
  ],
  ['a contact is deleted', sql`delete from contacts where name = 'Ada Example'`, ['Pebble & Pike']],
  [
    'people move to another Company',
    sql`update contacts set company_id = ${companyId('Otter')} where name = 'Ada Example'`,
    ['Otter', 'Pebble & Pike'],
  ],
]

describe('changes that make search rows stale', () => {
  test.each(changes)(
    'exactly the affected search rows are listed as stale and rebuilt if %s',
    async (_what, change, expected) => {
      await tried(async tx => {
        await change.execute(tx)
        const stale = await staleIn(tx)
        expect(stale).toEqual(expected)
        await rebuildSearchRows(tx)
        expect(await staleIn(tx)).toEqual([])
        expect((await verifySearchRows(tx)).differences).toEqual([])
      })
    },
  )
})

test('a new state of a license makes the rows of the license and its Company stale', async () => {
  await tried(async tx => {
    await sql`update license_states set known_to = now() where license_id = ${licenseId}`.execute(tx)
    await rebuildSearchRows(tx)
    await sql`
      insert into license_states (license_id, license_number, status, known_from)
      values (${licenseId}, 'MGA/B2C/101/2019', 'suspended', now())`.execute(tx)
    expect(await staleIn(tx)).toEqual(['Ottermoor Gaming', mga])
  })
})

const indifferent: [what: string, change: RawBuilder<unknown>][] = [
  ['an update changes nothing', sql`update companies set company_name = company_name`],
  ['a license is seen again', sql`update license_states set last_seen_at = now()`],
  ['an authorisation is seen again', sql`update authorisations set last_seen_at = now()`],
  [
    'a verdict changes',
    sql`update domains set verdict = 'mixed', blocked_by = '[{"geo":"poland"}]', first_seen_at = now()`,
  ],
  [
    'a domain without a Company is added',
    sql`insert into domains (domain_ref, domain) values ('dom_new', 'new.example')`,
  ],
  [
    'a blocklist entry is added',
    sql`
      insert into blocklist_entries (stream, record_key, regulator, scope, published, domain_id, listed,
                                     first_seen_at, known_from, scope_rules)
      select 'poland.blocklist', domain, 'poland', 'domain', domain, id, true, now(), now(), 1 from domains`,
  ],
  [
    'firmographics are renewed',
    sql`update firmographics set fetched_at = now(), data = '{"name": "Pike Group"}'`,
  ],
  ['the title of a person changes', sql`update contacts set title = 'CEO'`],
  ['a value is confirmed', sql`update observations set last_confirmed_at = now()`],
]

describe('changes that make no search row stale', () => {
  test.each(indifferent)('no search row is listed as stale if %s', async (_what, change) => {
    await tried(async tx => {
      await change.execute(tx)
      expect(await staleIn(tx)).toEqual([])
      expect((await verifySearchRows(tx)).differences).toEqual([])
    })
  })
})
