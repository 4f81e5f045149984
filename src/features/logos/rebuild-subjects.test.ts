import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { day, licensee } from '../../registers/fixture.ts'
import {
  alpha,
  alphaIdentity,
  betaIdentity,
  gammaIdentity,
  type MergeWorld,
  malta,
  openMergeWorld,
} from '../companies/fixture.ts'
import { catchUpLogoSubjects, verifyLogoSubjects } from './index.ts'

let fixture: MergeWorld
beforeAll(async () => {
  fixture = await openMergeWorld()
})
beforeEach(() => fixture.empty())
afterAll(() => fixture.close())

/** Returns the subjects as sorted lines of `kind/slug = name`. */
async function subjects(): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select kind || '/' || slug || ' = ' || name as subject from logo_subjects order by 1`.execute(
    fixture.world.database,
  )
  return rows.map(row => row.subject)
}

async function expectNoDifferences(): Promise<void> {
  expect((await verifyLogoSubjects(fixture.world.database)).differences).toEqual([])
}

const company = (key: string, rest: object = {}) => ({ kind: 'company', key, company_name: 'Acme', ...rest })
const observation = (section: string, name: string, domain = 'a.example') => ({
  kind: 'observation',
  domain,
  section,
  [section === 'payment_methods' ? 'normalized_name' : 'normalized_provider_name']: name,
})
const logoOf = (subject_kind: string, slug: string, name: string, rest: object = {}) => ({
  kind: 'logo',
  subject_kind,
  slug,
  name,
  ...rest,
})

describe('subjects of logos', () => {
  test('subjects of logos are made from Companies, their brands and observations of sites', async () => {
    await fixture.load(
      day(1),
      company('acme', { role: ['operator'], brands: ['Ace', 'King of Clubs'] }),
      {
        kind: 'company',
        key: 'studio',
        legal_entity: 'Studio AB',
        role: ['game_studio'],
        brands: ['Reel Good'],
      },
      {
        kind: 'company',
        key: 'pay',
        company_name: 'Pay',
        role: ['payment_provider'],
        brands: ['Pigeon Pay'],
      },
      { kind: 'company', key: 'unnamed', brands: [' '] },
      { kind: 'domain', domain: 'a.example', company: 'acme', relation: 'licensee', brand: 'Ace of Spades' },
      observation('payment_methods', 'visa'),
      observation('payment_methods', 'pigeon-pay'),
      observation('supplier_brands', 'REEL GOOD'),
      { kind: 'observation', domain: 'a.example', section: 'geo', languages: ['en'] },
    )
    expect(await subjects()).toEqual([
      'company/acme = Acme',
      'company/pay = Pay',
      'company/studio-ab = Studio AB',
      'operator_brand/ace = Ace',
      'operator_brand/ace-of-spades = Ace of Spades',
      'operator_brand/king-of-clubs = King of Clubs',
      'payment_method/pigeon-pay = Pigeon Pay',
      'payment_method/visa = visa',
      'supplier_brand/reel-good = Reel Good',
    ])
    await expectNoDifferences()
  })

  test('subjects of logos are made from registers, and removed when no row has their name', async () => {
    await fixture.sync('malta', day(1), alpha)
    expect(await subjects()).toEqual(['company/alpha-ltd = Alpha Ltd', 'operator_brand/ace = Ace'])
    await fixture.sync('malta', day(2), licensee('M1', { legalName: 'Alpha Ltd', tradingNames: ['Deuce'] }))
    expect(await subjects()).toEqual(['company/alpha-ltd = Alpha Ltd', 'operator_brand/deuce = Deuce'])
    await expectNoDifferences()
  })
})

describe('the slug of a subject', () => {
  test('the slug of a Company stays when the Company is renamed', async () => {
    await fixture.load(day(1), company('acme'))
    await fixture.load(day(2), company('acme', { company_name: 'Umbrella' }))
    expect(await subjects()).toEqual(['company/acme = Umbrella'])
    await expectNoDifferences()
  })

  test('the second Company with the same name has a slug with a suffix', async () => {
    await fixture.load(day(1), company('one'), company('two'), company('three', { company_name: 'ACME!' }))
    const [first, ...others] = await subjects()
    expect(first).toMatch(/^company\/acme = /)
    for (const other of others) expect(other).toMatch(/^company\/acme-[0-9a-f]{8} = (Acme|ACME!)$/)
    expect(others).toHaveLength(2)
    await expectNoDifferences()
  })

  test('brands of several Companies with one name share a slug, in any spelling', async () => {
    await fixture.load(day(1), company('one', { brands: ['Lucky Otter'] }))
    await fixture.load(day(2), company('two', { brands: ['LUCKY OTTER'] }))
    expect((await subjects()).filter(each => each.startsWith('operator'))).toEqual([
      'operator_brand/lucky-otter = LUCKY OTTER',
    ])
    await fixture.load(day(3), company('two'))
    expect((await subjects()).filter(each => each.startsWith('operator'))).toEqual([
      'operator_brand/lucky-otter = Lucky Otter',
    ])
    await expectNoDifferences()
  })
})

describe('an imported subject', () => {
  test('an imported subject keeps its slug, whether it is imported before or after its Company', async () => {
    const logo = logoOf('company', 'acme-group', 'Acme', { role: ['operator'] })
    await fixture.load(day(1), company('acme'))
    await fixture.load(day(2), logo)
    expect(await subjects()).toEqual(['company/acme-group = Acme'])
    await fixture.empty()
    await fixture.load(day(1), logo)
    await fixture.load(day(2), company('acme'))
    expect(await subjects()).toEqual(['company/acme-group = Acme'])
    await fixture.empty()
    await fixture.load(day(1), logo, company('acme'))
    expect(await subjects()).toEqual(['company/acme-group = Acme'])
    await expectNoDifferences()
  })

  test("an imported subject is found by its slug, and its name overrides the Company's name", async () => {
    await fixture.load(day(1), company('acme'), logoOf('company', 'acme', 'Acme Interactive'))
    expect(await subjects()).toEqual(['company/acme = Acme Interactive'])
    await fixture.load(day(2), company('acme', { company_name: 'Umbrella' }))
    expect(await subjects()).toEqual(['company/acme = Acme Interactive'])
    await expectNoDifferences()
  })

  test('an imported subject whose name several Companies have belongs to no Company', async () => {
    await fixture.load(day(1), company('one'), company('two'))
    await fixture.load(day(2), logoOf('company', 'the-acme', 'Acme'))
    expect(await subjects()).toHaveLength(3)
    await expectNoDifferences()
  })

  test('an imported subject stays after its Company was merged', async () => {
    await fixture.reset()
    await fixture.load(day(11), logoOf('company', 'alpha-ltd', 'Alpha'))
    await fixture.merge(alphaIdentity, gammaIdentity)
    expect((await subjects()).filter(each => each.startsWith('company'))).toEqual([
      'company/alpha-ltd = Alpha',
      'company/beta-ab = Beta AB',
      'company/gamma = Gamma',
    ])
    await expectNoDifferences()
  })
})

test("a merge removes a Company's subject and moves its brands, and a split restores it", async () => {
  await fixture.reset()
  const before = await subjects()
  expect(before).toContain('operator_brand/bee = Bee')
  await fixture.merge(betaIdentity, alphaIdentity)
  expect(await subjects()).toEqual(before.filter(each => !each.startsWith('company/beta')))
  await expectNoDifferences()
  await fixture.split(alphaIdentity, [betaIdentity])
  expect(await subjects()).toEqual(before)
  await expectNoDifferences()
})

test('a change of facts that affects no name queues no subject', async () => {
  await fixture.load(day(1), company('acme', { brands: ['Ace'] }))
  const { rows } = await sql`
    update companies set last_updated_at = now()
    returning (select count(*) from logo_stale_companies)`.execute(fixture.world.database)
  expect(rows).toEqual([{ count: 0 }])
  await expectNoDifferences()
})

test('the start of a service processes names that a migration queued', async () => {
  const { database } = fixture.world
  await fixture.load(day(1), company('acme', { brands: ['Ace'] }), observation('payment_methods', 'visa'))
  const before = await subjects()
  await sql`delete from logo_names`.execute(database)
  await sql`delete from logo_subjects`.execute(database)
  await sql`insert into logo_stale_companies (company_id) select id from companies`.execute(database)
  await sql`insert into logo_names (kind, name) values ('payment_method', 'visa')`.execute(database)
  expect((await verifyLogoSubjects(database)).differences).not.toEqual([])
  await catchUpLogoSubjects(fixture.world)
  expect(await subjects()).toEqual(before)
  await expectNoDifferences()
})

const few = <Value>(...values: Value[]) => fc.constantFrom(...values)
const name = few('Alpha Ltd', 'ALPHA ltd', 'Ace', 'Béta', 'beta', 'Казино')
type Step = (world: MergeWorld, at: Date) => Promise<unknown>
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({
      key: few('gamma', 'delta'),
      company_name: name,
      role: few(['operator'], ['game_studio'], []),
      brands: fc.uniqueArray(name),
    })
    .map(
      (record): Step =>
        (world, at) =>
          world.load(at, { kind: 'company', ...record }),
    ),
  fc
    .record({
      domain: few('a.example', 'z.example'),
      company: few('gamma'),
      relation: few('brand_owner'),
      brand: name,
    })
    .map(
      (record): Step =>
        (world, at) =>
          world.load(at, { kind: 'domain', ...record }),
    ),
  fc.tuple(few('payment_methods', 'supplier_brands'), name).map(
    ([section, value]): Step =>
      (world, at) =>
        world.load(at, observation(section, value)),
  ),
  fc.tuple(few('company', 'operator_brand'), few('alpha-ltd', 'ace', 'beta', 'own'), name).map(
    ([kind, slug, value]): Step =>
      (world, at) =>
        world.load(at, logoOf(kind, slug, value)),
  ),
  fc.record({ legalName: name, tradingNames: fc.uniqueArray(name, { maxLength: 2 }) }).map(
    (fields): Step =>
      (world, at) =>
        world.sync('malta', at, licensee('M1', fields), ...malta.slice(1)),
  ),
  fc
    .constantFrom(
      [alphaIdentity, gammaIdentity],
      [gammaIdentity, betaIdentity],
      [betaIdentity, alphaIdentity],
    )
    .map(
      ([from, into]): Step =>
        world =>
          world.merge(from as string, into as string).catch(() => null),
    ),
  fc.constantFrom(alphaIdentity, betaIdentity, gammaIdentity).map(
    (leaving): Step =>
      world =>
        world.split(leaving, [leaving]).catch(() => null),
  ),
)

test('subjects of logos match their names after any imports, syncs, merges and splits', async () => {
  await fixture.reset()
  let today = 10
  await fc.assert(
    // All runs share one world, so each begins with the rows of the run before.
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async steps => {
      for (const act of steps) {
        today += 1
        await act(fixture, day(today))
      }
      await expectNoDifferences()
    }),
    { numRuns: 10, endOnFailure: true },
  )
})
