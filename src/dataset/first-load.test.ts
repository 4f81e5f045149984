import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyListings, verifyVerdicts } from '../features/domains/index.ts'
import { type Line, later, openTestWorld, type TestWorld } from './fixture.ts'

let usual: TestWorld
let first: TestWorld
beforeAll(async () => {
  usual = await openTestWorld()
  first = await openTestWorld()
})
afterAll(async () => {
  await usual.close()
  await first.close()
})

/** Loads lines as the first ones of an empty world, although they are few. */
const asFirst = { firstLoadLinesMin: 0 }

async function rowsOf({ world }: TestWorld): Promise<unknown> {
  const { rows } = await sql`
    with site as (select id as domain_id, domain as of from domains)
    select (select json_agg(row order by row ->> 'domain')
              from (
                select to_jsonb(each) - '{id,domain_ref,licensee_company_id,platform_id}'::text[] as row
                  from domains each
              ) each) as domains,
           (select json_agg(row order by row ->> 'domain', row ->> 'geo')
              from (
                select to_jsonb(each) - '{domain_id,platform_id}'::text[]
                       || to_jsonb(site) - 'domain_id' as row
                  from domain_listings each
                  join site using (domain_id)
              ) each) as listings,
           (select json_agg(row order by row ->> 'record_key')
              from (
                select to_jsonb(each) - '{id,domain_id}'::text[]
                       || to_jsonb(site) - 'domain_id' as row
                  from blocklist_entries each
                  left join site using (domain_id)
              ) each) as entries,
           (select json_agg(row order by row ->> 'of')
              from (
                select to_jsonb(each) - '{number,change_ref,domain_id}'::text[]
                       || to_jsonb(site) - 'domain_id' as row
                  from verdict_changes each
                  join site using (domain_id)
              ) each) as changes,
           (select json_agg(each order by verdict, geo) from domain_counts each where domains <> 0) as counts,
           (select json_agg(pg_get_indexdef(indexrelid) order by indexrelid::regclass::text)
              from pg_index
              join pg_class on oid = indrelid
             where relnamespace = 'public'::regnamespace) as indexes,
           (select json_agg(json_build_array(conname, pg_get_constraintdef(oid)) order by conname, oid)
              from pg_constraint
             where connamespace = 'public'::regnamespace) as constraints,
           (select json_agg(json_build_array(tgname, tgenabled) order by tgname, tgrelid::regclass::text)
              from pg_trigger
             where not tgisinternal) as triggers
  `.execute(world.database)
  return rows[0]
}

const few = <Value>(...values: Value[]) => fc.constantFrom(...values)
const domain = few('a.example', 'b.example', 'c.test', 'xn--bcher-kva.example')
const moment = few('2025-01-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')
const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const entry = fc.record({
  kind: fc.constant('blocklist_entry'),
  regulator: few('poland', 'italy', 'czechia'),
  domain: fc.oneof(
    { arbitrary: domain, weight: 3 },
    few('www.a.example', 'play.b.example', 'WWW.c.test', 'm.c.test'),
  ),
  listed: few(true, true, true, false, undefined),
  first_seen_at: sometimes(moment),
})
const site = fc.record({
  kind: fc.constant('domain'),
  domain,
  inferred_geo: sometimes(few('GB', 'MT')),
})
const linked = fc.record({
  kind: fc.constant('domain'),
  domain,
  company: few('acme', 'hooli'),
  relation: few('licensee', 'brand_owner'),
  brand: sometimes(few('One', 'Two')),
})
const license = fc.record({
  kind: fc.constant('license'),
  jurisdiction: few('ukgc', 'mga'),
  license_number: few('1', '2'),
  company: sometimes(few('acme', 'hooli')),
  authorized_domains: fc.uniqueArray(domain, { maxLength: 2 }),
})
const reading = fc.record({ kind: fc.constant('platform_reading'), domain, platform: few('p', 'q') })
const named: Line[] = [
  ...['acme', 'hooli'].map(key => ({ kind: 'company', key, company_name: key })),
  ...['p', 'q'].map(key => ({ kind: 'platform', key, name: key, reviewed: key === 'p' })),
]
/** Entries are frequent: only they are derived in another way. */
const line: fc.Arbitrary<Line> = fc.oneof(
  { arbitrary: entry, weight: 5 },
  { arbitrary: site, weight: 2 },
  linked,
  license,
  reading,
)

test('the first lines of an empty world give the same rows and indexes as any import', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 16 }), async lines => {
      await usual.empty()
      await first.empty()
      const report = await usual.load([...named, ...lines])
      const { seconds: _, ...reported } = await first.load([...named, ...lines], asFirst)
      expect(reported).toMatchObject({ loaded: report.loaded, rejected: 0 })
      expect(await rowsOf(first)).toEqual(await rowsOf(usual))
      expect(await first.dump()).toEqual(await usual.dump())
      expect((await verifyVerdicts(first.world.database)).differences).toEqual([])
      expect(await verifyListings(first.world.database)).toEqual([])
    }),
    { numRuns: 25 },
  )
})

test('an import into a world with domains changes what a first load has written', async () => {
  const entries = ['poland', 'italy'].map(regulator => ({
    kind: 'blocklist_entry',
    regulator,
    domain: 'a.example',
  }))
  for (const small of [usual, first]) {
    await small.empty()
    await small.load(entries, asFirst)
  }
  const more = [
    { ...entries[0], listed: false },
    { kind: 'blocklist_entry', regulator: 'poland', domain: 'b.example' },
  ]
  await usual.load(more, { now: later })
  await first.load(more, { now: later, ...asFirst })
  expect(await rowsOf(first)).toEqual(await rowsOf(usual))
  expect(await verifyListings(first.world.database)).toEqual([])
})

test('a first load with a bad line leaves the world empty, with all indexes', async () => {
  await usual.empty()
  await first.empty()
  const bad = { kind: 'domain', domain: 'a.example', company: 'unknown', relation: 'licensee' }
  expect(await first.load([bad, { kind: 'domain', domain: 'b.example' }], asFirst)).toMatchObject({
    loaded: {},
  })
  expect(await rowsOf(first)).toEqual(await rowsOf(usual))
})
