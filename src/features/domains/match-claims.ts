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

export type ClaimMatch = Pick<
  LaunchProfile['legal_claims'][number]['match'],
  'status' | 'matched_company_ref' | 'matched_as'
>

/** A legal claim as a check stored it. `market`: of the license number. */
export type StoredClaim = {
  domainId: number
  name: string
  licenseNumber: string | null
  market: string | null
}

const unresolved: ClaimMatch = { status: 'unresolved', matched_company_ref: null, matched_as: null }
const conflict: ClaimMatch = { status: 'conflict', matched_company_ref: null, matched_as: null }
const matchedWith = ({ company_ref }: Licensee): ClaimMatch => ({
  status: 'matched',
  matched_company_ref: company_ref,
  matched_as: 'licensee',
})

/**
 * Compares claims with the registers. A number matches if its holder has the claimed name, and conflicts if
 * it is another's, is no longer in force, or authorises other sites. A name alone can match, never conflict.
 */
export async function matchClaims(database: Database, claims: readonly StoredClaim[]): Promise<ClaimMatch[]> {
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
): ClaimMatch {
  const ofNumber = holders.filter(holder => holder.market === market && holder.number === licenseNumber)
  if (ofNumber.length > 0) {
    const named = ofNumber.find(holder => isNamed(holder, name))
    return named?.in_force && named.authorises !== false ? matchedWith(named) : conflict
  }
  const licensee = licensees.find(each => isNamed(each, name))
  return licensee === undefined ? unresolved : matchedWith(licensee)
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
