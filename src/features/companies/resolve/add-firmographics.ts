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
  profiles: string[]
  /** A Domain that two Companies share is charged once. */
  candidates: number
  available: number
}

/** Only `domainRef` if given, which must be a Domain of one of the Companies. */
export async function addFirmographics(
  world: World,
  profiles: readonly string[],
  domainRef: string | undefined,
  freshness: FreshnessRules,
): Promise<AddedFirmographics> {
  const wanted = profiles.map(profile =>
    (JSON.parse(profile) as CompanyProfile).domains.filter(
      domain => domainRef === undefined || domain.domain_ref === domainRef,
    ),
  )
  const names = [...new Set(wanted.flat().map(domain => domain.domain))]
  if (domainRef !== undefined && names.length === 0)
    throw new Failure('not_found', { message: '"domain_ref" is not a Domain of this Company.' })
  const stored = await readFirmographics(world, names)
  const available = new Set<string>()
  const results = wanted.map(domains =>
    domains.map(entry => {
      const result = serveFirmographics(entry, stored.get(entry.domain), freshness)
      if (result.available) available.add(entry.domain)
      return result
    }),
  )
  return {
    profiles: profiles.map((profile, index) =>
      withFirmographics(profile, stringifyFirmographics(results[index] ?? [])),
    ),
    candidates: names.length,
    available: available.size,
  }
}

/** `firmographics` is the last member of a profile. */
function withFirmographics(profile: string, firmographics: string): string {
  return `${profile.slice(0, -1)},"firmographics":${firmographics}}`
}
