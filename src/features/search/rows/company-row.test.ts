import { describe, expect, test } from 'vitest'
import type { CompanyFacts } from './company-facts-store.ts'
import { companyRow } from './company-row.ts'
import { type CompletenessFacts, completenessMax, completenessOf } from './completeness.ts'
import { countedField } from './search-row.ts'

const unknown: CompletenessFacts = {
  companyName: null,
  legalEntity: null,
  country: null,
  roles: ['unknown'],
  brands: 0,
  domains: 0,
  licenses: 0,
  paymentMethods: 0,
  supplierBrands: 0,
  platforms: 0,
  geoHints: 0,
  observed: false,
  firmographicsAvailable: false,
  contactsAvailable: false,
}
const everything: CompletenessFacts = {
  companyName: 'Otter',
  legalEntity: 'Otter Ltd',
  country: 'MT',
  roles: ['operator'],
  brands: 1,
  domains: 1,
  licenses: 1,
  paymentMethods: 1,
  supplierBrands: 1,
  platforms: 1,
  geoHints: 1,
  observed: true,
  firmographicsAvailable: true,
  contactsAvailable: true,
}

describe('the completeness of a Company', () => {
  test('the completeness of a Company is 0 for an empty profile, and highest for a full profile', () => {
    expect(completenessOf(unknown)).toBe(0)
    expect(completenessOf(everything)).toBe(completenessMax)
  })

  test.each(Object.keys(everything) as (keyof CompletenessFacts)[])(
    'completeness depends on whether %s is known, not on how many values it has',
    field => {
      const known = completenessOf({ ...unknown, [field]: everything[field] })
      expect(known).toBeGreaterThan(0)
      expect(completenessOf({ ...everything, [field]: unknown[field] })).toBe(completenessMax - known)
      if (typeof everything[field] === 'number')
        expect(completenessOf({ ...unknown, [field]: 9 })).toBe(known)
    },
  )
})

const facts: CompanyFacts = {
  id: 7,
  company_ref: 'co_7',
  company_name: 'Red Kite Leisure',
  legal_entity: 'Red Kite Leisure N.V.',
  subject_kind: 'legal_entity',
  role: ['operator'],
  country: 'CW',
  brands: ['Redkite Casino'],
  aliases: ['Red Kite'],
  affiliate_program: false,
  groups: [],
  geo_hints: ['PL'],
  last_observed_at: new Date('2026-01-01T00:00:00Z'),
  last_updated_at: new Date('2026-02-01T00:00:00Z'),
  domain_count: 7,
  domains: [
    'mirror1.example',
    'mirror2.example',
    'redkite.example',
    'redkite-casino.example',
    'm3.example',
    'm4.example',
  ].map(domain => ({ domain_ref: `dom_${domain}`, domain, inferred_geo: null })),
  inferred_geos: ['CZ'],
  observed_geos: ['PL', 'DE'],
  payment_categories: ['card'],
  payment_methods: ['Visa', 'visa'],
  supplier_brands: ['Señor Slots'],
  affiliate_observed: true,
  platforms: ['Copper Beam', 'copperbeam'],
  platform_count: 1,
  license_count: 2,
  license_jurisdictions: ['curacao'],
  license_statuses: ['active', 'revoked'],
  markets: ['curacao', 'mga'],
  firmographics_available: false,
  contacts_available: true,
}

describe('the row of a Company', () => {
  const row = companyRow(facts)
  const hit = JSON.parse(row.hit)

  test('the row of a Company shows first the domains that resemble its highest-ranked name', () => {
    expect(hit.domains_sample.map(({ domain }: { domain: string }) => domain)).toEqual([
      'redkite-casino.example',
      'redkite.example',
      'mirror1.example',
      'mirror2.example',
      'm3.example',
    ])
    expect(hit.primary_domain.domain).toBe('redkite-casino.example')
  })

  test('the row of a Company has categories and counts, but no methods, suppliers or platforms', () => {
    expect(hit).toMatchObject({
      company_ref: 'co_7',
      domain_count: 7,
      jurisdictions: ['curacao', 'mga'],
      license_statuses: ['active', 'revoked'],
      license_count: 2,
      payment_categories: ['card'],
      payment_method_count: 2,
      supplier_brand_count: 1,
      platform_present: true,
      affiliate_program_present: true,
      geo_hints: ['CZ', 'DE', 'PL'],
      data_completeness: 0.94,
      last_observed_at: '2026-01-01T00:00:00.000Z',
      last_updated_at: '2026-02-01T00:00:00.000Z',
      firmographics_available: false,
      contacts_available: true,
    })
    expect(row.hit).not.toMatch(/visa|señor|copper/i)
    expect(row.document).not.toMatch(/visa|senor|copper/i)
  })

  test('the row of a Company has terms, folded where filters ignore spelling', () => {
    expect(row.terms).toContainEqual({ field: 'payment_method', value: 'visa' })
    expect(row.terms.filter(({ field }) => field === 'payment_method')).toHaveLength(1)
    expect(row.terms).toContainEqual({ field: 'supplier_brand', value: 'senor slots' })
    expect(row.terms).toContainEqual({ field: 'platform', value: 'copper beam' })
    expect(row.terms).toContainEqual({ field: 'has_platform', value: 'true' })
  })

  test('the row of a Company matches a place in any case, and counts its spellings as one', () => {
    const { terms } = companyRow({ ...facts, geo_hints: ['GB', 'Málta', 'gb'] })
    const of = (field: string) => terms.filter(each => each.field === field).map(each => each.value)
    expect(of('geo').sort()).toEqual(['cz', 'de', 'gb', 'malta', 'pl'])
    expect(of(countedField('geo')).sort()).toEqual(['CZ', 'DE', 'GB', 'Málta', 'PL'])
  })

  test('the row of a Company has the words of its names and domains for comparison, but no numbers', () => {
    expect(row.words).toEqual(expect.arrayContaining(['red', 'kite', 'leisure', 'redkitecasino', 'redkite']))
    expect(companyRow({ ...facts, company_name: 'Studio 365' }).words).not.toContain('365')
  })
})
