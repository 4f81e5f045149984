import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadLines } from '../../../test/harness/load-lines.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { dayMs } from '../../core/time.ts'
import { paymentCategories } from '../value-sets.ts'
import { type ExportService, startExportService } from './fixture.ts'

// These tests compare every filter with a plain computation over generated domains.

const start = Date.parse('2026-03-01T00:00:00Z')
const at = (days: number) => new Date(start + days * dayMs).toISOString()

const jurisdictions = ['mga', 'ukgc', 'sweden']
const regulators = ['poland', 'italy']
const suppliers = ['Spinworks', 'Reel Makers', 'ŁÓDŹ Games', '100%_sure']
const places = ['GB', 'Isle of Man', 'sweden', 'É"t\\é']
const rails = paymentCategories.slice(0, 3)

type Observed<Value> = { value: Value; day: number }
type Site = {
  licenses: { jurisdiction: string; active: boolean }[]
  blockedBy: string[]
  hasCompany: boolean
  suppliers: Observed<string>[]
  payments: Observed<string>[]
  affiliate: Observed<true> | null
  geo: Observed<string[]> | null
}

const observed = <Value>(value: fc.Arbitrary<Value>) =>
  fc.record({ value, day: fc.constantFrom(0, 10, 29, 30, 31, 60) })
const several = <Value>(values: readonly Value[]) =>
  fc.uniqueArray(observed(fc.constantFrom(...values)), { maxLength: 3, selector: each => each.value })
const site: fc.Arbitrary<Site> = fc.record({
  licenses: fc.uniqueArray(
    fc.record({ jurisdiction: fc.constantFrom(...jurisdictions), active: fc.boolean() }),
    { maxLength: 2, selector: each => each.jurisdiction },
  ),
  blockedBy: fc.uniqueArray(fc.constantFrom(...regulators), { maxLength: 2 }),
  hasCompany: fc.boolean(),
  suppliers: several(suppliers),
  payments: several(rails),
  affiliate: fc.option(observed(fc.constant(true as const))),
  geo: fc.option(observed(fc.uniqueArray(fc.constantFrom(...places), { maxLength: 2 }))),
})
const nothing: Site = {
  licenses: [],
  blockedBy: [],
  hasCompany: false,
  suppliers: [],
  payments: [],
  affiliate: null,
  geo: null,
}
const sites = new Map(
  [nothing, ...fc.sample(site, { seed: 20_261_121, numRuns: 79 })].map((each, number) => [
    `site-${number}.example`,
    each,
  ]),
)

function linesOf(domain: string, each: Site): object[] {
  const observation = (section: string, day: number, more: object) => ({
    kind: 'observation',
    domain,
    section,
    last_seen_at: at(day),
    ...more,
  })
  return [
    { kind: 'domain', domain, ...(each.hasCompany ? { company: 'owner', relation: 'brand_owner' } : {}) },
    ...each.licenses.map(({ jurisdiction, active }) => ({
      kind: 'license',
      jurisdiction,
      license_number: domain,
      status: active ? 'Active' : 'Revoked',
      company: 'licensee',
      authorized_domains: [domain],
    })),
    ...each.blockedBy.map(regulator => ({ kind: 'blocklist_entry', regulator, domain })),
    ...each.suppliers.map(({ value, day }) =>
      observation('supplier_brands', day, { normalized_provider_name: value }),
    ),
    ...each.payments.map(({ value, day }) =>
      observation('payment_methods', day, { normalized_name: `by ${value}`, category: value }),
    ),
    ...(each.affiliate === null
      ? []
      : [
          observation('affiliate_programs', each.affiliate.day, {
            program_url: `https://${domain}/partners`,
          }),
        ]),
    ...(each.geo === null ? [] : [observation('geo', each.geo.day, { geo_hints: each.geo.value })]),
  ]
}

function lastDay({ suppliers, payments, affiliate, geo }: Site): number | null {
  const days = [...suppliers, ...payments, ...(affiliate ? [affiliate] : []), ...(geo ? [geo] : [])].map(
    each => each.day,
  )
  return days.length === 0 ? null : Math.max(...days)
}

type Filters = Record<string, string | boolean>
const sameWord = (one: string, other: unknown) => one.toLowerCase() === String(other).trim().toLowerCase()

