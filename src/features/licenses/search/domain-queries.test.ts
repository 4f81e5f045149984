import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DemoRecord, readDemoRecords } from '../../../../test/harness/demo-world.ts'
import type { Customer } from '../../../../test/harness/service.ts'
import { authorisation, license, licensee } from '../../../registers/fixture.ts'
import { type LicenseService, type Parameters, startLicenseService } from '../fixture.ts'
import { distinct, expectedMatches, matchesOf, numbersOf, searchLicenses } from './fixture.ts'

let service: LicenseService
let customer: Customer
let records: DemoRecord[]
beforeAll(async () => {
  service = await startLicenseService({ world: 'demo' })
  customer = await service.customer({ credits: 100_000_000 })
  records = await readDemoRecords()
})
afterAll(() => service.close())

const search = (parameters: Parameters) => searchLicenses(customer, parameters)

describe('an exact domain query', () => {
  test('a license search by domain returns the licenses of the site, each with its basis', async () => {
    const sites = distinct(
      records.flatMap(({ kind, domain, authorized_domains = [] }) =>
        kind === 'license' ? authorized_domains : kind === 'domain' ? [domain] : [],
      ),
    )
    const seen = new Set<string>()
    for (const domain of sites) {
      const matches = matchesOf(await search({ domain }))
      expect(matches, domain).toEqual(expectedMatches(records, domain))
      for (const match of matches) seen.add(match.split(' ').at(-1) as string)
    }
    expect([...seen].sort()).toEqual(['both', 'site_corroborated'])
  })

  test.each(['pikebet.example', 'https://www.PIKEBET.example/sports?x=1', ' pikebet.example '])(
    'an exact domain query may be sent as q: %j',
    async q => {
      const data = await search({ q })
      expect(matchesOf(data)).toEqual([
        '099102-N-339103-007 site_corroborated',
        '099102-R-339102-011 both',
        'RGL 9901 both',
      ])
      expect(data).toMatchObject({ query: { domain: 'pikebet.example' }, total: 3, answer_basis: 'filters' })
    },
  )

  test('an exact domain query returns the licenses that a register lists for an unknown site', async () => {
    await service.load({
      kind: 'license',
      jurisdiction: 'jersey',
      license_number: 'LONE-1',
      authorized_domains: ['lonely.example'],
    })
    expect(matchesOf(await search({ domain: 'lonely.example' }))).toEqual(['LONE-1 regulator_published'])
  })

  test('an exact domain query ignores former listings, and relations derived by the register', async () => {
    const heron = licensee('heron', { legalName: 'Heron Bets Limited' })
    const covering = (key: string) => ({ licenseKey: key, licenseeKey: 'heron' })
    await service.sync(
      'ontario',
      3,
      heron,
      license('on-1', 'heron'),
      license('on-2', 'heron'),
      license('on-3', 'heron'),
      authorisation('heron.example', covering('on-1')),
      authorisation('heron.example idle', { ...covering('on-2'), domain: 'heron.example', counts: false }),
    )
    // A relation that the register itself derived does not count as a second source.
    expect(matchesOf(await search({ domain: 'heron.example' }))).toEqual(['on-1-001 regulator_published'])
    const { hits } = await search({ domain: 'heron.example' })
    await service.load(
      { kind: 'domain', domain: 'heron.example', company: hits[0].company_ref, relation: 'brand_owner' },
      { kind: 'company', key: hits[0].company_ref, legal_entity: 'Heron Bets Limited' },
    )
    expect(matchesOf(await search({ domain: 'heron.example' }))).toEqual([
      'on-1-001 both',
      'on-3-001 site_corroborated',
    ])
    await service.sync('ontario', 5, heron, license('on-3', 'heron'))
    expect(matchesOf(await search({ domain: 'heron.example' }))).toEqual(['on-3-001 site_corroborated'])
  })

  test('a license search by domain combines with filters, and with a text in q', async () => {
    const narrowed = await search({ domain: 'pikebet.example', jurisdiction: 'ukgc' })
    expect(numbersOf(narrowed.hits).sort()).toEqual(['099102-N-339103-007', '099102-R-339102-011'])
    const worded = await search({ domain: 'pikebet.example', q: 'non-remote' })
    expect(numbersOf(worded.hits)).toEqual(['099102-N-339103-007'])
    expect(worded.query).toEqual({ domain: 'pikebet.example', q: 'non-remote' })
  })

  test('an exact domain query of a site without a license is a free empty page', async () => {
    for (const domain of ['redkite1.test', 'neverheard.example'])
      expect(await search({ domain })).toMatchObject({ total: 0, hits: [], answer_basis: null })
  })

  test('a row has no domain_match_basis if the search has no domain', async () => {
    for (const parameters of [{}, { q: 'pikebet' }, { jurisdiction: 'ukgc' }]) {
      for (const hit of (await search(parameters)).hits) expect(hit).not.toHaveProperty('domain_match_basis')
    }
  })
})
