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

let held: MergeWorld

beforeAll(async () => {
  held = await openMergeWorld()
})
beforeEach(() => held.begin())
afterEach(() => held.expectConsistent())
afterAll(() => held.close())

describe('a merge', () => {
  test('makes one Company, which keeps its name and learns what the other was', async () => {
    const [alphaRef, betaRef] = [await held.refOf(alphaIdentity), await held.refOf(betaIdentity)]
    expect(await held.merge(betaIdentity, alphaIdentity)).toEqual({
      company_ref: alphaRef,
      merged_ref: betaRef,
      identities: [['sweden.licences', 'S1']],
      licenses: 1,
    })
    expect(await held.companies()).toEqual([
      `${gammaIdentity} = Gamma`,
      `${alphaIdentity} ${betaIdentity} = Alpha Ltd`,
    ])
    expect(await held.companyOf(alphaIdentity)).toMatchObject({
      company_name: 'Alpha Ltd',
      legal_entity: 'Alpha Ltd',
      country: 'MT',
      role: ['operator'],
      brands: ['Ace', 'Bee'],
      aliases: ['Beta AB'],
      last_updated_at: day(20),
    })
  })

  test('takes licenses, authorisations, relations and verdicts along', async () => {
    await held.merge(betaIdentity, alphaIdentity)
    expect(await held.holdings()).toEqual([
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
    const [closed, ...open] = (await held.rowsOf('domain_companies')).filter(
      row => row.stream === 'sweden.licences',
    )
    expect([closed, open]).toMatchObject([{ known_to: day(20) }, [{ known_from: day(20), known_to: null }]])
  })

  test('leaves the old ref answering with the survivor, also after a second merge', async () => {
    const [alphaRef, betaRef, gammaRef] = await Promise.all(
      [alphaIdentity, betaIdentity, gammaIdentity].map(held.refOf),
    )
    await held.merge(betaIdentity, alphaIdentity)
    expect(await held.resolve(betaRef as string)).toEqual({ resolvedRef: alphaRef, status: 'merged' })
    await held.merge(alphaIdentity, gammaIdentity, 21)
    for (const ref of [alphaRef, betaRef])
      expect(await held.resolve(ref as string)).toMatchObject({ resolvedRef: gammaRef, status: 'merged' })
    expect(await held.resolve(gammaRef as string)).toMatchObject({ resolvedRef: gammaRef, status: 'active' })
    await expect(held.resolve('co_nobody')).rejects.toMatchObject({ code: 'not_found' })
    expect(await held.companyOf(gammaIdentity)).toMatchObject({
      company_name: 'Gamma',
      legal_entity: 'Alpha Ltd',
      aliases: ['Beta AB'],
      role: ['affiliate_media', 'operator'],
      brands: ['Gee', 'Ace', 'Bee'],
    })
  })

  test('is not undone by the next sync or import, which go on feeding the one Company', async () => {
    await held.merge(betaIdentity, alphaIdentity)
    await held.merge(gammaIdentity, alphaIdentity, 21)
    const renamed = { ...beta, legalName: 'Beta Renamed AB', tradingNames: ['New'] }
    const [, ...unchanged] = sweden
    const more = [license('L3', 'S1'), authorisation('d.example', { licenseKey: 'L3', licenseeKey: 'S1' })]
    expect(await held.sync('sweden', day(22), renamed, ...unchanged, ...more)).toMatchObject({
      added: 2,
      removed: 0,
      changed: 0,
    })
    await held.load(
      day(22),
      { ...file[0], company_name: 'Gamma Renamed', brands: ['Gee', 'Geo'] },
      file[1] as object,
    )
    expect(await held.companies()).toEqual([`${gammaIdentity} ${alphaIdentity} ${betaIdentity} = Alpha Ltd`])
    expect(await held.companyOf(alphaIdentity)).toMatchObject({
      brands: ['Ace', 'New', 'Gee', 'Geo'],
      aliases: ['Beta Renamed AB', 'Gamma Renamed'],
    })
    const holdings = await held.holdings()
    expect(holdings).toContain('licensee | d.example | Alpha Ltd | sweden.licences')
    expect(holdings.filter(holding => /^(licensee|brand_owner) . b\.example/.test(holding))).toEqual([
      'brand_owner | b.example | Alpha Ltd | import',
      'licensee | b.example | Alpha Ltd | sweden.licences',
    ])
  })

  test('of two Companies that say the same of a domain leaves it said once', async () => {
    await held.load(
      day(11),
      { kind: 'company', key: 'delta', company_name: 'Delta' },
      { kind: 'domain', domain: 'b.example', company: 'delta', relation: 'brand_owner', brand: 'Dee' },
    )
    await held.merge('import:delta', gammaIdentity)
    const open = (await held.rowsOf('domain_companies')).filter(
      row => row.stream === 'import' && row.known_to === null,
    )
    expect(open).toMatchObject([{ brand: 'Gee', company_key: 'gamma' }])
  })

  test('is written into the history of both, and names them as every database does', async () => {
    const [alphaRef, betaRef] = [await held.refOf(alphaIdentity), await held.refOf(betaIdentity)]
    await held.merge(betaIdentity, alphaIdentity)
    const decision = {
      kind: 'merge',
      from_ref: betaRef,
      into_ref: alphaRef,
      identities: [['sweden.licences', 'S1']],
      reason: 'one owner',
      decided_at: day(20),
    }
    expect(await showCompany(held.world, betaRef)).toMatchObject({
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
    expect((await showCompany(held.world, alphaRef)).decisions).toEqual([decision])
    expect((await held.rowsOf('dataset_events')).at(-1)).toMatchObject({
      kind: 'merge',
      at: day(20),
      detail: { from: [['sweden.licences', 'S1']], into: [['malta.licences', 'M1']], reason: 'one owner' },
    })
  })

  test('that cannot be is refused, says why and changes nothing', async () => {
    const [alphaRef, betaRef, gammaRef] = (await Promise.all(
      [alphaIdentity, betaIdentity, gammaIdentity].map(held.refOf),
    )) as [string, string, string]
    await held.merge(betaIdentity, alphaIdentity)
    const before = [await held.rowsOf('companies'), await held.rowsOf('dataset_events')]
    const refusals: [from: string, into: string, reason: string, told: string][] = [
      ['co_nobody', alphaRef, 'why', 'There is no Company co_nobody.'],
      [alphaRef, 'co_nobody', 'why', 'There is no Company co_nobody.'],
      [alphaRef, alphaRef, 'why', 'A Company cannot be merged into itself.'],
      [betaRef, gammaRef, 'why', `${betaRef} was merged already, into ${alphaRef}.`],
      [gammaRef, betaRef, 'why', `${betaRef} was merged into ${alphaRef}; merge into that one.`],
      [gammaRef, alphaRef, ' ', 'Say why: the reason stands in the history of both Companies.'],
      [gammaRef, alphaRef, 'x'.repeat(501), 'A reason has at most 500 characters.'],
    ]
    for (const [from, into, reason, told] of refusals) {
      const refused = mergeCompanies(held.world, { from, into, reason, now: day(21) })
      await expect(refused).rejects.toMatchObject({ name: 'StaffError', message: told })
    }
    expect([await held.rowsOf('companies'), await held.rowsOf('dataset_events')]).toEqual(before)
  })

  test('waits for a sync that writes, and two of one Company at once merge it once', async () => {
    const [alphaRef, betaRef, gammaRef] = (await Promise.all(
      [alphaIdentity, betaIdentity, gammaIdentity].map(held.refOf),
    )) as [string, string, string]
    const merges = [alphaRef, gammaRef].map(into =>
      mergeCompanies(held.world, { from: betaRef, into, reason: 'one owner', now: day(20) }),
    )
    const [, ...outcomes] = await Promise.allSettled([
      held.sync('malta', day(20), ...malta, authorisation('e.example', { licenseeKey: 'M1' })),
      ...merges,
    ])
    expect(outcomes.map(outcome => outcome.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await held.companies()).toHaveLength(2)
  })
})

test('what is told otherwise than its sources tell it shows when Companies are verified', async () => {
  const ref = await held.refOf(betaIdentity)
  const [before] = await held.rowsOf('companies')
  const tamper = (change: string) =>
    sql`update companies set ${sql.raw(change)} where company_ref = ${ref}`.execute(held.world.database)
  await tamper("company_name = 'Betta', brands = '{}'")
  expect((await verifyCompanies(held.world.database)).differences).toEqual([
    { company_ref: ref, field: 'brands', stored: [], derived: ['Ace', 'Bee'] },
    { company_ref: ref, field: 'company_name', stored: 'Betta', derived: 'Beta AB' },
  ])
  await tamper(`company_name = 'Beta AB', brands = '{Ace,Bee}', merged_into = ${before?.id}`)
  expect((await verifyCompanies(held.world.database)).differences).toEqual([
    { company_ref: ref, field: 'merged_into', stored: before?.id, derived: null },
  ])
  await tamper('merged_into = null')
})
