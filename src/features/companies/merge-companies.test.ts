import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authorisation, day, license } from '../../registers/fixture.ts'
import {
  alphaIdentity,
  beta,
  betaIdentity,
  file,
  gammaIdentity,
  type MergeWorld,
  malta,
  openMergeWorld,
  sweden,
} from './fixture.ts'
import { mergeCompanies, showCompany, verifyCompanies } from './index.ts'

let fixture: MergeWorld

beforeAll(async () => {
  fixture = await openMergeWorld()
})
beforeEach(() => fixture.reset())
afterEach(() => fixture.expectConsistent())
afterAll(() => fixture.close())

describe('a merge', () => {
  test('a merge joins two Companies into one, which has the brands of both', async () => {
    const [alphaRef, betaRef] = [await fixture.refOf(alphaIdentity), await fixture.refOf(betaIdentity)]
    expect(await fixture.merge(betaIdentity, alphaIdentity)).toEqual({
      company_ref: alphaRef,
      merged_ref: betaRef,
      identities: [['sweden.licences', 'S1']],
      licenses: 1,
    })
    expect(await fixture.companies()).toEqual([
      `${gammaIdentity} = Gamma`,
      `${alphaIdentity} ${betaIdentity} = Alpha Ltd`,
    ])
    expect(await fixture.companyOf(alphaIdentity)).toMatchObject({
      company_name: 'Alpha Ltd',
      legal_entity: 'Alpha Ltd',
      country: 'MT',
      role: ['operator'],
      brands: ['Ace', 'Bee'],
      aliases: ['Beta AB'],
      last_updated_at: day(20),
    })
  })

  test('a merge moves licenses, authorisations, relations and verdicts', async () => {
    await fixture.merge(betaIdentity, alphaIdentity)
    expect(await fixture.holdings()).toEqual([
      'brand_owner | b.example | Gamma | import',
      'license | import | mga|7 | Gamma',
      'license | malta.licences | L1 | Alpha Ltd',
      'license | sweden.licences | L2 | Alpha Ltd',
      'licensee | a.example | Alpha Ltd | malta.licences',
      'licensee | b.example | Alpha Ltd | sweden.licences',
      'verdict | a.example | Alpha Ltd',
      'verdict | b.example | Alpha Ltd',
      'verdict | c.example | Gamma',
    ])
    const [closed, ...open] = (await fixture.rowsOf('domain_companies')).filter(
      row => row.stream === 'sweden.licences',
    )
    expect([closed, open]).toMatchObject([{ known_to: day(20) }, [{ known_from: day(20), known_to: null }]])
  })

  test('the old ref of a merged Company resolves to the survivor, also after a second merge', async () => {
    const [alphaRef, betaRef, gammaRef] = await Promise.all(
      [alphaIdentity, betaIdentity, gammaIdentity].map(fixture.refOf),
    )
    await fixture.merge(betaIdentity, alphaIdentity)
    expect(await fixture.resolve(betaRef as string)).toEqual({ resolvedRef: alphaRef, status: 'merged' })
    await fixture.merge(alphaIdentity, gammaIdentity, 21)
    for (const ref of [alphaRef, betaRef])
      expect(await fixture.resolve(ref as string)).toMatchObject({ resolvedRef: gammaRef, status: 'merged' })
    expect(await fixture.resolve(gammaRef as string)).toMatchObject({
      resolvedRef: gammaRef,
      status: 'active',
    })
    await expect(fixture.resolve('co_nobody')).rejects.toMatchObject({ code: 'not_found' })
    expect(await fixture.companyOf(gammaIdentity)).toMatchObject({
      company_name: 'Gamma',
      legal_entity: 'Alpha Ltd',
      aliases: ['Beta AB'],
      role: ['affiliate_media', 'operator'],
      brands: ['Gee', 'Ace', 'Bee'],
    })
  })

  test('a merge survives later syncs and imports, which update the merged Company', async () => {
    await fixture.merge(betaIdentity, alphaIdentity)
    await fixture.merge(gammaIdentity, alphaIdentity, 21)
    const renamed = { ...beta, legalName: 'Beta Renamed AB', tradingNames: ['New'] }
    const [, ...unchanged] = sweden
    const more = [license('L3', 'S1'), authorisation('d.example', { licenseKey: 'L3', licenseeKey: 'S1' })]
    expect(await fixture.sync('sweden', day(22), renamed, ...unchanged, ...more)).toMatchObject({
      added: 2,
      removed: 0,
      changed: 0,
    })
    await fixture.load(
      day(22),
      { ...file[0], company_name: 'Gamma Renamed', brands: ['Gee', 'Geo'] },
      file[1] as object,
    )
    expect(await fixture.companies()).toEqual([
      `${gammaIdentity} ${alphaIdentity} ${betaIdentity} = Alpha Ltd`,
    ])
    expect(await fixture.companyOf(alphaIdentity)).toMatchObject({
      brands: ['Ace', 'New', 'Gee', 'Geo'],
      aliases: ['Beta Renamed AB', 'Gamma Renamed'],
    })
    const holdings = await fixture.holdings()
    expect(holdings).toContain('licensee | d.example | Alpha Ltd | sweden.licences')
    expect(holdings.filter(holding => /^(licensee|brand_owner) . b\.example/.test(holding))).toEqual([
      'brand_owner | b.example | Alpha Ltd | import',
      'licensee | b.example | Alpha Ltd | sweden.licences',
    ])
  })

  test('a merge stores once a relation that both Companies had', async () => {
    await fixture.load(
      day(11),
      { kind: 'company', key: 'delta', company_name: 'Delta' },
      { kind: 'domain', domain: 'b.example', company: 'delta', relation: 'brand_owner', brand: 'Dee' },
    )
    await fixture.merge('import:delta', gammaIdentity)
    const open = (await fixture.rowsOf('domain_companies')).filter(
      row => row.stream === 'import' && row.known_to === null,
    )
    expect(open).toMatchObject([{ brand: 'Gee', company_key: 'gamma' }])
  })

  test('a merge is recorded in the history of both Companies and in the journal', async () => {
    const [alphaRef, betaRef] = [await fixture.refOf(alphaIdentity), await fixture.refOf(betaIdentity)]
    await fixture.merge(betaIdentity, alphaIdentity)
    const decision = {
      kind: 'merge',
      from_ref: betaRef,
      into_ref: alphaRef,
      identities: [['sweden.licences', 'S1']],
      reason: 'one owner',
      decided_at: day(20),
    }
    expect(await showCompany(fixture.world, betaRef)).toMatchObject({
      company_ref: betaRef,
      resolved_company_ref: alphaRef,
      ref_status: 'merged',
      company_name: 'Alpha Ltd',
      merged_refs: [betaRef],
      identities: [
        { stream: 'malta.licences', identity_key: 'M1', legal_entity: 'Alpha Ltd', country: 'MT' },
        { stream: 'sweden.licences', identity_key: 'S1', legal_entity: 'Beta AB', country: 'SE' },
      ],
      decisions: [decision],
    })
    expect((await showCompany(fixture.world, alphaRef)).decisions).toEqual([decision])
    expect((await fixture.rowsOf('dataset_events')).at(-1)).toMatchObject({
      kind: 'merge',
      at: day(20),
      detail: { from: [['sweden.licences', 'S1']], into: [['malta.licences', 'M1']], reason: 'one owner' },
    })
  })

  test('an invalid merge fails with a reason and changes nothing', async () => {
    const [alphaRef, betaRef, gammaRef] = (await Promise.all(
      [alphaIdentity, betaIdentity, gammaIdentity].map(fixture.refOf),
    )) as [string, string, string]
    await fixture.merge(betaIdentity, alphaIdentity)
    const before = [await fixture.rowsOf('companies'), await fixture.rowsOf('dataset_events')]
    const refusals: [from: string, into: string, reason: string, message: string][] = [
      ['co_nobody', alphaRef, 'why', 'Company co_nobody does not exist.'],
      [alphaRef, 'co_nobody', 'why', 'Company co_nobody does not exist.'],
      [alphaRef, alphaRef, 'why', 'A Company cannot be merged into itself.'],
      [betaRef, gammaRef, 'why', `${betaRef} has already been merged into ${alphaRef}.`],
      [gammaRef, betaRef, 'why', `${betaRef} was merged into ${alphaRef}. Merge into that Company.`],
      [gammaRef, alphaRef, ' ', 'Give a reason. It is stored in the history of both Companies.'],
      [gammaRef, alphaRef, 'x'.repeat(501), 'The reason must have at most 500 characters.'],
    ]
    for (const [from, into, reason, message] of refusals) {
      const refused = mergeCompanies(fixture.world, { from, into, reason, now: day(21) })
      await expect(refused).rejects.toMatchObject({ name: 'StaffError', message: message })
    }
    expect([await fixture.rowsOf('companies'), await fixture.rowsOf('dataset_events')]).toEqual(before)
  })

  test('a merge waits for a running sync, and concurrent merges of one Company merge it once', async () => {
    const [alphaRef, betaRef, gammaRef] = (await Promise.all(
      [alphaIdentity, betaIdentity, gammaIdentity].map(fixture.refOf),
    )) as [string, string, string]
    const merges = [alphaRef, gammaRef].map(into =>
      mergeCompanies(fixture.world, { from: betaRef, into, reason: 'one owner', now: day(20) }),
    )
    const [, ...outcomes] = await Promise.allSettled([
      fixture.sync('malta', day(20), ...malta, authorisation('e.example', { licenseeKey: 'M1' })),
      ...merges,
    ])
    expect(outcomes.map(outcome => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await fixture.companies()).toHaveLength(2)
  })
})

test('verification reports a Company that differs from its identities', async () => {
  const ref = await fixture.refOf(betaIdentity)
  const [before] = await fixture.rowsOf('companies')
  const tamper = (change: string) =>
    sql`update companies set ${sql.raw(change)} where company_ref = ${ref}`.execute(fixture.world.database)
  await tamper("company_name = 'Betta', brands = '{}'")
  expect((await verifyCompanies(fixture.world.database)).differences).toEqual([
    { company_ref: ref, field: 'brands', stored: [], derived: ['Ace', 'Bee'] },
    { company_ref: ref, field: 'company_name', stored: 'Betta', derived: 'Beta AB' },
  ])
  await tamper(`company_name = 'Beta AB', brands = '{Ace,Bee}', merged_into = ${before?.id}`)
  expect((await verifyCompanies(fixture.world.database)).differences).toEqual([
    { company_ref: ref, field: 'merged_into', stored: before?.id, derived: null },
  ])
  await tamper('merged_into = null')
})
