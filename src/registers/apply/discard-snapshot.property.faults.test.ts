import type { Reading, Stream } from '@baize/registers'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mergeCompanies } from '../../features/companies/index.ts'
import { verifyAll } from '../../verify/index.ts'
import {
  authorisation,
  day,
  entry,
  fakeStream,
  fileOf,
  license,
  licensee,
  openTestWorld,
  syncApproved,
  type TestWorld,
} from '../fixture.ts'
import { discardSnapshot } from './discard-snapshot.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

/**
 * The generator has few names and keys, so that streams share Companies and domains, and records leave and
 * return.
 */
const domain = fc.constantFrom('a.example', 'b.example', 'c.example')
const licenseKey = fc.constantFrom('L1', 'L2')
const licenseeKey = fc.constantFrom('C1', 'C2')
const date = fc.constantFrom(day(1).toISOString(), day(2).toISOString(), null)

const reading: fc.Arbitrary<Reading> = fc.oneof(
  fc
    .record({ listed: fc.boolean(), listedAt: date, delistedAt: date })
    .chain(fields => domain.map(name => entry(name, fields))),
  fc
    .record({
      legalName: fc.constantFrom('One Limited', 'Two Limited'),
      country: fc.constantFrom('MT', 'GB', null),
      registrationNumber: fc.constantFrom('C 100', 'C 200', null),
      tradingNames: fc.subarray(['Heron', 'Otter']),
    })
    .chain(fields => licenseeKey.map(key => licensee(key, fields))),
  fc
    .record({
      status: fc.constantFrom('active', 'revoked', null),
      role: fc.constantFrom('operator' as const, 'supplier' as const, null),
      licenseNumber: fc.constantFrom('7', '8'),
      issuedAt: date,
    })
    .chain(fields => fc.tuple(licenseKey, licenseeKey).map(([key, holder]) => license(key, holder, fields))),
  fc
    .record({ counts: fc.boolean(), licenseKey: fc.option(licenseKey), licenseeKey: fc.option(licenseeKey) })
    .chain(fields => domain.map(name => authorisation(name, fields))),
)

const step = fc.record({
  register: fc.constantFrom('malta.sites', 'sweden.sites'),
  readings: fc.array(reading, { minLength: 1, maxLength: 12 }),
  isNewParser: fc.boolean(),
  isMerged: fc.boolean(),
})

/** A later parser renames the license types, which corrects every license. */
function readBy(key: string, parserVersion: number): Stream {
  const stream = fakeStream(key)
  return {
    ...stream,
    parserVersion,
    async *read(files) {
      for await (const reading of stream.read(files))
        yield reading.record === 'license'
          ? { ...reading, licenseType: `${reading.licenseType} v${parserVersion}` }
          : reading
    },
  }
}

const whole = [
  'authorisations',
  'blocklist_entries',
  'license_states',
  'licensee_states',
  'company_identities',
  'domain_companies',
  'domain_listings',
]

/** Rows and refs of domains, Companies and licenses remain, but without facts no answer has them. */
const answered = sql`
  select 'company' as kind, to_jsonb(company) - 'last_updated_at' as fact
    from companies company
   where exists (select from company_identities identity where identity.company_id = company.id)
  union all
  select 'license', to_jsonb(license)
    from licenses license
   where exists (select from license_states state where state.license_id = license.id)
  union all
  select 'domain', to_jsonb(domain) from domains domain where first_seen_at is not null
  union all
  select 'count', to_jsonb(counted) from domain_counts counted where domains > 0
  union all
  select 'company row', to_jsonb(searched) - '{hit,facets_change}'::text[] from company_search searched
  union all
  select 'license row', to_jsonb(searched) - '{hit,facets_change}'::text[] from license_search searched
  union all
  select 'stream', jsonb_build_object('stream', stream, 'number', snapshot_number, 'taken', last_taken_at,
                                      'confirmed', last_confirmed_at, 'parser', parser_version)
    from register_streams
   where snapshot_number > 0`

async function state(): Promise<string[]> {
  const { database } = testWorld.world
  const facts = (rows: unknown) =>
    (rows as { rows: { kind: string; fact: unknown }[] }).rows.map(
      ({ kind, fact }) => `${kind} ${JSON.stringify(fact)}`,
    )
  const found = facts(await sql`${answered}`.execute(database))
  for (const table of whole) {
    const rows = sql`
      select ${table}::text as kind, to_jsonb(stored) - '{from_event,to_event}'::text[] as fact
        from ${sql.table(table)} stored`
    found.push(...facts(await rows.execute(database)))
  }
  return found.sort()
}

async function applied(stream: string): Promise<string[]> {
  const rows = await testWorld.rowsOf('register_snapshots')
  return rows
    .filter(row => row.stream === stream && row.status === 'applied')
    .map(row => row.snapshot_ref as string)
}

async function mergedCompanies(): Promise<number> {
  return (await testWorld.rowsOf('companies')).filter(row => row.merged_into !== null).length
}

/** Merges the last Company into the first, if there are two. */
async function mergeFirst(index: number): Promise<void> {
  const { rows } = await sql<{ ref: string }>`
    select distinct company.company_ref as ref, company.id
      from companies company
      join company_identities identity on identity.company_id = company.id
     order by company.id`.execute(testWorld.world.database)
  const refs = rows.map(row => row.ref)
  const [into, from] = index % 2 === 0 ? [refs[0], refs.at(-1)] : [refs.at(-1), refs[0]]
  if (into === undefined || from === undefined || from === into) return
  const now = new Date(day(index + 1).getTime() + 1)
  await mergeCompanies(testWorld.world, { from, into, reason: 'the same party', now })
}

test('a discard restores every fact, search row and date, and the history replays', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async steps => {
      await testWorld.empty()
      await sql`truncate company_search, license_search, search_terms cascade`.execute(
        testWorld.world.database,
      )
      let version = 1
      for (const [index, { register, readings, isNewParser, isMerged }] of steps.entries()) {
        if (isNewParser) version += 1
        const options = { takenAt: day(index + 1), now: day(index + 1) }
        const sync = () =>
          syncApproved(testWorld.world, readBy(register, version), [fileOf(...readings)], options)
        const [before, refs, merged] = [await state(), await applied(register), await mergedCompanies()]
        await sync()
        const added = (await applied(register)).slice(refs.length)
        if (isMerged) await mergeFirst(index)
        // Companies that the file joined, or a person merged, stay one until they are split.
        const merges = (await mergedCompanies()) > merged
        for (const snapshotRef of added.reverse())
          await discardSnapshot(testWorld.world, { snapshotRef, reason: 'a wrong file', now: day(index + 2) })
        if (added.length > 0 && !merges) expect(await state()).toEqual(before)
        await sync()
      }
      const { checks } = await verifyAll(testWorld.world, testWorld.connection)
      expect(checks.flatMap(check => check.differences)).toEqual([])
    }),
    { numRuns: Number(process.env.DISCARD_RUNS ?? 15), endOnFailure: true },
  )
})
