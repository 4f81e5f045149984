import type { Reading } from '@baize/registers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authorisation, day, fileOf, license, licensee, syncApproved } from '../../../registers/fixture.ts'
import { type MergeWorld, openMergeWorld, streams } from '../../companies/fixture.ts'
import { reviewPlatform } from '../../signals/index.ts'
import { identify, type SearchQuery, searchRows, verifySearchRows } from '../index.ts'

let world: MergeWorld

beforeAll(async () => {
  world = await openMergeWorld()
})

afterAll(() => world.close())

const keys = ['1', '2', '3']
const domains = ['a.example', 'b.example', 'c.example']
const names = ['Alpha Ltd', 'Alpha Limited', 'Beta AB', 'Gamma']

const key = fc.constantFrom(...keys)
const domain = fc.constantFrom(...domains)
const name = fc.constantFrom(...names)
const moment = fc.integer({ min: 1, max: 300 }).map(number => day(number).toISOString())

const reading: fc.Arbitrary<Reading[]> = fc
  .record({ key, name, domain, status: fc.constantFrom('active', 'suspended', null), counts: fc.boolean() })
  .map(({ key, name: legalName, domain, status, counts }) => [
    licensee(key, { legalName, country: 'MT', tradingNames: [`Brand ${key}`] }),
    license(`L${key}`, key, { status }),
    authorisation(domain, { recordKey: `${key}|${domain}`, licenseKey: `L${key}`, licenseeKey: key, counts }),
  ])

const company = fc
  .record({
    key,
    company_name: name,
    brands: fc.subarray(names),
    role: fc.subarray(['operator', 'game_studio']),
  })
  .map(fields => ({ kind: 'company', ...fields }))

/** Draws lines of an interchange file. Companies come first, so that later lines can refer to them. */
const line = fc.oneof(
  company,
  fc
    .record({
      domain,
      relation: fc.constantFrom('licensee', 'brand_owner'),
      inferred_geo: fc.constantFrom('GB', 'SE'),
    })
    .map(fields => ({ kind: 'domain', company: '1', ...fields })),
  fc
    .record({
      license_number: key,
      company: fc.constantFrom('1', '2'),
      status: fc.constantFrom('Active', 'Revoked'),
      authorized_domains: fc.subarray(domains),
    })
    .map(fields => ({ kind: 'license', jurisdiction: 'mga', ...fields })),
  fc
    .record({ domain, last_seen_at: moment, normalized_name: fc.constantFrom('visa', 'Pigeon-Pay') })
    .map(fields => ({ kind: 'observation', section: 'payment_methods', category: 'card', ...fields })),
  fc
    .record({ domain, last_seen_at: moment, geo_hints: fc.subarray(['PL', 'DE'], { minLength: 1 }) })
    .map(fields => ({ kind: 'observation', section: 'geo', languages: [], currencies: [], ...fields })),
  fc
    .record({ domain, platform: fc.constantFrom('p1', 'p2'), seen_at: moment })
    .map(fields => ({ kind: 'platform_reading', ...fields })),
  fc
    .record({ domain, regulator: fc.constant('poland') })
    .map(fields => ({ kind: 'blocklist_entry', ...fields })),
  fc
    .record({ email: fc.constantFrom('ada@a.example', undefined), name: fc.constantFrom('Ada', 'Bob') })
    .map(({ email, name }) => ({
      kind: 'contact',
      company: '1',
      name,
      source: 'a test',
      ...(email ? { email } : {}),
    })),
)

const identity = fc.constantFrom(
  ...keys.flatMap(of => [`malta.licences:${of}`, `sweden.licences:${of}`, `import:${of}`]),
)

