import { Failure } from '../../../core/failure.ts'
import type { World } from '../../../database/open.ts'
import { previewLicenses, requireOneJurisdiction } from '../../licenses/index.ts'
import type { Context } from '../../operation.ts'
import { type Missed, notFoundExactly } from '../../search/index.ts'
import { previewCompanies } from '../search/preview-companies.ts'
import { findByFoldedLegalName, findByFoldedName } from './folded-names-store.ts'
import { type Resolution, readCandidates, resolutionKey, resolutions } from './resolutions-store.ts'

export type Lookup = {
  company_ref?: string | undefined
  license_number?: string | undefined
  jurisdiction?: string | undefined
  domain?: string | undefined
  legal_entity?: string | undefined
  name?: string | undefined
}

/** The order of identifiers (§4.6 rule 1): the first one in the request is resolved. */
const naturalInputs = ['license_number', 'domain', 'legal_entity', 'name'] as const
type NaturalInput = (typeof naturalInputs)[number]
const namesakesMax = 10
export const inputKinds = ['company_ref', ...naturalInputs] as const
type InputKind = (typeof inputKinds)[number]

export const matchBases = ['exact', 'folded_name'] as const
type MatchBasis = (typeof matchBases)[number]

export type FoundCompanies = {
  resolvedBy: InputKind
  ids: number[]
  firstRef: string | null
  profiles: string[]
  isMergedRef: boolean
  isShared: boolean
  /** How a name matched; null for other identifiers. */
  matchBasis: MatchBasis | null
  ignored: Partial<Record<keyof Lookup, string>>
}

/**
 * Finds Companies by one identifier. A company_ref is used alone. Otherwise only the first identifier is
 * resolved, because later ones are less trusted. A later one that finds a different Company fails with 409.
 */
export async function findCompanies(context: Context, lookup: Lookup): Promise<FoundCompanies> {
  const { world } = context
  const { company_ref: ref, license_number, jurisdiction, domain, legal_entity, name } = lookup
  const others = { license_number, jurisdiction, domain, legal_entity, name }
  if (ref !== undefined) {
    const resolution = await resolveInput(world, 'profiles', 'company_ref', lookup)
    if (!isFound(resolution)) throw await notFound(context, 'company_ref', lookup)
    return foundCompanies('company_ref', resolution, others)
  }
  const [resolvedBy, ...lower] = naturalInputs.filter(input => lookup[input] !== undefined)
  if (resolvedBy === undefined) {
    throw new Failure('missing_parameter', {
      message: `Send one of ${inputKinds.map(kind => `"${kind}"`).join(', ')}.`,
      details: { parameter: 'company_ref', takes: 'a company_ref, or one other identifier of a Company' },
    })
  }
  const resolution = await resolveInput(world, 'profiles', resolvedBy, lookup)
  if (!isFound(resolution)) throw await notFound(context, resolvedBy, lookup)
  const used = resolvedBy === 'license_number' ? { jurisdiction: undefined } : {}
  const answer = foundCompanies(resolvedBy, resolution, { ...others, ...used, [resolvedBy]: undefined })
  await requireAgreement(answer, lower, input => resolveInput(world, 'ids', input, lookup))
  return answer
}

/** Returns the Companies that share a name, which are free to see; none if it is that of one Company. */
export async function findNamesakes(world: World, name: string) {
  const ids = (await resolveInput(world, 'ids', 'name', { name }))?.ids ?? []
  return ids.length < 2 ? [] : readCandidates(world, ids, namesakesMax)
}

async function resolveInput(
  world: World,
  output: 'profiles' | 'ids',
  input: InputKind,
  lookup: Lookup,
): Promise<InputResolution | undefined> {
  const value = lookup[input] as string
  const resolution = await world.readByKey(
    resolutions,
    resolutionKey(output, input, value, lookup.jurisdiction),
  )
  requireOneJurisdiction(resolution?.jurisdictions ?? null)
  const findFolded = foldedLookups[input]
  if (findFolded === undefined) return resolution && { ...resolution, matchBasis: null }
  if (isFound(resolution)) return { ...resolution, matchBasis: 'exact' }
  const ids = await findFolded(world, value)
  if (ids.length === 0) return undefined
  const folded = await world.readByKey(resolutions, resolutionKey(output, 'ids', ids.join(',')))
  return folded && { ...folded, matchBasis: 'folded_name' }
}

/** These look up a name by its linking key when no name is exactly the same. */
const foldedLookups: Partial<Record<InputKind, typeof findByFoldedName>> = {
  legal_entity: findByFoldedLegalName,
  name: findByFoldedName,
}

type InputResolution = Resolution & { matchBasis: MatchBasis | null }
type Found = InputResolution & { ids: number[] }

const isFound = <Resolved extends Resolution>(
  resolution: Resolved | undefined,
): resolution is Resolved & { ids: number[] } => Boolean(resolution?.ids)

function foundCompanies(resolvedBy: InputKind, resolution: Found, others: Lookup): FoundCompanies {
  return {
    resolvedBy,
    ids: resolution.ids,
    firstRef: resolution.first_ref,
    profiles: resolution.profiles?.split('\n') ?? [],
    isMergedRef: resolution.is_merged,
    isShared: resolution.is_shared,
    matchBasis: resolution.matchBasis,
    ignored: withoutAbsent(others),
  }
}

async function requireAgreement(
  { resolvedBy, ids }: FoundCompanies,
  lower: readonly NaturalInput[],
  lookUp: (input: NaturalInput) => Promise<Resolution | undefined>,
): Promise<void> {
  if (lower.length === 0) return
  const agreed = new Set(ids)
  const conflicting: NaturalInput[] = []
  for (const input of lower) {
    const matches = (await lookUp(input))?.ids ?? []
    if (matches.length > 0 && !matches.some(id => agreed.has(id))) conflicting.push(input)
  }
  if (conflicting.length === 0) return
  const named = conflicting.map(input => `"${input}"`).join(' and ')
  throw new Failure('conflicting_lookup_input', {
    message: `"${resolvedBy}" and ${named} lead to different Companies.`,
    details: { resolved_by: resolvedBy, conflicting_inputs: conflicting },
  })
}

const problems: Record<InputKind, string> = {
  company_ref: 'There is no Company',
  license_number: 'No Company is known to hold the license number',
  domain: 'No Company is known for the domain',
  legal_entity: 'No Company has exactly the legal name',
  name: 'No Company has exactly the name',
}

function notFound(context: Context, input: InputKind, lookup: Lookup): Promise<Failure> {
  const value = lookup[input] as string
  const { jurisdiction } = lookup
  const searches: Partial<Record<InputKind, Pick<Missed, 'preview' | 'filters'>>> = {
    license_number: { preview: previewLicenses, filters: { q: value, jurisdiction } },
    legal_entity: { preview: previewCompanies, filters: { q: value } },
    name: { preview: previewCompanies, filters: { q: value } },
  }
  return notFoundExactly(context, { problem: problems[input], value, ...searches[input] })
}

function withoutAbsent(inputs: Lookup): FoundCompanies['ignored'] {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined))
}
