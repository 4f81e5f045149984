import { Failure } from '../../../core/failure.ts'
import type { World } from '../../../database/open.ts'
import {
  type FreshnessRules,
  readFirmographics,
  serveFirmographics,
  stringifyFirmographics,
} from '../../firmographics/index.ts'
import type { CompanyProfile } from './company-profile.ts'

export type AddedFirmographics = {
  /** The profiles, each with a result for each of its Domains that was asked for. */
  profiles: string[]
  /** Domains asked for. One that two of the Companies share is one, and is paid once. */
  candidates: number
  /** Those of them of which there is a result. */
  available: number
}

/**
 * Firmographics of every Domain of these profiles, or of the one that was selected. A Domain that belongs to none of
 * them is answered like one that there is not.
 */
export async function addFirmographics(
  world: World,
  profiles: readonly string[],
  domainRef: string | undefined,
  asked: FreshnessRules,
): Promise<AddedFirmographics> {
  const wanted = profiles.map(profile =>
    (JSON.parse(profile) as CompanyProfile).domains.filter(
      domain => domainRef === undefined || domain.domain_ref === domainRef,
    ),
  )
  const names = [...new Set(wanted.flat().map(domain => domain.domain))]
  if (domainRef !== undefined && names.length === 0)
    throw new Failure('not_found', { message: '"domain_ref" is no Domain of the Company that was found.' })
  const held = await readFirmographics(world, names)
  const available = new Set<string>()
  const results = wanted.map(domains =>
    domains.map(entry => {
      const result = serveFirmographics(entry, held.get(entry.domain), asked)
      if (result.available) available.add(entry.domain)
      return result
    }),
  )
  return {
    profiles: profiles.map((profile, index) =>
      withLast(profile, stringifyFirmographics(results[index] ?? [])),
    ),
    candidates: names.length,
    available: available.size,
  }
}

/** The last member of a profile, as the schema has it. */
function withLast(profile: string, firmographics: string): string {
  return `${profile.slice(0, -1)},"firmographics":${firmographics}}`
}
