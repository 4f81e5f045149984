/** Finds companies that a page's JSON-LD names as the legal person of its own site. */
import { readDomain } from '@baize/names'
import { snippetCharactersMax } from '../finding.ts'
import type { PageFields } from '../page/page-fields.ts'
import { findCompanyNames } from './company-names.ts'

const organisations = new Set([
  'organization',
  'corporation',
  'onlinebusiness',
  'onlinestore',
  'localbusiness',
  'casino',
  'onlinecasino',
])
const addressMembers = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry']
const addressCharactersMax = 200

type Json = Record<string, unknown>

/**
 * Returns organisations whose `url` or `@id` is on the domain, because pages also describe game studios and
 * payment services.
 */
export function namedOwners(page: PageFields, domain: string) {
  return page.jsonLd.flatMap(object => {
    const { legalName } = object
    if (typeof legalName !== 'string' || !isOrganisation(object) || !isOf(object, page, domain)) return []
    const [company] = findCompanyNames(legalName)
    if (company === undefined) return []
    const claim = {
      claim_type: 'owner' as const,
      claimed_name: company.name,
      company_registration_number: null,
      license_number: null,
      registered_address: addressOf(object.address),
      market: null,
      evidence: () => `legalName: ${legalName}`.slice(0, snippetCharactersMax),
    }
    return [{ claim, rule: 'json_ld/legalName', strength: 2 as const }]
  })
}

export const isOrganisation = (object: Json): boolean =>
  [object['@type']].flat().some(type => typeof type === 'string' && organisations.has(type.toLowerCase()))

export function isOf(object: Json, page: PageFields, domain: string): boolean {
  const urls = [object.url, object['@id']].filter(url => typeof url === 'string' && url !== '')
  const domains = urls.map(url => readDomain(URL.parse(url as string, page.url)?.hostname ?? ''))
  return domains.length > 0 && domains.every(read => read.ok && read.domain === domain)
}

function addressOf(address: unknown): string | null {
  if (typeof address === 'string') return address.slice(0, addressCharactersMax) || null
  if (typeof address !== 'object' || address === null) return null
  const parts = addressMembers.map(member => {
    const part = (address as Json)[member]
    return typeof part === 'object' && part !== null ? (part as Json).name : part
  })
  const texts = parts.filter(part => typeof part === 'string' && part.trim() !== '')
  return texts.join(', ').slice(0, addressCharactersMax) || null
}
