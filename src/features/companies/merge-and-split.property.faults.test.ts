import type { Reading } from '@baize/registers'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEvents } from '../../journal/index.ts'
import { authorisation, day, license, licensee } from '../../registers/fixture.ts'
import { type MergeWorld, openMergeWorld } from './fixture.ts'
import { replayMerge, replaySplit } from './index.ts'

let first: MergeWorld
let second: MergeWorld

beforeAll(async () => {
  first = await openMergeWorld()
  second = await openMergeWorld()
})
afterAll(async () => {
  await first.close()
  await second.close()
})

/** Every license has its own day: on equal days verdicts depend on refs, which differ by database. */
function register(prefix: string): Reading[] {
  const party = (number: number, legalName: string, ...domains: string[]): Reading[] => {
    const licenseeKey = `${prefix}${number}`
    const licenseKey = `L${licenseeKey}`
    return [
      licensee(licenseeKey, { legalName, country: 'MT', tradingNames: [`Brand ${licenseeKey}`] }),
      license(licenseKey, licenseeKey, { issuedAt: day(number + (prefix === 'M' ? 0 : 5)).toISOString() }),
      ...domains.map(domain =>
        authorisation(domain, { recordKey: `${licenseeKey}|${domain}`, licenseKey, licenseeKey }),
      ),
    ]
  }
  return [
    ...party(1, 'Alpha Ltd', 'a.example', 'shared.example'),
    ...party(2, `Only ${prefix} Ltd`, 'shared.example', `${prefix.toLowerCase()}.example`),
    ...party(3, 'Alpha Limited', 'c.example'),
  ]
}
const company = (key: string, domain: string) => [
  { kind: 'company', key, company_name: `Group ${key}`, brands: [`Brand ${key}`] },
  { kind: 'domain', domain: 'shared.example', company: key, relation: 'brand_owner', brand: `Brand ${key}` },
  { kind: 'domain', domain, company: key, relation: 'brand_owner' },
  { kind: 'license', jurisdiction: 'mga', license_number: key, company: key, authorized_domains: [domain] },
]
const files = [...company('one', 'one.example'), ...company('two', 'two.example')]

const identities = [
  ...['M1', 'M2', 'M3'].map(key => `malta.licences:${key}`),
  ...['S1', 'S2', 'S3'].map(key => `sweden.licences:${key}`),
  ...['one', 'two'].map(key => `import:${key}`),
]

type Step =
  | { do: 'merge'; from: string; into: string }
  | { do: 'split'; identities: string[] }
  | { do: 'sync'; register: 'malta' | 'sweden' }
  | { do: 'import' }

const identity = fc.constantFrom(...identities)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('merge' as const), from: identity, into: identity }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('split' as const),
      identities: fc.uniqueArray(identity, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('sync' as const),
      register: fc.constantFrom('malta' as const, 'sweden' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'import' as const }) },
)

async function reset(world: MergeWorld): Promise<void> {
  await world.empty()
  await world.sync('malta', day(1), ...register('M'))
  await world.sync('sweden', day(1), ...register('S'))
  await world.load(day(1), ...files)
}

/** Applies a step to one world. Each sync adds a domain, because an unchanged snapshot is skipped. */
async function update(world: MergeWorld, step: Step, number: number): Promise<void> {
  if (step.do === 'import') await world.load(day(number), ...files)
  if (step.do !== 'sync') return
  const rows = register(step.register === 'malta' ? 'M' : 'S')
  const report = await world.sync(step.register, day(number), authorisation(`new${number}.example`), ...rows)
  expect(report).toMatchObject({ added: 1, changed: 0 })
}

async function mergeOrSplit(world: MergeWorld, step: Step, number: number): Promise<void> {
  try {
    if (step.do === 'merge') await world.merge(step.from, step.into, number)
    if (step.do === 'split') await world.split(step.identities[0] as string, step.identities, number)
  } catch (error) {
    expect(error).toMatchObject({ name: 'StaffError' })
  }
}

/** Returns violations: identities of merged Companies, and facts at Companies that are not the holder. */
async function violations(world: MergeWorld): Promise<unknown[]> {
  const { rows } = await sql`
    with holders as (
      select 'license ' || license.record_key as fact, license.company_id, license.stream,
             coalesce(state.licensee_key, license.company_key) as identity_key
        from licenses license
        left join license_states state on state.license_id = license.id and state.known_to is null
      union all
      select 'authorisation ' || record_key, company_id, stream, licensee_key
        from authorisations
       where known_to is null and licensee_key is not null
      union all
      select 'relation ' || id, company_id, stream, company_key
        from domain_companies
       where known_to is null and stream = 'import'
    )
    select fact
      from holders
      left join company_identities identity using (stream, identity_key)
     where identity.company_id is distinct from holders.company_id
    union all
    select 'identity ' || identity_key || ' of a merged Company'
      from company_identities
      join companies company on company.id = company_id
     where company.merged_into is not null
    union all
    select 'verdict of ' || domain || ' names a merged Company'
      from domains
      join companies company on company.id = licensee_company_id
     where company.merged_into is not null
    union all
    (
      select 'relation of ' || domain_id || ' does not follow its authorisations'
        from (
          select domain_id, company_id, stream
            from domain_companies
           where known_to is null and relation = 'licensee' and stream <> 'import'
        ) stored
        full join (
          select distinct authorisation.domain_id, authorisation.company_id, authorisation.stream
            from authorisations authorisation
           where authorisation.known_to is null and authorisation.company_id is not null
             and authorisation.stream <> 'import'
        ) named using (domain_id, company_id, stream)
       where stored.stream is null or named.stream is null
    )
    union all
    select 'shared.example has lost its owner ' || identity_key
      from company_identities identity
     where stream = 'import'
       and not exists (
         select from domain_companies link
           join domains domain on domain.id = link.domain_id
          where link.company_id = identity.company_id and link.known_to is null
            and domain.domain = 'shared.example' and link.relation = 'brand_owner'
       )`.execute(world.world.database)
  return rows
}

/** Returns the refs of former and current Companies that resolve to no Company. */
async function lostRefs(world: MergeWorld, refs: Set<string>): Promise<string[]> {
  for (const { company_ref } of await world.rowsOf('companies')) refs.add(company_ref as string)
  const answers = new Set(await Promise.all(identities.map(world.refOf)))
  const lost: string[] = []
  for (const ref of refs) {
    const { resolvedRef } = await world.resolve(ref)
    if (resolvedRef === null || !answers.has(resolvedRef)) lost.push(ref)
  }
  return lost
}

test('merges and splits lose no identity, fact or ref, and replay to the same data', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async steps => {
      await reset(first)
      await reset(second)
      const refs = new Set<string>()
      let replayed = 0
      for (const [index, each] of steps.entries()) {
        const number = index + 2
        await mergeOrSplit(first, each, number)
        await update(first, each, number)
        await update(second, each, number)
        for await (const event of readEvents(first.world.database)) {
          if (event.number <= replayed) continue
          replayed = event.number
          if (event.kind === 'merge') await replayMerge(second.world, event.detail as never, event.at)
          if (event.kind === 'split') await replaySplit(second.world, event.detail as never, event.at)
        }
        expect(await violations(first)).toEqual([])
        expect(await lostRefs(first, refs)).toEqual([])
        await first.expectConsistent()
      }
      expect(await second.companies()).toEqual(await first.companies())
      expect(await second.holdings()).toEqual(await first.holdings())
      expect(await second.factsInForce()).toEqual(await first.factsInForce())
    }),
    { numRuns: 8 },
  )
})
