import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authorisation, day, license, licensee } from '../../registers/fixture.ts'
import {
  alphaIdentity,
  betaIdentity,
  gammaIdentity,
  type MergeWorld,
  malta,
  openMergeWorld,
  sweden,
  unmerged,
} from './fixture.ts'
import { showCompany, splitCompany } from './index.ts'

let fixture: MergeWorld

beforeAll(async () => {
  fixture = await openMergeWorld()
})
beforeEach(() => fixture.reset())
afterEach(() => fixture.expectConsistent())
afterAll(() => fixture.close())

describe('a split', () => {
  test('a split undoes a merge: the old ref is active again, with all of its facts', async () => {
    const before = [await fixture.companies(), await fixture.holdings()]
    const [alphaRef, betaRef] = [await fixture.refOf(alphaIdentity), await fixture.refOf(betaIdentity)]
    await fixture.merge(betaIdentity, alphaIdentity)
    expect(await fixture.split(alphaIdentity, [betaIdentity])).toEqual({
      company_ref: alphaRef,
      split_ref: betaRef,
      answers_again: true,
      identities: [['sweden.licences', 'S1']],
      licenses: 1,
    })
    expect([await fixture.companies(), await fixture.holdings()]).toEqual(before)
    expect(await fixture.refOf(betaIdentity)).toBe(betaRef)
    expect(await fixture.resolve(betaRef)).toMatchObject({ resolvedRef: betaRef, status: 'active' })
    expect(await fixture.companyOf(alphaIdentity)).toMatchObject({
      brands: ['Ace'],
      aliases: [],
      role: ['operator'],
    })
    expect((await showCompany(fixture.world, betaRef)).decisions.map(({ kind }) => kind)).toEqual([
      'merge',
      'split',
    ])
    expect((await fixture.rowsOf('dataset_events')).at(-1)).toMatchObject({
      kind: 'split',
      detail: {
        identities: [['sweden.licences', 'S1']],
        staying: [['malta.licences', 'M1']],
        reason: 'two owners',
      },
    })
  })

  test('a split also moves facts that its identities gained after the merge', async () => {
    await fixture.merge(betaIdentity, alphaIdentity)
    const more = [license('L3', 'S1'), authorisation('d.example', { licenseKey: 'L3', licenseeKey: 'S1' })]
    await fixture.sync('sweden', day(22), ...sweden, ...more)
    expect(await fixture.split(alphaIdentity, [betaIdentity])).toMatchObject({ licenses: 2 })
    expect(await fixture.holdings()).toContain('licensee | d.example | Beta AB | sweden.licences')
    expect(
      await fixture.sync('sweden', day(31), ...sweden, ...more, authorisation('f.example')),
    ).toMatchObject({
      added: 1,
      changed: 0,
    })
    expect(await fixture.companies()).toEqual(unmerged)
  })

  test('a split gives a licensee that was linked by name its own Company', async () => {
    const twin = licensee('S2', { legalName: 'Alpha Limited', country: 'MT' })
    const facts = [license('L4', 'S2'), authorisation('g.example', { licenseeKey: 'S2' })]
    await fixture.sync('sweden', day(12), ...sweden, twin, ...facts)
    const alphaRef = await fixture.refOf(alphaIdentity)
    expect(await fixture.refOf('sweden.licences:S2')).toBe(alphaRef)

    const report = await fixture.split(alphaIdentity, ['sweden.licences:S2'])
    expect(report).toMatchObject({ company_ref: alphaRef, answers_again: false, licenses: 1 })
    expect(report.split_ref).toMatch(/^co_\w{20}$/)
    await fixture.sync('sweden', day(31), ...sweden, { ...twin, tradingNames: ['Twin'] }, ...facts)
    expect(await fixture.refOf('sweden.licences:S2')).toBe(report.split_ref)
    expect(await fixture.companyOf('sweden.licences:S2')).toMatchObject({
      company_name: 'Alpha Limited',
      brands: ['Twin'],
      first_seen_at: day(12),
    })
    expect(await fixture.companyOf(alphaIdentity)).toMatchObject({ aliases: [], brands: ['Ace'] })
    expect(await fixture.holdings()).toContain('licensee | g.example | Alpha Limited | sweden.licences')
  })

  test('after a split of its first identity, a Company is described by its other identities', async () => {
    const alphaRef = await fixture.refOf(alphaIdentity)
    await fixture.merge(betaIdentity, alphaIdentity)
    expect(await fixture.split(alphaIdentity, [alphaIdentity])).toMatchObject({
      company_ref: alphaRef,
      answers_again: false,
    })
    expect(await fixture.refOf(betaIdentity)).toBe(alphaRef)
    expect(await fixture.companyOf(betaIdentity)).toMatchObject({
      company_name: 'Beta AB',
      country: 'SE',
      brands: ['Ace', 'Bee'],
    })
  })

  test('a split of chained merges restores each ref, in any order', async () => {
    const [alphaRef, betaRef, gammaRef] = await Promise.all(
      [alphaIdentity, betaIdentity, gammaIdentity].map(fixture.refOf),
    )
    const before = await fixture.holdings()
    await fixture.merge(betaIdentity, alphaIdentity)
    await fixture.merge(alphaIdentity, gammaIdentity, 21)
    expect(await fixture.split(gammaIdentity, [alphaIdentity, betaIdentity])).toMatchObject({
      split_ref: alphaRef,
      answers_again: true,
    })
    expect(await fixture.resolve(betaRef as string)).toMatchObject({ resolvedRef: alphaRef })
    await fixture.merge(alphaIdentity, gammaIdentity, 31)
    expect(await fixture.split(gammaIdentity, [betaIdentity], 32)).toMatchObject({
      split_ref: betaRef,
      answers_again: true,
    })
    expect(await fixture.resolve(alphaRef as string)).toMatchObject({ resolvedRef: gammaRef })
    expect(await fixture.split(gammaIdentity, [alphaIdentity], 33)).toMatchObject({
      split_ref: alphaRef,
      answers_again: true,
    })
    expect(await fixture.holdings()).toEqual(before)
  })

  test('a split that takes all identities of a merged ref redirects the ref', async () => {
    const twin = licensee('M2', { legalName: 'Alpha Limited', country: 'MT' })
    await fixture.sync('malta', day(12), ...malta, twin)
    const [betaRef, alphaRef] = [await fixture.refOf(betaIdentity), await fixture.refOf(alphaIdentity)]
    await fixture.merge(betaIdentity, alphaIdentity)
    const { split_ref: newRef, answers_again } = await fixture.split(alphaIdentity, [
      'malta.licences:M2',
      betaIdentity,
    ])
    expect(answers_again).toBe(false)
    expect(newRef).not.toBe(betaRef)
    expect(await fixture.resolve(betaRef)).toMatchObject({ resolvedRef: newRef })
    expect(await fixture.resolve(alphaRef)).toMatchObject({ status: 'active' })
  })

  test('a split restores imported facts, also a relation that both Companies had', async () => {
    await fixture.load(
      day(11),
      { kind: 'company', key: 'delta', company_name: 'Delta' },
      { kind: 'company', key: 'epsilon', company_name: 'Epsilon' },
      { kind: 'domain', domain: 'b.example', company: 'delta', relation: 'brand_owner', brand: 'Dee' },
      { kind: 'domain', domain: 'h.example', company: 'delta', relation: 'brand_owner' },
    )
    const before = await fixture.holdings()
    await fixture.merge('import:delta', gammaIdentity)
    await fixture.merge(gammaIdentity, 'import:epsilon', 21)
    await fixture.load(day(22), {
      kind: 'domain',
      domain: 'i.example',
      company: 'gamma',
      relation: 'brand_owner',
    })
    expect(await fixture.split('import:epsilon', [gammaIdentity])).toMatchObject({ licenses: 1 })
    await fixture.split('import:epsilon', ['import:delta'], 31)
    const holdings = await fixture.holdings()
    expect(holdings.filter(holding => holding.startsWith('brand_owner'))).toEqual([
      'brand_owner | b.example | Delta | import',
      'brand_owner | b.example | Gamma | import',
      'brand_owner | h.example | Delta | import',
      'brand_owner | i.example | Gamma | import',
    ])
    expect(holdings.filter(holding => !holding.startsWith('brand_owner'))).toEqual(
      before.filter(holding => !holding.startsWith('brand_owner')),
    )
  })

  test('an invalid split fails with a reason and changes nothing', async () => {
    const [alphaRef, betaRef] = [await fixture.refOf(alphaIdentity), await fixture.refOf(betaIdentity)]
    await fixture.merge(betaIdentity, alphaIdentity)
    const before = [await fixture.rowsOf('companies'), await fixture.rowsOf('dataset_events')]
    type Refusal = [company: string, identities: [string, string][], reason: string, message: string]
    const [m1, s1, g]: [string, string][] = [
      ['malta.licences', 'M1'],
      ['sweden.licences', 'S1'],
      ['import', 'gamma'],
    ]
    const refusals: Refusal[] = [
      ['co_nobody', [m1 as [string, string]], 'why', 'Company co_nobody does not exist.'],
      [
        betaRef,
        [s1 as [string, string]],
        'why',
        `${betaRef} was merged into ${alphaRef}. Split that Company.`,
      ],
      [alphaRef, [], 'why', 'Name at least one identity to split off, as stream:key.'],
      [
        alphaRef,
        [g as [string, string]],
        'why',
        `${alphaRef} does not own import:gamma. It owns malta.licences:M1, sweden.licences:S1.`,
      ],
      [
        alphaRef,
        [m1 as [string, string], s1 as [string, string]],
        'why',
        `${alphaRef} owns only malta.licences:M1, sweden.licences:S1. At least one identity must stay.`,
      ],
      [
        alphaRef,
        [s1 as [string, string]],
        '',
        'Give a reason. It is stored in the history of both Companies.',
      ],
    ]
    for (const [company, identities, reason, message] of refusals) {
      const refused = splitCompany(fixture.world, { company, identities, reason, now: day(30) })
      await expect(refused).rejects.toMatchObject({ name: 'StaffError', message: message })
    }
    expect([await fixture.rowsOf('companies'), await fixture.rowsOf('dataset_events')]).toEqual(before)
  })
})
