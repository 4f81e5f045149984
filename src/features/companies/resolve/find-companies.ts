import { Failure } from '../../../core/failure.ts'
import type { World } from '../../../database/open.ts'
import { findLicensesOfNumber } from '../../licenses/index.ts'
import {
  type FoundCompany,
  findCompaniesByDomain,
  findCompaniesByLegalEntity,
  findCompaniesByName,
  findCompanyByRef,
} from './find-companies-store.ts'

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
export type InputKind = (typeof inputKinds)[number]

export type Found = {
  resolvedBy: InputKind
  companies: FoundCompany[]
  /** Whether the ref that was sent is that of a Company merged into the one that answers. */
  isMergedRef: boolean
  /** The inputs that resolved nothing, with what was sent. */
  ignored: Partial<Record<keyof Lookup, string>>
}

const finders: Record<
  NaturalInput,
  (world: World, value: string, lookup: Lookup) => Promise<FoundCompany[]>
> = {
  license_number: (world, number, { jurisdiction }) => findHolders(world, number, jurisdiction),
  domain: findCompaniesByDomain,
  legal_entity: findCompaniesByLegalEntity,
  name: findCompaniesByName,
}

/**
 * The Companies that the input leads to, at least one. A company_ref is exclusive. Of natural identifiers the first alone
 * resolves, and if it finds nothing, no other is tried: an answer for something else than what was trusted most would be a
 * wrong one. The others are ignored unless they lead elsewhere, which nobody can have meant: 409.
 */
export async function findCompanies(world: World, lookup: Lookup): Promise<Found> {
  const { company_ref: ref, license_number, jurisdiction, domain, legal_entity, name } = lookup
  const others = { license_number, jurisdiction, domain, legal_entity, name }
  if (ref !== undefined) {
    const company = await findCompanyByRef(world, ref)
    if (company === undefined) throw notFound('company_ref')
    const { is_merged: isMergedRef, ...found } = company
    return { resolvedBy: 'company_ref', companies: [found], isMergedRef, ignored: withoutAbsent(others) }
  }
  const [resolvedBy, ...lower] = naturalInputs.filter(input => lookup[input] !== undefined)
  if (resolvedBy === undefined) {
    throw new Failure('missing_parameter', {
      message: `Send one of ${inputKinds.map(kind => `"${kind}"`).join(', ')}.`,
      details: { parameter: 'company_ref', takes: 'a company_ref, or one other identifier of a Company' },
    })
  }
  const find = (input: NaturalInput) => finders[input](world, lookup[input] as string, lookup)
  const companies = await find(resolvedBy)
  if (companies.length === 0) throw notFound(resolvedBy)
  await requireAgreement(resolvedBy, companies, lower, find)
  const used = resolvedBy === 'license_number' ? { jurisdiction: undefined } : {}
  return {
    resolvedBy,
    companies,
    isMergedRef: false,
    ignored: withoutAbsent({ ...others, ...used, [resolvedBy]: undefined }),
  }
}

/** Each lower input leads to one of the Companies found, or to nothing. */
async function requireAgreement(
  resolvedBy: InputKind,
  companies: readonly FoundCompany[],
  lower: readonly NaturalInput[],
  find: (input: NaturalInput) => Promise<FoundCompany[]>,
): Promise<void> {
  const ids = new Set(companies.map(company => company.company_id))
  const conflicting: NaturalInput[] = []
  for (const input of lower) {
    const led = await find(input)
    if (led.length > 0 && !led.some(company => ids.has(company.company_id))) conflicting.push(input)
  }
  if (conflicting.length === 0) return
  const named = conflicting.map(input => `"${input}"`).join(' and ')
  throw new Failure('conflicting_lookup_input', {
    message: `"${resolvedBy}" and ${named} lead to different Companies.`,
    details: { resolved_by: resolvedBy, conflicting_inputs: conflicting },
  })
}

/** Who holds a license of this number. */
async function findHolders(
  world: World,
  number: string,
  jurisdiction: string | undefined,
): Promise<FoundCompany[]> {
  const licenses = await findLicensesOfNumber(world, number, jurisdiction ?? null)
  const holders = new Set(licenses.map(license => license.company_id).filter(id => id !== null))
  return [...holders].map(company_id => ({ company_id, matched_as: [] }))
}

function notFound(input: InputKind): Failure {
  return new Failure('not_found', { message: `No Company matches the "${input}" that was sent.` })
}

function withoutAbsent(inputs: Lookup): Found['ignored'] {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined))
}
