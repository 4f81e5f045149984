import { readingsOfName } from '@baize/names'
import type { World } from '../../database/open.ts'
import type { SearchQuery } from './contract.ts'
import { readDictionaryVersion } from './dictionary.ts'
import {
  findCompaniesNamed,
  findCompaniesOfDomain,
  type NamedCompany,
  type NameQueries,
} from './identify-store.ts'
import { VersionCache } from './result-cache.ts'
import {
  compileText,
  domainInText,
  readTypedName,
  type TextQuery,
  type TypedName,
  tiers,
} from './text/text-query.ts'

export type IdentifiedCompany = Pick<
  NamedCompany,
  'company_ref' | 'company_name' | 'legal_entity' | 'aliases' | 'official_domain'
> & {
  companyId: number
  type: 'company_name' | 'legal_entity' | 'brand' | 'alias' | 'domain'
  /** The matched name in the Company's spelling, or the matched domain. */
  name: string
}

/**
 * Finds the only Company that the text names, or else the only Company of the domain. A text that is a
 * domain is read as a domain first. Case, accents, blanks and a missing legal form are ignored. Returns
 * null if no Company or several Companies match.
 */
export async function identify(
  world: World,
  { text, domain }: SearchQuery,
  at: number | 'now' = 'now',
): Promise<IdentifiedCompany | null> {
  const key = identityKeyOf(text, domain)
  const version = at === 'now' ? await readDictionaryVersion(world) : at
  const cached = identities.get(world, key, version)
  if (cached !== undefined) return cached
  return identities.set(world, key, version, await findCompany(world, text, domain))
}

const identityKeyOf = (text: string | undefined, domain: string | undefined) =>
  JSON.stringify([text ?? null, domain ?? null])

/**
 * Returns the names that a page should look up for `identify`. Is null if the answer is cached, or names
 * alone cannot decide.
 */
export function namesToLookUp(
  world: World,
  { text, domain }: SearchQuery,
  compiled: TextQuery,
  version: number,
): NameQueries | null {
  if (text === undefined || compiled.marks.domain !== null) return null
  return identities.get(world, identityKeyOf(text, domain), version) === undefined
    ? nameQueriesOf(compiled)
    : null
}

export function cacheIdentity(
  world: World,
  { text = '', domain }: SearchQuery,
  named: readonly NamedCompany[],
  version: number,
): void {
  identities.set(world, identityKeyOf(text, domain), version, pickCompany(text, named))
}

/**
 * Caches identities. The version is read first, so an entry may be newer than its version, but never older.
 */
const identities = new VersionCache<IdentifiedCompany | null>(2_000)

async function findCompany(
  world: World,
  text: string | undefined,
  domain: string | undefined,
): Promise<IdentifiedCompany | null> {
  if (text === undefined) return domain === undefined ? null : findByDomain(world, domain)
  const textDomain = domainInText(text)
  const ofSite = textDomain === null ? null : await findByDomain(world, textDomain)
  return ofSite ?? findByName(world, text)
}

/** Finds the Company of a domain. Of several Companies it is the one that the verdict shows. */
async function findByDomain(world: World, domain: string): Promise<IdentifiedCompany | null> {
  const [company, other] = await findCompaniesOfDomain(world, domain)
  const isOne = company !== undefined && (company.is_exact || other === undefined)
  return isOne ? identified(company, 'domain', domain) : null
}

async function findByName(world: World, text: string): Promise<IdentifiedCompany | null> {
  const compiled = compileText('company', text)
  const names = compiled === null ? null : nameQueriesOf(compiled)
  return names === null ? null : pickCompany(text, await findCompaniesNamed(world, names))
}

function nameQueriesOf(compiled: TextQuery): NameQueries | null {
  const [exact, nearly] = [tiers.name, tiers.nearlyName].map(
    tier => compiled.tiers.find(candidate => candidate.tier === tier)?.query,
  )
  return exact === undefined || nearly === undefined ? null : { exact, nearly }
}

function pickCompany(text: string, [company, other]: readonly NamedCompany[]): IdentifiedCompany | null {
  if (company === undefined) return null
  if (other !== undefined && other.is_exact === company.is_exact) return null
  const typed = readTypedName(text)
  const isName = company.is_exact ? isExactly(typed) : isNearly(typed)
  for (const { type, names } of namesByType(company)) {
    const name = names.find(isName)
    if (name !== undefined) return identified(company, type, name)
  }
  return null
}

const isExactly =
  ({ readings }: TypedName) =>
  (name: string) =>
    readingsOfName(name).some(({ key }) => readings.some(each => each.key === key))

const isNearly =
  ({ ofAnyForm, ofTheForm }: TypedName) =>
  (name: string) =>
    readingsOfName(name).some(
      ({ joined, form }) =>
        ofAnyForm.some(each => each.joined === joined) ||
        ofTheForm.some(each => each.joined === joined && each.form === form),
    )

function namesByType({ company_name, legal_entity, brands, aliases }: NamedCompany) {
  return [
    { type: 'company_name', names: company_name === null ? [] : [company_name] },
    { type: 'legal_entity', names: legal_entity === null ? [] : [legal_entity] },
    { type: 'brand', names: brands },
    { type: 'alias', names: aliases },
  ] as const
}

function identified(company: NamedCompany, type: IdentifiedCompany['type'], name: string): IdentifiedCompany {
  const { id, company_ref, company_name, legal_entity, aliases, official_domain } = company
  return { companyId: id, type, name, aliases, official_domain, company_ref, company_name, legal_entity }
}
