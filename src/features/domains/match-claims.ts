import { foldedWords } from '../../core/fold-text.ts'
import { legalNameKey, splitLegalForm } from '../../core/legal-name.ts'
import type { Database } from '../../database/open.ts'
import {
  type AuthorisedLicensee,
  authorisedLicensees,
  holdersOfNumbers,
  type Licensee,
  type NumberHolder,
} from './claim-registers-store.ts'
import type { LaunchProfile } from './launch-profile.ts'

type ClaimMatch = LaunchProfile['legal_claims'][number]['match']

/** `why` is for staff alone (§2.10). */
export type ExplainedMatch = ClaimMatch & { why: keyof typeof matchReasons }

export const matchReasons = {
  holder_of_number: 'a register has the number, in force, for a company of this name',
  number_of_another: 'a register has the number for another company',
  number_not_in_force: 'a register has the number for this company, and it is not in force',
  number_of_other_sites: 'the license of this number authorises other sites',
  licensee_of_site: 'a license authorises this site for a company of this name',
  nothing_known: 'no register has the number, and no licensee of this site has the name',
}

/** A legal claim as a check stored it. `market`: of the license number. */
export type StoredClaim = {
  domainId: number
  name: string
  licenseNumber: string | null
  market: string | null
}

type Why = ExplainedMatch['why']

const without = (status: 'unresolved' | 'conflict', why: Why): ExplainedMatch => ({
  status,
  matched_company_ref: null,
  matched_as: null,
  why,
})
const matchedWith = ({ company_ref }: Licensee, why: Why): ExplainedMatch => ({
  status: 'matched',
  matched_company_ref: company_ref,
  matched_as: 'licensee',
  why,
})

/**
 * Compares claims with the registers. A number matches if its holder has the claimed name, and conflicts if
 * it is another's, is no longer in force, or authorises other sites. A name alone can match, never conflict.
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

/** `holders`, `licensees`: of the claim's domain. */
function matchClaim(
  { name, market, licenseNumber }: StoredClaim,
  holders: readonly NumberHolder[],
  licensees: readonly AuthorisedLicensee[],
): ExplainedMatch {
  const ofNumber = holders.filter(holder => holder.market === market && holder.number === licenseNumber)
  if (ofNumber.length > 0) {
    const named = ofNumber.find(holder => isNamed(holder, name))
    if (named === undefined) return without('conflict', 'number_of_another')
    if (!named.in_force) return without('conflict', 'number_not_in_force')
    if (named.authorises === false) return without('conflict', 'number_of_other_sites')
    return matchedWith(named, 'holder_of_number')
  }
  const licensee = licensees.find(each => isNamed(each, name))
  return licensee === undefined
    ? without('unresolved', 'nothing_known')
    : matchedWith(licensee, 'licensee_of_site')
}

/** A name without a legal form counts where the other has none, or the legal entity is not known. */
function isNamed({ names, legal_entity }: Licensee, claimed: string): boolean {
  const { whole, stem, form } = comparedName(claimed)
  const comparesStems = stem !== '' && (form === null || legal_entity === null)
  return names.map(comparedName).some(name => name.whole === whole || (comparesStems && name.stem === stem))
}

/** Sites and registers divide words differently: `SkillOnNet Ltd` is `Skill On Net Limited`. */
function comparedName(name: string) {
  const { stem, form } = splitLegalForm(foldedWords(name))
  const joined = (words: string) => words.replace(/^the /, '').replaceAll(' ', '')
  return { whole: joined(legalNameKey(name)), stem: joined(stem.join(' ')), form }
}
