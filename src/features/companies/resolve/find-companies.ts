import { Failure } from '../../../core/failure.ts'
import type { World } from '../../../database/open.ts'
import { requireOneJurisdiction } from '../../licenses/index.ts'
import { type Resolution, resolutionKey, resolutions } from './resolutions-store.ts'

/** What may name a Company. `jurisdiction` says where the license number is used. */
export type Lookup = {
  company_ref?: string | undefined
  license_number?: string | undefined
  jurisdiction?: string | undefined
  domain?: string | undefined
  legal_entity?: string | undefined
  name?: string | undefined
}

/** §4.6 rule 1: of several the first resolves. */
const naturalInputs = ['license_number', 'domain', 'legal_entity', 'name'] as const
type NaturalInput = (typeof naturalInputs)[number]
export const inputKinds = ['company_ref', ...naturalInputs] as const
type InputKind = (typeof inputKinds)[number]

export type FoundCompanies = {
  resolvedBy: InputKind
  /** The Companies, at least one, in the order in which they are told. */
  ids: number[]
  firstRef: string | null
  /** Their profiles as JSON text, in that order; none where several Companies bear a name. */
  profiles: string[]
  /** Whether the ref that was sent is that of a Company merged into the one that answers. */
  isMergedRef: boolean
  /** The inputs that resolved nothing, with what was sent. */
  ignored: Partial<Record<keyof Lookup, string>>
}

/**
 * The Companies that the input leads to, at least one. A company_ref is exclusive. Of natural identifiers the first alone
 * resolves, and if it finds nothing, no other is tried: an answer for something else than what was trusted most would be a
 * wrong one. The others are ignored unless they lead elsewhere, which nobody can have meant: 409.
 */
export async function findCompanies(world: World, lookup: Lookup): Promise<FoundCompanies> {
  const { company_ref: ref, license_number, jurisdiction, domain, legal_entity, name } = lookup
  const others = { license_number, jurisdiction, domain, legal_entity, name }
  if (ref !== undefined)
    return found('company_ref', await resolve(world, 'profiles', 'company_ref', lookup), others)
  const [resolvedBy, ...lower] = naturalInputs.filter(input => lookup[input] !== undefined)
  if (resolvedBy === undefined) {
    throw new Failure('missing_parameter', {
      message: `Send one of ${inputKinds.map(kind => `"${kind}"`).join(', ')}.`,
      details: { parameter: 'company_ref', takes: 'a company_ref, or one other identifier of a Company' },
    })
  }
  const resolution = await resolve(world, 'profiles', resolvedBy, lookup)
  const used = resolvedBy === 'license_number' ? { jurisdiction: undefined } : {}
  const answer = found(resolvedBy, resolution, { ...others, ...used, [resolvedBy]: undefined })
  await requireAgreement(answer, lower, input => resolve(world, 'ids', input, lookup))
  return answer
}

async function resolve(
  world: World,
  wanted: 'profiles' | 'ids',
  input: InputKind,
  lookup: Lookup,
): Promise<Resolution | undefined> {
  const resolution = await world.readByKey(
    resolutions,
    resolutionKey(wanted, input, lookup[input] as string, lookup.jurisdiction),
  )
  requireOneJurisdiction(resolution?.jurisdictions ?? null)
  return resolution
}

function found(resolvedBy: InputKind, resolution: Resolution | undefined, others: Lookup): FoundCompanies {
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

/** Each lower input leads to one of the Companies found, or to nothing. */
async function requireAgreement(
  { resolvedBy, ids }: FoundCompanies,
  lower: readonly NaturalInput[],
  look: (input: NaturalInput) => Promise<Resolution | undefined>,
): Promise<void> {
  if (lower.length === 0) return
  const agreed = new Set(ids)
  const conflicting: NaturalInput[] = []
  for (const input of lower) {
    const led = (await look(input))?.ids ?? []
    if (led.length > 0 && !led.some(id => agreed.has(id))) conflicting.push(input)
  }
  if (conflicting.length === 0) return
  const named = conflicting.map(input => `"${input}"`).join(' and ')
  throw new Failure('conflicting_lookup_input', {
    message: `"${resolvedBy}" and ${named} lead to different Companies.`,
    details: { resolved_by: resolvedBy, conflicting_inputs: conflicting },
  })
}

function notFound(input: InputKind): Failure {
  return new Failure('not_found', { message: `No Company matches the "${input}" that was sent.` })
}

function withoutAbsent(inputs: Lookup): FoundCompanies['ignored'] {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined))
}
