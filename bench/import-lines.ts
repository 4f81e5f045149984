import { companyNameOf } from './names.ts'
import { domainOf, jurisdictions, paymentCategories, regulators } from './sizes.ts'

type Line = Record<string, unknown>
type LinesOf = { kind: string; title: string; lines: number; line(number: number): Line }

const at = (number: number) => new Date(Date.UTC(2024, 0, 1, 0, number % 500_000)).toISOString()
const of = <Value>(values: readonly Value[], number: number) => values[number % values.length] as Value
const companiesMin = 10
/** An account takes some round trips, because only its feature may move money. */
const accountsMax = 2_000

/** A file for each kind, in an order in which all references are known. Ten domains have one Company. */
export function filesOf(lines: number): LinesOf[] {
  const companies = Math.max(companiesMin, lines / 10)
  const companyOf = (number: number) => `company-${1 + (number % companies)}`
  return [...registerFiles(lines, companyOf), ...siteFiles(lines), ...otherFiles(lines, companyOf)]
}

type CompanyOf = (number: number) => string

function registerFiles(lines: number, companyOf: CompanyOf): LinesOf[] {
  return [
    {
      kind: 'company',
      title: 'company',
      lines,
      line: number => ({
        key: `company-${number}`,
        company_name: companyNameOf(number),
        legal_entity: `${companyNameOf(number)} Limited`,
        role: ['operator'],
        country: 'MT',
        geo_hints: ['GB'],
      }),
    },
    {
      kind: 'platform',
      title: 'platform',
      lines,
      line: number => ({ key: `platform-${number}`, name: `Platform ${number}` }),
    },
    {
      kind: 'domain',
      title: 'domain, without a Company',
      lines,
      line: number => ({ domain: `other-${domainOf(number)}`, inferred_geo: 'GB' }),
    },
    {
      kind: 'domain',
      title: 'domain, ten to a Company',
      lines,
      line: number => ({
        domain: domainOf(number),
        company: companyOf(number),
        relation: 'brand_owner',
        inferred_geo: 'GB',
      }),
    },
    {
      kind: 'blocklist_entry',
      title: 'blocklist_entry, of new domains',
      lines,
      line: number => ({
        regulator: of(regulators, number),
        domain: `blocked-${domainOf(number)}`,
        first_seen_at: at(number),
      }),
    },
    {
      kind: 'blocklist_entry',
      title: 'blocklist_entry, of stored domains',
      lines,
      line: number => ({
        regulator: of(regulators, number),
        domain: domainOf(number),
        first_seen_at: at(number),
      }),
    },
    {
      kind: 'license',
      title: 'license, of one domain',
      lines,
      line: number => ({
        jurisdiction: of(jurisdictions, number),
        license_number: `L-${number}`,
        license_type: 'Remote',
        status: 'Active',
        company: companyOf(number),
        issued_at: '2020-01-01',
        authorized_domains: [domainOf(number)],
      }),
    },
  ]
}

function siteFiles(lines: number): LinesOf[] {
  return [
    {
      kind: 'observation',
      title: 'observation, five to a domain',
      lines,
      line: number => ({
        domain: domainOf(Math.ceil(number / 5)),
        section: 'payment_methods',
        normalized_name: `rail ${number % 5}`,
        category: of(paymentCategories, number),
        last_seen_at: at(number),
      }),
    },
    {
      kind: 'platform_reading',
      title: 'platform_reading',
      lines,
      line: number => ({ domain: domainOf(number), platform: 'platform-1', seen_at: at(number) }),
    },
    {
      kind: 'site_check',
      title: 'site_check',
      lines,
      line: number => ({ domain: domainOf(number), checked_at: at(number) }),
    },
    {
      kind: 'firmographics',
      title: 'firmographics',
      lines,
      line: number => ({
        domain: domainOf(number),
        fetched_at: at(number),
        name: companyNameOf(number),
        employee_count: number % 500,
      }),
    },
  ]
}

function otherFiles(lines: number, companyOf: CompanyOf): LinesOf[] {
  const personOf = (number: number) => `${companyNameOf(number)} ${number.toString(36)}`
  const accounts = Math.min(lines, accountsMax)
  return [
    {
      kind: 'contact',
      title: 'contact',
      lines,
      line: number => ({
        company: companyOf(number),
        name: personOf(number),
        title: 'Chief Executive Officer',
        email: `person-${number}@mail.example`,
        source: 'company website',
        collected_at: at(number),
      }),
    },
    {
      kind: 'logo',
      title: 'logo, without an image',
      lines,
      line: number => ({
        subject_kind: 'operator_brand',
        slug: `brand-${number}`,
        name: `Brand ${number}`,
        domain: domainOf(number),
      }),
    },
    {
      kind: 'account',
      title: 'account',
      lines: accounts,
      line: number => ({
        key: `account-${number}`,
        name: `Account ${number}`,
        plan: 'growth',
        credits_granted: 10,
      }),
    },
    {
      kind: 'prospect_list',
      title: 'prospect_list',
      lines: accounts,
      line: number => ({
        key: `list-${number}`,
        account: `account-${number}`,
        cadence: 'one_time',
        status: 'requested',
      }),
    },
  ]
}
