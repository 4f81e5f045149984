import type { Stream } from '../../stream.ts'
import { hostListStream } from '../host-list/host-list-stream.ts'

/** Published as a host per line; providers redistribute it as a hosts file with their stop page's address. */
export const italyBlocklist: Stream = hostListStream({
  kind: 'blocklist',
  key: 'italy.blocklist',
  market: 'italy',
  officialUrl: 'https://www.adm.gov.it/',
  cadence: { words: 'irregular, about weekly', hours: 7 * 24 },
  // Half of the smaller of two complete lists (9,685 and 12,448).
  rowsMin: 4_800,
  sourceIdentity: 'ADM: elenco dei siti soggetti ad inibizione, giochi',
})
