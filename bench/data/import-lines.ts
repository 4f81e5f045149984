import { companyNameOf } from './names.ts'
import { domainOf, jurisdictions, paymentCategories, regulators } from './sizes.ts'

type CompanyOf = (number: number) => string
type LinesOf = {
  kind: string
  title?: string
  linesMax?: number
  line(number: number, of: CompanyOf): object
}
type ImportFile = { kind: string; title: string; lines: number; line(number: number): object }

const at = (number: number) => new Date(Date.UTC(2024, 0, 1, 0, number % 500_000)).toISOString()
const oneOf = (values: readonly string[], number: number) => values[number % values.length]
const companiesMin = 10
/** Limits accounts, because each takes some round trips: only its feature may change balances. */
const accountsMax = 2_000

/**
 * Returns a file for each kind, in an order in which all references exist. Each Company has ten domains.
 */
export function filesOf(lines: number): ImportFile[] {
  const companies = Math.max(companiesMin, lines / 10)
  const companyOf = (number: number) => `company-${1 + (number % companies)}`
  return linesByKind.map(({ kind, title = kind, linesMax = lines, line }) => ({
    kind,
    title,
    lines: Math.min(lines, linesMax),
    line: number => line(number, companyOf),
  }))
}

const linesByKind: LinesOf[] = [
  {
    kind: 'company',
    line: number => ({
      key: `company-${number}`,
      company_name: companyNameOf(number),
      legal_entity: `${companyNameOf(number)} Limited`,
      role: ['operator'],
      country: 'MT',
      geo_hints: ['GB'],
    }),
  },
  { kind: 'platform', line: number => ({ key: `platform-${number}`, name: `Platform ${number}` }) },
  {
    kind: 'domain',
    title: 'domain, without a Company',
    line: number => ({ domain: `other-${domainOf(number)}`, inferred_geo: 'GB' }),
  },
  {
    kind: 'domain',
    title: 'domain, ten to a Company',
    line: (number, companyOf) => ({
      domain: domainOf(number),
      company: companyOf(number),
      relation: 'brand_owner',
      inferred_geo: 'GB',
    }),
  },
  {
    kind: 'blocklist_entry',
    title: 'blocklist_entry, of new domains',
    line: number => entryOf(number, `blocked-${domainOf(number)}`),
  },
  {
    kind: 'blocklist_entry',
    title: 'blocklist_entry, of stored domains',
    line: number => entryOf(number, domainOf(number)),
  },
  {
    kind: 'license',
    title: 'license, of one domain',
    line: (number, companyOf) => ({
      jurisdiction: oneOf(jurisdictions, number),
      license_number: `L-${number}`,
      license_type: 'Remote',
      status: 'Active',
      company: companyOf(number),
      issued_at: '2020-01-01',
      authorized_domains: [domainOf(number)],
    }),
  },
  {
    kind: 'observation',
    title: 'observation, five to a domain',
    line: number => ({
      domain: domainOf(Math.ceil(number / 5)),
      section: 'payment_methods',
      normalized_name: `rail ${number % 5}`,
      category: oneOf(paymentCategories, number),
      last_seen_at: at(number),
    }),
  },
  {
    kind: 'platform_reading',
    line: number => ({ domain: domainOf(number), platform: 'platform-1', seen_at: at(number) }),
  },
  { kind: 'site_check', line: number => ({ domain: domainOf(number), checked_at: at(number) }) },
  {
    kind: 'firmographics',
    line: number => ({
      domain: domainOf(number),
      fetched_at: at(number),
      name: companyNameOf(number),
      employee_count: number % 500,
    }),
  },
  {
    kind: 'contact',
    line: (number, companyOf) => ({
      company: companyOf(number),
      name: `${companyNameOf(number)} ${number.toString(36)}`,
      title: 'Chief Executive Officer',
      email: `person-${number}@mail.example`,
      source: 'company website',
      collected_at: at(number),
    }),
  },
  {
    kind: 'logo',
    title: 'logo, without an image',
    line: number => ({
      subject_kind: 'operator_brand',
      slug: `brand-${number}`,
      name: `Brand ${number}`,
      domain: domainOf(number),
    }),
  },
  {
    kind: 'account',
    linesMax: accountsMax,
    line: number => ({
      key: `account-${number}`,
      name: `Account ${number}`,
      plan: 'growth',
      credits_granted: 10,
    }),
  },
  {
    kind: 'prospect_list',
    linesMax: accountsMax,
    line: number => ({
      key: `list-${number}`,
      account: `account-${number}`,
      cadence: 'one_time',
      status: 'requested',
    }),
  },
]

const entryOf = (number: number, domain: string) => ({
  regulator: oneOf(regulators, number),
  domain,
  first_seen_at: at(number),
})
