import { dataCompleteness } from '../../search/index.ts'
import type { CompanyProfile } from './company-profile.ts'
import type { ProfileRow } from './profile-store.ts'

/** A profile as it is sent: what is internal stays behind, and what follows from the rest is added. */
export function tellCompany(
  row: ProfileRow,
  matchedAs: readonly string[],
  firmographics: CompanyProfile['firmographics'],
): CompanyProfile {
  const {
    id: _,
    domains,
    observed_geo_hints: observed,
    last_observed_at,
    last_updated_at,
    firmographics_available: firmographicsAvailable,
    contacts_available: contactsAvailable,
    ...stored
  } = row
  const inferred = domains.map(domain => domain.inferred_geo).filter(geo => geo !== null)
  const geoHints = [...new Set([...row.geo_hints, ...observed, ...inferred])].sort()
  return {
    ...stored,
    matched_as: matchedAs as CompanyProfile['matched_as'],
    domains: domains.map(({ id: _, ...entry }) => entry),
    geo_hints: geoHints,
    data_completeness: dataCompleteness({
      companyName: row.company_name,
      legalEntity: row.legal_entity,
      country: row.country,
      roles: row.role,
      brands: row.brands.length,
      domains: domains.length,
      licenses: row.licenses.length,
      paymentMethods: row.payment_methods.length,
      supplierBrands: row.supplier_brands.length,
      platforms: row.platform_brands.length,
      geoHints: geoHints.length,
      observed: last_observed_at !== null,
      firmographicsAvailable,
      contactsAvailable,
    }),
    last_observed_at: last_observed_at?.toISOString() ?? null,
    last_updated_at: last_updated_at.toISOString(),
    ...(firmographics === undefined ? {} : { firmographics }),
  }
}
