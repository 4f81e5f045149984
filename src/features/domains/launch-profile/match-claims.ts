import { foldedWords, legalNameKey, splitLegalForm } from '@baize/names'
import type { Database } from '../../../database/open.ts'
import {
  type AuthorisedLicensee,
  authorisedLicensees,
  holdersOfNumbers,
  type Licensee,
  type NumberHolder,
} from './licensees-store.ts'
import type { LaunchProfile } from './schema.ts'

type ClaimMatch = LaunchProfile['legal_claims'][number]['match']

/** The match of a claim with its reason `why`, which only staff see (§2.10). */
export type ExplainedMatch = ClaimMatch & { why: keyof typeof matchReasons }

export const matchReasons = {
  holder_of_number: 'a register has the number, in force, for a company of this name',
  number_of_another: 'a register has the number for another company',
  number_not_in_force: 'a register has the number for this company, and it is not in force',
  number_of_other_sites: 'the license of this number authorises other sites',
  licensee_of_site: 'a license authorises this site for a company of this name',
  nothing_known: 'no register has the number, and no licensee of this site has the name',
}

/** A legal claim as a check stored it. `market` is that of the license number. */
export type StoredClaim = {
  domainId: number
  name: string
  licenseNumber: string | null
  market: string | null
}

type Why = ExplainedMatch['why']

const unresolved: ExplainedMatch = {
  status: 'unresolved',
  matched_company_ref: null,
  matched_as: null,
  why: 'nothing_known',
}
const foundAt = (status: 'matched' | 'conflict', { company_ref }: Licensee, why: Why): ExplainedMatch => ({
  status,
  matched_company_ref: company_ref,
  matched_as: 'licensee',
  why,
})

/** Returns a conflict with the number's only holder. It names none if several Companies hold the number. */
function numberOfAnother(holders: readonly NumberHolder[]): ExplainedMatch {
  const inForce = holders.filter(({ in_force }) => in_force)
  const [holder, ...others] = inForce.length > 0 ? inForce : holders
  const isOnly = others.every(({ company_ref }) => company_ref === holder?.company_ref)
  if (holder !== undefined && isOnly) return foundAt('conflict', holder, 'number_of_another')
  return { ...unresolved, status: 'conflict', why: 'number_of_another' }
}

/**
 * Compares claims with the registers. A number matches if its holder has the claimed name. It conflicts if
 * it is another company's, is no longer in force, or authorises other sites; `matched_company_ref` is then
 * the holder. A claim without a number can match by name, but never conflicts.
 */
export async function matchClaims(
  database: Database,
  claims: readonly StoredClaim[],
): Promise<ExplainedMatch[]> {
  if (claims.length === 0) return []
  const numbers = claims.flatMap(({ domainId, market, licenseNumber }) =>
    market === null || licenseNumber === null ? [] : [{ domain_id: domainId, market, number: licenseNumber }],
  )
  const domainIds = [...new Set(claims.map(({ domainId }) => domainId))]
  const holders = Map.groupBy(await holdersOfNumbers(database, numbers), row => row.domain_id)
  const licensees = Map.groupBy(await authorisedLicensees(database, domainIds), row => row.domain_id)
  return claims.map(claim =>
    matchClaim(claim, holders.get(claim.domainId) ?? [], licensees.get(claim.domainId) ?? []),
  )
}

/** Matches a claim with the `holders` and `licensees` of its domain. */
function matchClaim(
  { name, market, licenseNumber }: StoredClaim,
  holders: readonly NumberHolder[],
  licensees: readonly AuthorisedLicensee[],
): ExplainedMatch {
  const ofNumber = holders.filter(holder => holder.market === market && holder.number === licenseNumber)
  if (ofNumber.length > 0) {
    const named = ofNumber.find(holder => isNamed(holder, name))
    if (named === undefined) return numberOfAnother(ofNumber)
    if (!named.in_force) return foundAt('conflict', named, 'number_not_in_force')
    if (named.authorises === false) return foundAt('conflict', named, 'number_of_other_sites')
    return foundAt('matched', named, 'holder_of_number')
  }
  const licensee = licensees.find(each => isNamed(each, name))
  return licensee === undefined ? unresolved : foundAt('matched', licensee, 'licensee_of_site')
}

/**
 * Compares a licensee with a claimed name. Legal forms are ignored if the claim has no legal form, or the
 * legal entity is unknown.
 */
function isNamed({ names, legal_entity }: Licensee, claimed: string): boolean {
  const { whole, stem, form } = comparedName(claimed)
  const comparesStems = stem !== '' && (form === null || legal_entity === null)
  return names.map(comparedName).some(name => name.whole === whole || (comparesStems && name.stem === stem))
}

/** Joins the words of a name: sites write `SkillOnNet Ltd` where a register has `Skill On Net Limited`. */
function comparedName(name: string) {
  const { stem, form } = splitLegalForm(foldedWords(name))
  const joined = (words: string) => words.replace(/^the /, '').replaceAll(' ', '')
  return { whole: joined(legalNameKey(name)), stem: joined(stem.join(' ')), form }
}
