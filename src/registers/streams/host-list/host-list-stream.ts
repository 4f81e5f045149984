import type { Cadence, SourceFile, Stream } from '../../stream.ts'
import { guardFacts, type KnownFiles } from '../guard-facts.ts'
import { marketFacts } from '../market-facts.ts'
import { readAuthorisedSites, readBlocklist } from './read-host-list.ts'

export type HostListFacts = KnownFiles & {
  /** `blocklist`: sites the regulator blocks. `sites`: sites its licensees may operate. */
  kind: 'blocklist' | 'sites'
  key: string
  market: string
  officialUrl: string
  cadence: Cadence
  sourceIdentity: string
  format?: string
  read?: (files: readonly SourceFile[]) => ReturnType<Stream['read']>
}

const byKind = {
  blocklist: {
    covers: ['blocklist'],
    sourceClaim: 'blocklist',
    qualification:
      'Names on a list of sites that the regulator blocks or warns of. A name is removed by leaving it out.',
    identity: 'the host as printed, with `www.` and with its path',
    read: readBlocklist,
  },
  sites: {
    covers: ['register'],
    sourceClaim: 'authorised_domain',
    qualification:
      'Sites that the regulator lists as authorised. The list names no license number and no licensee; a ' +
      'site is removed by leaving it out.',
    identity: 'the host, without `www.`, whatever page of it is printed',
    read: readAuthorisedSites,
  },
} as const

export function hostListStream(facts: HostListFacts): Stream {
  const { kind, market, rowsLeast, rowsMost, removedShareMax, endsWithLineBreak, ...rest } = facts
  return {
    format: 'text, UTF-8, a host or URL a line',
    ...byKind[kind],
    ...rest,
    ...marketFacts(market),
    ...guardFacts({ rowsLeast, rowsMost, removedShareMax, endsWithLineBreak }),
    publishes: { revoked: false, dates: false, domains: true, roles: false },
    makesMarketEntries: false,
    parserVersion: 2,
  }
}
