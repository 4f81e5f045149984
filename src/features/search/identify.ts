import { type FoldedName, foldName } from '../../core/search-text.ts'
import type { World } from '../../database/open.ts'
import type { SearchQuery } from './contract.ts'
import { readVersion } from './dictionary.ts'
import {
  findCompaniesNamed,
  findCompaniesOfDomain,
  type NamedCompany,
  type NameQueries,
} from './identify-store.ts'
import { compileText, domainOf, namesWithJoinedForm, type TextQuery, tiers } from './text/text-query.ts'
import { VersionCache } from './version-cache.ts'

export type IdentifiedCompany = {
  companyId: number
  companyRef: string
  type: 'company_name' | 'legal_entity' | 'brand' | 'alias' | 'domain'
  /** The matched name in the Company's spelling, or the domain. */
  name: string
  aliases: string[]
  officialDomain: string | null
  companyName: string | null
  legalEntity: string | null
}

/**
 * By text, else by domain; a text that is a domain first means that site, as in license search. Ignores case,
 * accents, blanks and a missing legal form. null: none or several.
 */
export async function identify(
  world: World,
  { text, domain }: SearchQuery,
  at: number | 'now' = 'now',
): Promise<IdentifiedCompany | null> {
  const key = keyOf(text, domain)
  const version = at === 'now' ? await readVersion(world) : at
  const cached = identities.get(world, key, version)
  if (cached !== undefined) return cached
  return identities.set(world, key, version, await findCompany(world, text, domain))
}

const keyOf = (text: string | undefined, domain: string | undefined) =>
  JSON.stringify([text ?? null, domain ?? null])

/** Names that a page should look up for `identify`; null: cached, or names alone cannot decide. */
export function namesToLookUp(
  world: World,
  { text, domain }: SearchQuery,
  compiled: TextQuery,
  version: number,
): NameQueries | null {
  if (text === undefined || compiled.marks.domain !== null) return null
  return identities.get(world, keyOf(text, domain), version) === undefined ? namesOf(compiled) : null
}

export function cacheIdentity(
  world: World,
  { text = '', domain }: SearchQuery,
  named: readonly NamedCompany[],
  version: number,
): void {
  identities.set(world, keyOf(text, domain), version, pickCompany(text, named))
}

/** The version is read first, so an entry may be newer than its version, never older. */
const identities = new VersionCache<IdentifiedCompany | null>(2_000)

async function findCompany(
  world: World,
  text: string | undefined,
  domain: string | undefined,
): Promise<IdentifiedCompany | null> {
  if (text === undefined) return domain === undefined ? null : findByDomain(world, domain)
  const textDomain = domainOf(text)
  const ofSite = textDomain === null ? null : await findByDomain(world, textDomain)
  return ofSite ?? findByName(world, text)
}

/** Of several Companies the one of the verdict, as domain resolve shows it. */
async function findByDomain(world: World, domain: string): Promise<IdentifiedCompany | null> {
  const [company, other] = await findCompaniesOfDomain(world, domain)
  const isOne = company !== undefined && (company.is_exact || other === undefined)
  return isOne ? identified(company, 'domain', domain) : null
}

async function findByName(world: World, text: string): Promise<IdentifiedCompany | null> {
  const compiled = compileText('company', text)
  const names = compiled === null ? null : namesOf(compiled)
  return names === null ? null : pickCompany(text, await findCompaniesNamed(world, names))
}

function namesOf(compiled: TextQuery): NameQueries | null {
  const [exact, nearly] = [tiers.name, tiers.nearlyName].map(
    tier => compiled.tiers.find(candidate => candidate.tier === tier)?.query,
  )
  return exact === undefined || nearly === undefined ? null : { exact, nearly }
}

function pickCompany(text: string, [company, other]: readonly NamedCompany[]): IdentifiedCompany | null {
  if (company === undefined) return null
  if (other !== undefined && other.is_exact === company.is_exact) return null
  const folded = foldName(text)
  const isName = company.is_exact ? (name: string) => foldName(name).key === folded.key : isNearly(folded)
  for (const { type, names } of namesByType(company)) {
    const name = names.find(isName)
    if (name !== undefined) return identified(company, type, name)
  }
  return null
}

function isNearly(folded: FoldedName): (name: string) => boolean {
  const glued = namesWithJoinedForm(folded)
  return name => {
    const { joined, form } = foldName(name)
    return joined === folded.joined || glued.some(each => each.joined === joined && each.form === form)
  }
}

function namesByType({ company_name, legal_entity, brands, aliases }: NamedCompany) {
  return [
    { type: 'company_name', names: company_name === null ? [] : [company_name] },
    { type: 'legal_entity', names: legal_entity === null ? [] : [legal_entity] },
    { type: 'brand', names: brands },
    { type: 'alias', names: aliases },
  ] as const
}

function identified(company: NamedCompany, type: IdentifiedCompany['type'], name: string): IdentifiedCompany {
  return {
    companyId: company.id,
    companyRef: company.company_ref,
    type,
    name,
    aliases: company.aliases,
    officialDomain: company.official_domain,
    companyName: company.company_name,
    legalEntity: company.legal_entity,
  }
}
