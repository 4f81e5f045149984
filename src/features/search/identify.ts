import { type FoldedName, foldName } from '../../core/search-text.ts'
import type { World } from '../../database/open.ts'
import type { SearchQuery } from './contract.ts'
import { readVersion } from './dictionary.ts'
import {
  findCompaniesCalled,
  findCompaniesOfDomain,
  type NamedCompany,
  type NamesAsked,
} from './identify-store.ts'
import { compileText, domainOf, gluedNames, type TextQuery, tiers } from './text/text-query.ts'
import { VersionCache } from './version-cache.ts'

export type Identified = {
  companyId: number
  companyRef: string
  /** What names it. */
  type: 'company_name' | 'legal_entity' | 'brand' | 'alias' | 'domain'
  /** The name as the Company bears it, or the domain. */
  name: string
  aliases: string[]
  officialDomain: string | null
  companyName: string | null
  legalEntity: string | null
}

/**
 * The one Company that the text names exactly, or, without a text, the domain: by a name of its own, with case, accents, blanks
 * and a legal form left out forgiven. A Company that is spelt so goes before those that are nearly. null: it is nobody, or
 * more than one.
 */
export async function identify(
  world: World,
  { text, domain }: SearchQuery,
  at: number | 'now' = 'now',
): Promise<Identified | null> {
  const key = keyOf(text, domain)
  const version = at === 'now' ? await readVersion(world) : at
  const known = identities.recall(world, key, version)
  if (known !== undefined) return known
  return identities.keep(world, key, version, await lookFor(world, text, domain))
}

const keyOf = (text: string | undefined, domain: string | undefined) =>
  JSON.stringify([text ?? null, domain ?? null])

/**
 * What a page of Companies asks along with its rows, so that `identify` finds it known. null: it is known, or there is more to
 * ask than names.
 */
export function namesToIdentify(
  world: World,
  { text, domain }: SearchQuery,
  query: TextQuery,
  version: number,
): NamesAsked | null {
  if (text === undefined || query.marks.domain !== null) return null
  return identities.recall(world, keyOf(text, domain), version) === undefined ? namesOf(query) : null
}

/** What the page told of them, at the version that it is of. */
export function keepIdentity(
  world: World,
  { text = '', domain }: SearchQuery,
  called: readonly NamedCompany[],
  version: number,
): void {
  const named = tellCalled(text, called)
  identities.keep(world, keyOf(text, domain), version, named === 'nobody' ? null : named)
}

/** The version is read first: what is kept may be newer than it, never older. */
const identities = new VersionCache<Identified | null>(2_000)

async function lookFor(
  world: World,
  text: string | undefined,
  domain: string | undefined,
): Promise<Identified | null> {
  if (text === undefined) return domain === undefined ? null : identifyDomain(world, domain)
  const named = await identifyName(world, text)
  if (named !== 'nobody') return named
  const textDomain = domainOf(text)
  return textDomain === null ? null : identifyDomain(world, textDomain)
}

async function identifyDomain(world: World, domain: string): Promise<Identified | null> {
  const [company, other] = await findCompaniesOfDomain(world, domain)
  return company === undefined || other !== undefined ? null : told(company, 'domain', domain)
}

async function identifyName(world: World, text: string): Promise<Identified | null | 'nobody'> {
  const query = compileText('company', text)
  const asked = query === null ? null : namesOf(query)
  return asked === null ? 'nobody' : tellCalled(text, await findCompaniesCalled(world, asked))
}

/** null: it holds no whole names. */
function namesOf(query: TextQuery): NamesAsked | null {
  const [spelt, nearly] = [tiers.name, tiers.nearlyName].map(
    tier => query.tiers.find(asked => asked.tier === tier)?.query,
  )
  return spelt === undefined || nearly === undefined ? null : { spelt, nearly }
}

/** null: more than one is called so. */
function tellCalled(text: string, [company, other]: readonly NamedCompany[]): Identified | null | 'nobody' {
  if (company === undefined) return 'nobody'
  if (other !== undefined && other.is_spelt_so === company.is_spelt_so) return null
  const asked = foldName(text)
  const isSo = company.is_spelt_so ? (name: string) => foldName(name).key === asked.key : isNearly(asked)
  for (const { type, names } of namesBorne(company)) {
    const name = names.find(isSo)
    if (name !== undefined) return told(company, type, name)
  }
  return null
}

function isNearly(asked: FoldedName): (name: string) => boolean {
  const glued = gluedNames(asked)
  return name => {
    const { joined, form } = foldName(name)
    return joined === asked.joined || glued.some(each => each.joined === joined && each.form === form)
  }
}

function namesBorne({ company_name, legal_entity, brands, aliases }: NamedCompany) {
  return [
    { type: 'company_name', names: company_name === null ? [] : [company_name] },
    { type: 'legal_entity', names: legal_entity === null ? [] : [legal_entity] },
    { type: 'brand', names: brands },
    { type: 'alias', names: aliases },
  ] as const
}

function told(company: NamedCompany, type: Identified['type'], name: string): Identified {
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
