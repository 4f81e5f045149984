import type { Cadence, Official, Publishes, SourceFile, Stream } from '../../stream.ts'
import { guardFacts, type KnownFiles } from '../guard-facts.ts'
import { marketFacts } from '../market-facts.ts'
import { type OfficialForm, officialOrMirror } from '../official-or-mirror.ts'
import { readAuthorisedSites, readBlocklist } from './read-host-list.ts'

export type HostListFacts = KnownFiles & {
  /** `blocklist`: sites the regulator blocks. `sites`: sites its licensees may operate. */
  kind: 'blocklist' | 'sites'
  key: string
  market: string
  officialUrl: string
  official: Official
  cadence: Cadence
  sourceIdentity: string
  /** How the official file is read. Without it the official file has a host or URL a line, as the mirrors'. */
  form?: OfficialForm
  /** Beyond domains. */
  publishes?: Partial<Publishes>
  qualification?: string
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
  const { kind, market, form, publishes, rowsLeast, rowsMost, removedShareMax, endsWithLineBreak, ...rest } =
    facts
  const { read, ...kindFacts } = byKind[kind]
  return {
    format: 'text, UTF-8, a host or URL a line',
    ...kindFacts,
    read: form === undefined ? read : officialOrMirror(form, facts.official.columns, read),
    ...rest,
    ...marketFacts(market),
    ...guardFacts({ rowsLeast, rowsMost, removedShareMax, endsWithLineBreak }),
    publishes: {
      licenses: false,
      holders: false,
      statuses: false,
      revoked: false,
      dates: false,
      domains: true,
      roles: false,
      ...publishes,
    },
    makesMarketEntries: false,
    parserVersion: 2,
  }
}
