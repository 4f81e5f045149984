import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authorisation, day, license, licensee } from '../../registers/fixture.ts'
import {
  alphaIdentity,
  apart,
  betaIdentity,
  gammaIdentity,
  type MergeWorld,
  malta,
  openMergeWorld,
  sweden,
} from './fixture.ts'
import { showCompany, splitCompany } from './index.ts'

let held: MergeWorld

beforeAll(async () => {
  held = await openMergeWorld()
})
beforeEach(() => held.begin())
afterEach(() => held.expectConsistent())
afterAll(() => held.close())

describe('a split', () => {
  test('takes a merge back: the old ref answers for itself, with all that it had', async () => {
    const before = [await held.companies(), await held.holdings()]
    const [alphaRef, betaRef] = [await held.refOf(alphaIdentity), await held.refOf(betaIdentity)]
    await held.merge(betaIdentity, alphaIdentity)
    expect(await held.split(alphaIdentity, [betaIdentity])).toEqual({
      company_ref: alphaRef,
      split_ref: betaRef,
      answers_again: true,
      identities: [['sweden.licences', 'S1']],
      licenses: 1,
    })
    expect([await held.companies(), await held.holdings()]).toEqual(before)
    expect(await held.refOf(betaIdentity)).toBe(betaRef)
    expect(await held.resolve(betaRef)).toMatchObject({ resolvedRef: betaRef, status: 'active' })
    expect(await held.companyOf(alphaIdentity)).toMatchObject({
      brands: ['Ace'],
      aliases: [],
      role: ['operator'],
    })
    expect((await showCompany(held.world, betaRef)).decisions.map(({ kind }) => kind)).toEqual([
      'merge',
      'split',
    ])
    expect((await held.rowsOf('dataset_events')).at(-1)).toMatchObject({
      kind: 'split',
      detail: {
        identities: [['sweden.licences', 'S1']],
        staying: [['malta.licences', 'M1']],
        reason: 'two owners',
      },
    })
  })

  test('takes along what came after the merge', async () => {
    await held.merge(betaIdentity, alphaIdentity)
    const more = [license('L3', 'S1'), authorisation('d.example', { licenseKey: 'L3', licenseeKey: 'S1' })]
    await held.sync('sweden', day(22), ...sweden, ...more)
    expect(await held.split(alphaIdentity, [betaIdentity])).toMatchObject({ licenses: 2 })
    expect(await held.holdings()).toContain('licensee | d.example | Beta AB | sweden.licences')
    expect(await held.sync('sweden', day(31), ...sweden, ...more, authorisation('f.example'))).toMatchObject({
      added: 1,
      changed: 0,
    })
    expect(await held.companies()).toEqual(apart)
  })

  test('gives a licensee that was linked by its name a Company of its own, which later syncs keep', async () => {
    const twin = licensee('S2', { legalName: 'Alpha Limited', country: 'MT' })
    const facts = [license('L4', 'S2'), authorisation('g.example', { licenseeKey: 'S2' })]
    await held.sync('sweden', day(12), ...sweden, twin, ...facts)
    const alphaRef = await held.refOf(alphaIdentity)
    expect(await held.refOf('sweden.licences:S2')).toBe(alphaRef)

    const report = await held.split(alphaIdentity, ['sweden.licences:S2'])
    expect(report).toMatchObject({ company_ref: alphaRef, answers_again: false, licenses: 1 })
    expect(report.split_ref).toMatch(/^co_\w{20}$/)
    await held.sync('sweden', day(31), ...sweden, { ...twin, tradingNames: ['Twin'] }, ...facts)
    expect(await held.refOf('sweden.licences:S2')).toBe(report.split_ref)
    expect(await held.companyOf('sweden.licences:S2')).toMatchObject({
      company_name: 'Alpha Limited',
      brands: ['Twin'],
      first_seen_at: day(12),
    })
    expect(await held.companyOf(alphaIdentity)).toMatchObject({ aliases: [], brands: ['Ace'] })
    expect(await held.holdings()).toContain('licensee | g.example | Alpha Limited | sweden.licences')
  })

  test('may leave the account that led: the others say what the Company is', async () => {
    const alphaRef = await held.refOf(alphaIdentity)
    await held.merge(betaIdentity, alphaIdentity)
    expect(await held.split(alphaIdentity, [alphaIdentity])).toMatchObject({
      company_ref: alphaRef,
      answers_again: false,
    })
    expect(await held.refOf(betaIdentity)).toBe(alphaRef)
    expect(await held.companyOf(betaIdentity)).toMatchObject({
      company_name: 'Beta AB',
      country: 'SE',
      brands: ['Ace', 'Bee'],
    })
  })

  test('of a chain of merges gives each its own ref back, whichever leaves first', async () => {
    const [alphaRef, betaRef, gammaRef] = await Promise.all(
      [alphaIdentity, betaIdentity, gammaIdentity].map(held.refOf),
    )
    const before = await held.holdings()
    await held.merge(betaIdentity, alphaIdentity)
    await held.merge(alphaIdentity, gammaIdentity, 21)
    expect(await held.split(gammaIdentity, [alphaIdentity, betaIdentity])).toMatchObject({
      split_ref: alphaRef,
      answers_again: true,
    })
    expect(await held.resolve(betaRef as string)).toMatchObject({ resolvedRef: alphaRef })
    await held.merge(alphaIdentity, gammaIdentity, 31)
    expect(await held.split(gammaIdentity, [betaIdentity], 32)).toMatchObject({
      split_ref: betaRef,
      answers_again: true,
    })
    expect(await held.resolve(alphaRef as string)).toMatchObject({ resolvedRef: gammaRef })
    expect(await held.split(gammaIdentity, [alphaIdentity], 33)).toMatchObject({
      split_ref: alphaRef,
      answers_again: true,
    })
    expect(await held.holdings()).toEqual(before)
  })

  test('leads a merged ref to where all that it named went', async () => {
    const twin = licensee('M2', { legalName: 'Alpha Limited', country: 'MT' })
    await held.sync('malta', day(12), ...malta, twin)
    const [betaRef, alphaRef] = [await held.refOf(betaIdentity), await held.refOf(alphaIdentity)]
    await held.merge(betaIdentity, alphaIdentity)
    const { split_ref: newRef, answers_again } = await held.split(alphaIdentity, [
      'malta.licences:M2',
      betaIdentity,
    ])
    expect(answers_again).toBe(false)
    expect(newRef).not.toBe(betaRef)
    expect(await held.resolve(betaRef)).toMatchObject({ resolvedRef: newRef })
    expect(await held.resolve(alphaRef)).toMatchObject({ status: 'active' })
  })

  test('gives back what files said, also what a merge had folded into one', async () => {
    await held.load(
      day(11),
      { kind: 'company', key: 'delta', company_name: 'Delta' },
      { kind: 'company', key: 'epsilon', company_name: 'Epsilon' },
      { kind: 'domain', domain: 'b.example', company: 'delta', relation: 'brand_owner', brand: 'Dee' },
      { kind: 'domain', domain: 'h.example', company: 'delta', relation: 'brand_owner' },
    )
    const before = await held.holdings()
    await held.merge('import:delta', gammaIdentity)
    await held.merge(gammaIdentity, 'import:epsilon', 21)
    await held.load(day(22), {
      kind: 'domain',
      domain: 'i.example',
      company: 'gamma',
      relation: 'brand_owner',
    })
    expect(await held.split('import:epsilon', [gammaIdentity])).toMatchObject({ licenses: 1 })
    await held.split('import:epsilon', ['import:delta'], 31)
    const holdings = await held.holdings()
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

  test('that cannot be is refused, says why and changes nothing', async () => {
    const [alphaRef, betaRef] = [await held.refOf(alphaIdentity), await held.refOf(betaIdentity)]
    await held.merge(betaIdentity, alphaIdentity)
    const before = [await held.rowsOf('companies'), await held.rowsOf('dataset_events')]
    type Refusal = [company: string, identities: [string, string][], reason: string, told: string]
    const [m1, s1, g]: [string, string][] = [
      ['malta.licences', 'M1'],
      ['sweden.licences', 'S1'],
      ['import', 'gamma'],
    ]
    const refusals: Refusal[] = [
      ['co_nobody', [m1 as [string, string]], 'why', 'There is no Company co_nobody.'],
      [betaRef, [s1 as [string, string]], 'why', `${betaRef} was merged into ${alphaRef}; split that one.`],
      [alphaRef, [], 'why', 'Name at least one identity that leaves, as stream:key.'],
      [
        alphaRef,
        [g as [string, string]],
        'why',
        `import:gamma is no identity of ${alphaRef}; it has malta.licences:M1, sweden.licences:S1.`,
      ],
      [
        alphaRef,
        [m1 as [string, string], s1 as [string, string]],
        'why',
        `${alphaRef} has no other identity than malta.licences:M1, sweden.licences:S1: nothing would be left of it.`,
      ],
      [
        alphaRef,
        [s1 as [string, string]],
        '',
        'Say why: the reason stands in the history of both Companies.',
      ],
    ]
    for (const [company, identities, reason, told] of refusals) {
      const refused = splitCompany(held.world, { company, identities, reason, now: day(30) })
      await expect(refused).rejects.toMatchObject({ name: 'StaffError', message: told })
    }
    expect([await held.rowsOf('companies'), await held.rowsOf('dataset_events')]).toEqual(before)
  })
})
