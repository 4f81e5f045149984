/** What one page of a site says of it, by section. */
import { readClaims } from '../claims/read-claims.ts'
import { readAffiliatePrograms } from './affiliate-programs.ts'
import { readContacts } from './contacts.ts'
import { readFirmographics } from './firmographics.ts'
import { readGeo } from './geo.ts'
import { readLogos } from './logos.ts'
import type { MatchedPage, PageFinding } from './matched-page.ts'
import { readRelatedDomains } from './related-domains.ts'
import { readRuledSections } from './ruled-sections.ts'

export function pageFindings(matched: MatchedPage): PageFinding[] {
  const claims = readClaims(matched.page, { ...matched, capture: 0 }).map(
    ({ capture: _, ...finding }) => finding,
  )
  const companies = claims.map(({ value }) => String(value.claimed_name))
  return [
    ...readRuledSections(matched.matches),
    ...readAffiliatePrograms(matched),
    ...readGeo(matched.page),
    ...readRelatedDomains(matched),
    ...readLogos(matched.page),
    ...readContacts(matched, companies),
    ...readFirmographics(matched, claims),
    ...claims,
  ]
}
