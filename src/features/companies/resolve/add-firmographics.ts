import { Failure, quoteValue } from '../../../core/failure.ts'
import { dayMs } from '../../../core/time.ts'
import { reserveOwnCredits } from '../../enrichments/index.ts'
import {
  areFirmographicsDue,
  type FreshnessRules,
  hasFirmographicsSource,
  readFirmographics,
  refreshFirmographics,
  serveFirmographics,
  stringifyFirmographics,
} from '../../firmographics/index.ts'
import type { Context } from '../../operation.ts'
import type { CompanyProfile } from './company-profile.ts'

export type WantedFirmographics = {
  profiles: readonly string[]
  /** The requested Domains of each profile. */
  domains: CompanyProfile['domains'][]
  /** The distinct names: a Domain that two Companies share is charged once. */
  names: string[]
}

/** Selects all Domains of the profiles, or `domainRef` alone, which must be a Domain of one of them. */
export function wantFirmographics(
  profiles: readonly string[],
  domainRef: string | undefined,
): WantedFirmographics {
  const domains = profiles.map(profile =>
    (JSON.parse(profile) as CompanyProfile).domains.filter(
      domain => domainRef === undefined || domain.domain_ref === domainRef,
    ),
  )
  const names = [...new Set(domains.flat().map(domain => domain.domain))]
  if (domainRef !== undefined && names.length === 0)
    throw new Failure('not_found', { message: `${quoteValue(domainRef)} is not a Domain of this Company.` })
  return { profiles, domains, names }
}

export type AddedFirmographics = {
  profiles: string[]
  available: number
  /** The time of delivery; null if nothing was refreshed. */
  deliveredAt: Date | null
}

/**
 * Adds firmographics to profiles. Old data is refreshed first if there is a source; `ceiling` credits are
 * reserved before that.
 */
export async function addFirmographics(
  context: Context,
  wanted: WantedFirmographics,
  rules: FreshnessRules,
  ceiling: number,
): Promise<AddedFirmographics> {
  const { world } = context
  const stored = await readFirmographics(world, wanted.names)
  const due = wanted.names.filter(name => areFirmographicsDue(stored.get(name), rules))
  const refreshed = await refresh(context, { due, rules, ceiling, about: wanted.names.join(' ') })
  const available = new Set<string>()
  const results = wanted.domains.map(domains =>
    domains.map(entry => {
      const { domain } = entry
      const now = refreshed?.stored.get(domain) ?? stored.get(domain)
      const result = serveFirmographics(entry, now, rules, refreshed?.outcomes.get(domain))
      if (result.available) available.add(domain)
      return result
    }),
  )
  return {
    profiles: wanted.profiles.map((profile, index) =>
      withFirmographics(profile, stringifyFirmographics(results[index] ?? [])),
    ),
    available: available.size,
    deliveredAt: refreshed === null ? null : (context.observe?.now() ?? null),
  }
}

const aboutCharactersMax = 200

type Refresh = { due: readonly string[]; rules: FreshnessRules; ceiling: number; about: string }

async function refresh({ world, observe, caller }: Context, { due, rules, ceiling, about }: Refresh) {
  const { now, maxAgeDays } = rules
  if (observe === null || maxAgeDays === undefined || due.length === 0 || !hasFirmographicsSource(observe))
    return null
  observe.enter()
  const { accountId } = caller
  const asked = { accountId, idempotencyKey: observe.idempotencyKey, ownCredits: ceiling, now }
  const domain = about.slice(0, aboutCharactersMax)
  observe.reserved(await reserveOwnCredits(world.database, observe, { ...asked, domain }))
  const freshAfter = new Date(now.getTime() - maxAgeDays * dayMs)
  return refreshFirmographics(world, observe, { domains: due, freshAfter })
}

/** Appends `firmographics`, which is the last member of a profile. */
function withFirmographics(profile: string, firmographics: string): string {
  return `${profile.slice(0, -1)},"firmographics":${firmographics}}`
}
