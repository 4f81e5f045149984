/** Reads the findings of one page about its site, by section. */
import { readClaims } from '../claims/read-claims.ts'
import type { Finding, SectionFinding } from '../finding.ts'
import { readAffiliatePrograms } from './affiliate-programs.ts'
import { readContacts } from './contacts.ts'
import { readFirmographicsSection } from './firmographics.ts'
import { readGeo } from './geo.ts'
import { readLogos } from './logos.ts'
import type { ClaimedPage, MatchedPage } from './matched-page.ts'
import { readRelatedDomains } from './related-domains.ts'
import { valuesOfRules } from './rule-values.ts'

/** A finding. If `isMention` is true, it counts only on a site that offers gambling. */
export type PageFinding = Omit<Finding, 'capture'> & { isMention: boolean }

type PageSection = {
  read(page: ClaimedPage): SectionFinding[]
  /** Is true for values that a newspaper or a comparison of casinos names, too. They are mentions. */
  isNamedByOthers?: true
}

const pageSections: Record<string, PageSection> = {
  payment_methods: {
    read: valuesOfRules('payment-methods', { key: 'normalized_name' }),
    isNamedByOthers: true,
  },
  supplier_brands: {
    read: valuesOfRules('suppliers', { key: 'normalized_provider_name' }),
    isNamedByOthers: true,
  },
  // The minimum of 2 excludes platforms that a page only names and does not use.
  platform: { read: valuesOfRules('platforms', { key: 'platform', strengthMin: 2 }) },
  affiliate_programs: { read: readAffiliatePrograms, isNamedByOthers: true },
  geo: { read: readGeo },
  related_domains: { read: readRelatedDomains },
  logo: { read: readLogos },
  public_contacts: { read: readContacts },
  firmographics: { read: readFirmographicsSection },
  legal_claims: { read: ({ claims }) => [...claims] },
}

export function pageFindings(matched: MatchedPage): PageFinding[] {
  const page = { ...matched, claims: readClaims(matched.page, matched) }
  return Object.entries(pageSections).flatMap(([section, { read, isNamedByOthers }]) =>
    read(page).map(({ isOfGames, ...finding }) => ({
      ...finding,
      section,
      isMention: isNamedByOthers === true && finding.strength === 1 && isOfGames !== true,
    })),
  )
}