function expected(filters: Filters): string[] {
  const matches = (domain: string, each: Site): boolean => {
    const last = lastDay(each)
    const isCurrent = (one: { day: number } | null) => one !== null && one.day >= (last as number) - 30
    const licensedIn = each.licenses.filter(license => license.active).map(license => license.jurisdiction)
    const hasData =
      licensedIn.length > 0 ||
      each.blockedBy.length > 0 ||
      last !== null ||
      each.hasCompany ||
      each.licenses.length > 0
    const has = {
      supplier: (name: unknown) => each.suppliers.some(one => isCurrent(one) && sameWord(one.value, name)),
      rail: (category: unknown) => each.payments.some(one => isCurrent(one) && one.value === category),
    }
    const rules: Record<string, (value: string | boolean) => boolean> = {
      jurisdiction: value => licensedIn.includes(String(value)),
      payment_category: has.rail,
      exclude_payment: value => !has.rail(value),
      supplier_brand: has.supplier,
      exclude_provider: value => !has.supplier(value),
      has_affiliate: value => isCurrent(each.affiliate) === value,
      geo_hint: value => isCurrent(each.geo) && (each.geo?.value ?? []).some(place => sameWord(place, value)),
      enriched_after: value => last !== null && start + last * dayMs > Date.parse(String(value)),
      domain_after: value => domain > String(value),
    }
    return hasData && Object.entries(filters).every(([key, value]) => rules[key]?.(value) ?? true)
  }
  return [...sites]
    .filter(([domain, each]) => matches(domain, each))
    .map(([domain]) => domain)
    .sort()
}

let service: ExportService
let customer: Customer
beforeAll(async () => {
  service = await startExportService({
    load: async empty => {
      const companies = ['owner', 'licensee'].map(key => ({
        kind: 'company',
        key,
        company_name: `The ${key}`,
      }))
      const lines = [...companies, ...[...sites].flatMap(([domain, each]) => linesOf(domain, each))]
      await loadLines(empty.service.live, lines, { now: new Date(start) })
    },
  })
  customer = await service.customer({ credits: 1_000_000 })
})
afterAll(() => service.close())

async function exportedDomains(filters: Filters): Promise<string[]> {
  const { id, total_rows: rows, expected_rows: expectedRows } = await service.exported(customer, { filters })
  const lines = (await service.download(customer, id)).text.split('\r\n').slice(1, -1)
  expect([rows, expectedRows]).toEqual([lines.length, lines.length])
  return lines.map(line => line.split(',')[0] as string)
}

const anyCase = (words: readonly string[]) =>
  fc
    .constantFrom(...words)
    .chain(word => fc.constantFrom(word, word.toUpperCase(), ` ${word.toLowerCase()} `))
const filters = fc.record(
  {
    jurisdiction: fc.constantFrom(...jurisdictions, 'curacao'),
    payment_category: fc.constantFrom(...rails),
    supplier_brand: anyCase([...suppliers, 'Reel']),
    exclude_provider: anyCase(suppliers),
    exclude_payment: fc.constantFrom(...rails),
    has_affiliate: fc.boolean(),
    geo_hint: anyCase([...places, 'G', '%']),
    enriched_after: fc.constantFrom(...[-1, 0, 10, 30, 31, 60].map(at)),
    domain_after: fc.constantFrom('a.example', 'site-40.example', 'site-5.example', 'z.example'),
    colour: fc.constant('red'),
  },
  { requiredKeys: [] },
)

const single: [string, Filters][] = [
  ['no filter', {}],
  ...(['mga', 'ukgc'] as const).map((jurisdiction): [string, Filters] => ['jurisdiction', { jurisdiction }]),
  ['payment_category', { payment_category: 'card' }],
  ['supplier_brand', { supplier_brand: 'łódź games' }],
  ['exclude_provider', { exclude_provider: 'Spinworks' }],
  ['exclude_payment', { exclude_payment: 'crypto' }],
  ['has_affiliate', { has_affiliate: true }],
  ['has_affiliate', { has_affiliate: false }],
  ['geo_hint', { geo_hint: 'isle of man' }],
  ['enriched_after', { enriched_after: at(30) }],
  ['domain_after', { domain_after: 'site-40.example' }],
]

test.each(single)('the export filter %s selects some domains but not all: %j', async (name, filter) => {
  const domains = await exportedDomains(filter)
  expect(domains).toEqual(expected(filter))
  expect(domains.length).toBeGreaterThan(0)
  if (name !== 'no filter') expect(domains.length).toBeLessThan(expected({}).length)
})

test.each([
  ['domain_after', 'https://www.Site-40.example/lobby?x=1', 'site-40.example'],
  ['domain_after', ' bücher.example ', 'xn--bcher-kva.example'],
  ['enriched_after', '2026-03-31', '2026-03-31T00:00:00Z'],
  ['enriched_after', '2026-03-31T02:00:00+02:00', '2026-03-31T00:00:00Z'],
])('the export filter %s reads %j as %j', async (name, sent, canonical) => {
  expect(await exportedDomains({ [name]: sent })).toEqual(expected({ [name]: canonical }))
})

test('a domain without data is in no export', () => {
  expect(expected({})).not.toContain('site-0.example')
})

test('combined export filters select the domains that match each of them, sorted by name', async () => {
  await fc.assert(
    fc.asyncProperty(filters, async some => {
      expect(await exportedDomains(some as Filters)).toEqual(expected(some as Filters))
    }),
    { numRuns: 60 },
  )
})
