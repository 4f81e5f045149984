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

let held: MergeWorld
beforeAll(async () => {
  held = await openMergeWorld()
})
beforeEach(() => held.empty())
afterAll(() => held.close())

/** `kind/slug = name`, sorted. */
async function subjects(): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select kind || '/' || slug || ' = ' || name as subject from logo_subjects order by 1`.execute(
    held.world.database,
  )
  return rows.map(row => row.subject)
}

async function expectConsistent(): Promise<void> {
  expect((await verifyLogoSubjects(held.world.database)).differences).toEqual([])
}

const company = (key: string, rest: object = {}) => ({ kind: 'company', key, company_name: 'Acme', ...rest })
const seen = (section: string, name: string, domain = 'a.example') => ({
  kind: 'observation',
  domain,
  section,
  [section === 'payment_methods' ? 'normalized_name' : 'normalized_provider_name']: name,
})
const stated = (subject_kind: string, slug: string, name: string, rest: object = {}) => ({
  kind: 'logo',
  subject_kind,
  slug,
  name,
  ...rest,
})

describe('subjects come', () => {
  test('from Companies, their brands, and what sites show', async () => {
    await held.load(
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
      seen('payment_methods', 'visa'),
      seen('payment_methods', 'pigeon-pay'),
      seen('supplier_brands', 'REEL GOOD'),
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
    await expectConsistent()
  })

  test('from registers, and go when nobody is called so any more', async () => {
    await held.sync('malta', day(1), alpha)
    expect(await subjects()).toEqual(['company/alpha-ltd = Alpha Ltd', 'operator_brand/ace = Ace'])
    await held.sync('malta', day(2), licensee('M1', { legalName: 'Alpha Ltd', tradingNames: ['Deuce'] }))
    expect(await subjects()).toEqual(['company/alpha-ltd = Alpha Ltd', 'operator_brand/deuce = Deuce'])
    await expectConsistent()
  })
})

describe('a slug', () => {
  test('stays when its Company is called otherwise', async () => {
    await held.load(day(1), company('acme'))
    await held.load(day(2), company('acme', { company_name: 'Umbrella' }))
    expect(await subjects()).toEqual(['company/acme = Umbrella'])
    await expectConsistent()
  })

  test('of the second Company of a name is told apart', async () => {
    await held.load(day(1), company('one'), company('two'), company('three', { company_name: 'ACME!' }))
    const [first, ...others] = await subjects()
    expect(first).toMatch(/^company\/acme = /)
    for (const other of others) expect(other).toMatch(/^company\/acme-[0-9a-f]{8} = (Acme|ACME!)$/)
    expect(others).toHaveLength(2)
    await expectConsistent()
  })

  test('is shared by a brand of several Companies, in whatever spelling', async () => {
    await held.load(day(1), company('one', { brands: ['Lucky Otter'] }))
    await held.load(day(2), company('two', { brands: ['LUCKY OTTER'] }))
    expect((await subjects()).filter(each => each.startsWith('operator'))).toEqual([
      'operator_brand/lucky-otter = LUCKY OTTER',
    ])
    await held.load(day(3), company('two'))
    expect((await subjects()).filter(each => each.startsWith('operator'))).toEqual([
      'operator_brand/lucky-otter = Lucky Otter',
    ])
    await expectConsistent()
  })
})

describe('what a file states', () => {
  test('stands, whichever of the two comes first', async () => {
    const logo = stated('company', 'acme-group', 'Acme', { role: ['operator'] })
    await held.load(day(1), company('acme'))
    await held.load(day(2), logo)
    expect(await subjects()).toEqual(['company/acme-group = Acme'])
    await held.empty()
    await held.load(day(1), logo)
    await held.load(day(2), company('acme'))
    expect(await subjects()).toEqual(['company/acme-group = Acme'])
    await held.empty()
    await held.load(day(1), logo, company('acme'))
    expect(await subjects()).toEqual(['company/acme-group = Acme'])
    await expectConsistent()
  })

  test('names a subject by its slug, whatever it is called', async () => {
    await held.load(day(1), company('acme'), stated('company', 'acme', 'Acme Interactive'))
    expect(await subjects()).toEqual(['company/acme = Acme Interactive'])
    await held.load(day(2), company('acme', { company_name: 'Umbrella' }))
    expect(await subjects()).toEqual(['company/acme = Acme Interactive'])
    await expectConsistent()
  })

  test('of a name that several bear is none of theirs', async () => {
    await held.load(day(1), company('one'), company('two'))
    await held.load(day(2), stated('company', 'the-acme', 'Acme'))
    expect(await subjects()).toHaveLength(3)
    await expectConsistent()
  })

  test('outlives the Company that it was about', async () => {
    await held.begin()
    await held.load(day(11), stated('company', 'alpha-ltd', 'Alpha'))
    await held.merge(alphaIdentity, gammaIdentity)
    expect((await subjects()).filter(each => each.startsWith('company'))).toEqual([
      'company/alpha-ltd = Alpha',
      'company/beta-ab = Beta AB',
      'company/gamma = Gamma',
    ])
    await expectConsistent()
  })
})

test('a merge takes a Company out, its brands go along, and a split brings it back', async () => {
  await held.begin()
  const before = await subjects()
  expect(before).toContain('operator_brand/bee = Bee')
  await held.merge(betaIdentity, alphaIdentity)
  expect(await subjects()).toEqual(before.filter(each => !each.startsWith('company/beta')))
  await expectConsistent()
  await held.split(alphaIdentity, [betaIdentity])
  expect(await subjects()).toEqual(before)
  await expectConsistent()
})

test('a transaction that changes nothing of names leaves nothing to do', async () => {
  await held.load(day(1), company('acme', { brands: ['Ace'] }))
  const { rows } = await sql`
    update companies set last_updated_at = now() returning (select count(*) from logo_stale_companies)`.execute(
    held.world.database,
  )
  expect(rows).toEqual([{ count: 0 }])
  await expectConsistent()
})

test('what a migration noted is taken up at a start', async () => {
  const { database } = held.world
  await held.load(day(1), company('acme', { brands: ['Ace'] }), seen('payment_methods', 'visa'))
  const before = await subjects()
  await sql`delete from logo_names`.execute(database)
  await sql`delete from logo_subjects`.execute(database)
  await sql`insert into logo_stale_companies (company_id) select id from companies`.execute(database)
  await sql`insert into logo_names (kind, name) values ('payment_method', 'visa')`.execute(database)
  expect((await verifyLogoSubjects(database)).differences).not.toEqual([])
  await catchUpLogoSubjects(held.world)
  expect(await subjects()).toEqual(before)
  await expectConsistent()
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
        world.load(at, seen(section, value)),
  ),
  fc.tuple(few('company', 'operator_brand'), few('alpha-ltd', 'ace', 'beta', 'own'), name).map(
    ([kind, slug, value]): Step =>
      (world, at) =>
        world.load(at, stated(kind, slug, value)),
  ),
  fc.record({ legalName: name, tradingNames: fc.uniqueArray(name, { maxLength: 2 }) }).map(
    (said): Step =>
      (world, at) =>
        world.sync('malta', at, licensee('M1', said), ...malta.slice(1)),
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

test('after whatever was loaded, synced, merged and split, subjects are what names them', async () => {
  await held.begin()
  let today = 10
  await fc.assert(
    // One world goes on and on: what an earlier run left is what a later one begins with.
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async steps => {
      for (const act of steps) {
        today += 1
        await act(held, day(today))
      }
      await expectConsistent()
    }),
    { numRuns: 10, endOnFailure: true },
  )
})