const step = fc.oneof(
  fc.record({
    do: fc.constant('sync' as const),
    stream: fc.constantFrom('malta' as const, 'sweden' as const),
    readings: fc.uniqueArray(reading, {
      selector: ([first]) => (first as { recordKey: string }).recordKey,
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({ do: fc.constant('import' as const), lines: fc.array(line, { minLength: 1, maxLength: 6 }) }),
  fc.record({ do: fc.constant('merge' as const), from: identity, into: identity }),
  fc.record({ do: fc.constant('split' as const), leaving: identity }),
  fc.record({
    do: fc.constant('review' as const),
    platform: fc.constantFrom('p1', 'p2'),
    reviewed: fc.boolean(),
  }),
)

type Step = typeof step extends fc.Arbitrary<infer Taken> ? Taken : never

async function apply(step: Step, number: number): Promise<void> {
  const now = day(number)
  if (step.do === 'sync')
    await syncApproved(world.world, streams[step.stream], [fileOf(...step.readings.flat())], {
      takenAt: now,
      now,
    })
  else if (step.do === 'import')
    await world.load(
      now,
      { kind: 'company', key: '1', company_name: 'One' },
      { kind: 'company', key: '2', company_name: 'Two' },
      ...step.lines,
    )
  else if (step.do === 'review')
    await reviewPlatform(world.world, step.platform, now, { reviewed: step.reviewed })
  else
    try {
      if (step.do === 'merge') await world.merge(step.from, step.into, number)
      else await world.split(step.leaving, [step.leaving], number)
    } catch (error) {
      expect(error).toMatchObject({ name: 'StaffError' })
    }
}

/** Returns the domains of each Company by ref, collected from rows that name a Company. */
async function domainsOfCompanies(): Promise<Map<string, Set<string>>> {
  const [companies, domainRows, relations, authorisations, licenses] = await Promise.all(
    ['companies', 'domains', 'domain_companies', 'authorisations', 'licenses'].map(world.rowsOf),
  )
  const named = new Map(domainRows?.map(row => [row.id, row.domain as string]))
  const holders = new Map(licenses?.map(row => [row.id, row.company_id]))
  const owned = new Map<unknown, Set<string>>()
  for (const row of companies ?? []) if (row.merged_into === null) owned.set(row.id, new Set())
  for (const row of [...(relations ?? []), ...(authorisations ?? [])])
    if (row.known_to === null)
      owned.get(row.company_id ?? holders.get(row.license_id))?.add(named.get(row.domain_id) as string)
  return new Map(
    companies?.flatMap(row => (owned.has(row.id) ? [[row.company_ref, owned.get(row.id)]] : [])) as [],
  )
}

/** Returns the ref of the Company that each domain's verdict shows. */
async function companiesOfVerdicts(): Promise<Map<string, string | undefined>> {
  const [companies = [], domainRows = []] = await Promise.all(['companies', 'domains'].map(world.rowsOf))
  const byId = new Map(companies.map(row => [row.id, row]))
  return new Map(
    domainRows.map(({ domain, licensee_company_id: id }) => {
      const company = byId.get(byId.get(id)?.merged_into ?? id)
      return [domain as string, company?.company_ref as string | undefined]
    }),
  )
}

async function expectDomains(): Promise<void> {
  const owned = await domainsOfCompanies()
  const find = async (query: Partial<SearchQuery>) => {
    const wanted = { subject: 'company', filters: [], ...query } as const
    const { rows } = await searchRows(world.world, wanted, { position: { offset: 0 }, rows: 50 })
    return rows.map(row => ({ ...row, hit: JSON.parse(row.hit) }))
  }
  const ofVerdicts = await companiesOfVerdicts()
  const all = await find({})
  const counts = all.map(({ hit }) => [hit.company_ref, hit.domain_count])
  expect(new Map(counts as [])).toEqual(new Map([...owned].map(([ref, own]) => [ref, own.size])))
  for (const { hit } of all)
    expect(new Set((hit.domains_sample as { domain: string }[]).map(shown => shown.domain))).toEqual(
      owned.get(hit.company_ref as string),
    )
  for (const each of domains) {
    const owners = [...owned].filter(([, own]) => own.has(each)).map(([ref]) => ref)
    const refsOf = (rows: typeof all) => rows.map(({ hit }) => hit.company_ref as string).sort()
    expect(refsOf(await find({ domain: each }))).toEqual(owners.sort())
    const matched = (await find({ text: each })).filter(row => row.matchedFields.includes('domains'))
    expect(refsOf(matched)).toEqual(expect.arrayContaining(owners))
    const identified = await identify(world.world, { subject: 'company', filters: [], domain: each })
    expect(identified?.company_ref).toBe(owners.length === 1 ? owners[0] : ofVerdicts.get(each))
  }
}

const platforms = ['p1', 'p2'].map(of => ({
  kind: 'platform',
  key: of,
  name: `Platform ${of}`,
  reviewed: of === 'p1',
}))

test('after any change of facts, search finds the new facts and no search row is stale', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), async steps => {
      await world.empty()
      await world.load(day(1), ...platforms)
      for (const [index, step] of steps.entries()) {
        await apply(step, index + 2)
        const { differences } = await world.world.database.transaction().execute(verifySearchRows)
        expect(differences).toEqual([])
        const standing = (await world.rowsOf('companies')).filter(row => row.merged_into === null)
        const everything = { subject: 'company', filters: [] } as const
        const { total } = await searchRows(world.world, everything, { position: { offset: 0 }, rows: 1 })
        expect(total).toBe(standing.length)
        await expectDomains()
      }
    }),
    { numRuns: 12 },
  )
})
