import { foldDomain, foldName } from '@baize/names'
import type { Term } from '../contract.ts'
import type { CompanyFacts, ShownDomain } from './company-facts-store.ts'
import { completenessMax, completenessOf } from './completeness.ts'
import { SearchDocument } from './document.ts'
import { type CompanyNames, type SearchRow, sortNameOf, termsOf } from './search-row.ts'

const domainsShownMax = 5

export function companyRow(facts: CompanyFacts): SearchRow {
  const document = companyDocument(facts)
  const missing = completenessMax - completenessOf(knownOf(facts))
  const { company_name, legal_entity, brands, aliases } = facts
  const names: CompanyNames = [company_name, legal_entity, brands, aliases]
  const name = company_name ?? facts.domains[0]?.domain ?? ''
  return {
    id: facts.id,
    ref: facts.company_ref,
    missing,
    sortName: sortNameOf(name),
    document: document.toString(),
    words: document.words,
    terms: companyTerms(facts),
    hit: JSON.stringify(companyHit(facts, missing)),
    names: JSON.stringify(names),
    sites: JSON.stringify(facts.domains.map(({ domain }) => domain)),
  }
}

function companyDocument(facts: CompanyFacts): SearchDocument {
  const document = new SearchDocument()
  for (const name of [facts.company_name, facts.legal_entity]) if (name !== null) document.addName(name, 'A')
  document.addNames(facts.brands, 'B')
  document.addNames(facts.aliases, 'C')
  // A whole domain is found by the Company's relations, not in the document.
  for (const { domain } of facts.domains) {
    const { words, joined } = foldDomain(domain)
    document.addWords([joined, ...words], 'D')
  }
  return document
}

const joinedOf = (name: string) => foldName(name).joined

/**
 * Orders domains: first the domains that contain one of the Company's names, then in the order of the
 * facts.
 */
function shownDomains({ company_name, legal_entity, brands, aliases, domains }: CompanyFacts): ShownDomain[] {
  const names = [company_name, ...brands, legal_entity, ...aliases].filter(name => name !== null)
  const keys = new Map([...names].reverse().map((name, index) => [joinedOf(name), names.length - index]))
  const place = ({ domain }: ShownDomain) => keys.get(foldDomain(domain).joined) ?? names.length + 1
  return domains.toSorted((one, other) => place(one) - place(other)).slice(0, domainsShownMax)
}

const sorted = (...lists: readonly (readonly string[])[]) => [...new Set(lists.flat())].sort()

const geosOf = ({ geo_hints, observed_geos, inferred_geos }: CompanyFacts) =>
  sorted(geo_hints, observed_geos, inferred_geos)
const jurisdictionsOf = ({ license_jurisdictions, markets }: CompanyFacts) =>
  sorted(license_jurisdictions, markets)
const hasPlatform = ({ platform_count }: CompanyFacts) => platform_count > 0
const hasProgram = (facts: CompanyFacts) => facts.affiliate_program || facts.affiliate_observed

function companyTerms(facts: CompanyFacts): Term[] {
  const values: Record<string, readonly string[]> = {
    role: sorted(facts.role),
    jurisdiction: jurisdictionsOf(facts),
    license_status: facts.license_statuses,
    payment_category: facts.payment_categories,
    payment_method: facts.payment_methods,
    supplier_brand: facts.supplier_brands,
    platform: facts.platforms,
    has_platform: [String(hasPlatform(facts))],
    affiliate_program: [String(hasProgram(facts))],
    geo: geosOf(facts),
    group: facts.groups.map(({ name }) => name),
  }
  return Object.entries(values).flatMap(([field, list]) => termsOf('company', field, list))
}

function knownOf(facts: CompanyFacts) {
  return {
    companyName: facts.company_name,
    legalEntity: facts.legal_entity,
    country: facts.country,
    roles: facts.role,
    brands: facts.brands.length,
    domains: facts.domain_count,
    licenses: facts.license_count,
    paymentMethods: facts.payment_methods.length,
    supplierBrands: facts.supplier_brands.length,
    platforms: facts.platform_count,
    geoHints: geosOf(facts).length,
    observed: facts.last_observed_at !== null,
    firmographicsAvailable: facts.firmographics_available,
    contactsAvailable: facts.contacts_available,
  }
}

/** Writes the row of a Company (§2.6) without the members that depend on the query. */
function companyHit(facts: CompanyFacts, missing: number) {
  const domains = shownDomains(facts)
  return {
    company_ref: facts.company_ref,
    company_name: facts.company_name,
    legal_entity: facts.legal_entity,
    subject_kind: facts.subject_kind,
    role: facts.role,
    primary_domain: domains[0] ?? null,
    domains_sample: domains,
    domain_count: facts.domain_count,
    jurisdictions: jurisdictionsOf(facts),
    license_statuses: facts.license_statuses,
    license_count: facts.license_count,
    payment_categories: facts.payment_categories,
    payment_method_count: facts.payment_methods.length,
    supplier_brand_count: facts.supplier_brands.length,
    platform_present: hasPlatform(facts),
    affiliate_program_present: hasProgram(facts),
    geo_hints: geosOf(facts),
    data_completeness: (completenessMax - missing) / completenessMax,
    last_observed_at: facts.last_observed_at?.toISOString() ?? null,
    last_updated_at: facts.last_updated_at.toISOString(),
    firmographics_available: facts.firmographics_available,
    contacts_available: facts.contacts_available,
  }
}
