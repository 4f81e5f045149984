import { Failure } from '../../../core/failure.ts'
import type { World } from '../../../database/open.ts'
import { requireOneJurisdiction } from '../../licenses/index.ts'
import { type Resolution, resolutionKey, resolutions } from './resolutions-store.ts'

export type Lookup = {
  company_ref?: string | undefined
  license_number?: string | undefined
  jurisdiction?: string | undefined
  domain?: string | undefined
  legal_entity?: string | undefined
  name?: string | undefined
}

/** §4.6 rule 1: the first one sent is resolved. */
const naturalInputs = ['license_number', 'domain', 'legal_entity', 'name'] as const
type NaturalInput = (typeof naturalInputs)[number]
export const inputKinds = ['company_ref', ...naturalInputs] as const
type InputKind = (typeof inputKinds)[number]

export type FoundCompanies = {
  resolvedBy: InputKind
  ids: number[]
  firstRef: string | null
  profiles: string[]
  isMergedRef: boolean
  ignored: Partial<Record<keyof Lookup, string>>
}

/**
 * A company_ref is exclusive. Otherwise only the first identifier is resolved, because a less trusted one
 * could be wrong. The others are ignored, or fail with 409 if they find a different Company.
 */
export async function findCompanies(world: World, lookup: Lookup): Promise<FoundCompanies> {
  const { company_ref: ref, license_number, jurisdiction, domain, legal_entity, name } = lookup
  const others = { license_number, jurisdiction, domain, legal_entity, name }
  if (ref !== undefined)
    return foundCompanies('company_ref', await resolve(world, 'profiles', 'company_ref', lookup), others)
  const [resolvedBy, ...lower] = naturalInputs.filter(input => lookup[input] !== undefined)
  if (resolvedBy === undefined) {
    throw new Failure('missing_parameter', {
      message: `Send one of ${inputKinds.map(kind => `"${kind}"`).join(', ')}.`,
      details: { parameter: 'company_ref', takes: 'a company_ref, or one other identifier of a Company' },
    })
  }
  const resolution = await resolve(world, 'profiles', resolvedBy, lookup)
  const used = resolvedBy === 'license_number' ? { jurisdiction: undefined } : {}
  const answer = foundCompanies(resolvedBy, resolution, { ...others, ...used, [resolvedBy]: undefined })
  await requireAgreement(answer, lower, input => resolve(world, 'ids', input, lookup))
  return answer
}

async function resolve(
  world: World,
  output: 'profiles' | 'ids',
  input: InputKind,
  lookup: Lookup,
): Promise<Resolution | undefined> {
  const resolution = await world.readByKey(
    resolutions,
    resolutionKey(output, input, lookup[input] as string, lookup.jurisdiction),
  )
  requireOneJurisdiction(resolution?.jurisdictions ?? null)
  return resolution
}

function foundCompanies(
  resolvedBy: InputKind,
  resolution: Resolution | undefined,
  others: Lookup,
): FoundCompanies {
  if (!resolution?.ids) throw notFound(resolvedBy)
  return {
    resolvedBy,
    ids: resolution.ids,
    firstRef: resolution.first_ref,
    profiles: resolution.profiles?.split('\n') ?? [],
    isMergedRef: resolution.is_merged,
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

function notFound(input: InputKind): Failure {
  return new Failure('not_found', { message: `No Company matches "${input}".` })
}

function withoutAbsent(inputs: Lookup): FoundCompanies['ignored'] {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined))
}
