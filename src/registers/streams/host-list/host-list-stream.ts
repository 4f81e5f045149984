import type { Stream } from '../../stream.ts'
import { readAuthorisedSites, readBlocklist } from './read-host-list.ts'

/** What one list needs to say of itself to become a stream. */
export type HostListFacts = {
  /** `blocklist`: the regulator blocks what stands here. `sites`: its licensees may operate there. */
  kind: 'blocklist' | 'sites'
  key: string
  market: string
  regulator: string
  regulatorCountryCode: string
  officialUrl: string
  cadence: string
  sourceIdentity: string
}

const byKind = {
  blocklist: {
    covers: ['blocklist'],
    sourceClaim: 'blocklist',
    qualification:
      'Names on a list of sites that the regulator blocks or warns of. A name is removed by leaving it out.',
    read: readBlocklist,
  },
  sites: {
    covers: ['register'],
    sourceClaim: 'authorised_domain',
    qualification:
      'Sites that the regulator lists as authorised. The list names no license number and no licensee; a ' +
      'site is removed by leaving it out.',
    read: readAuthorisedSites,
  },
} as const

export function hostListStream(facts: HostListFacts): Stream {
  const { kind, ...rest } = facts
  return {
    ...rest,
    ...byKind[kind],
    format: 'text, UTF-8, a host or URL a line',
    parserVersion: 1,
    absenceRemoves: true,
  }
}
