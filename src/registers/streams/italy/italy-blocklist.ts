import type { Stream } from '../../stream.ts'
import { hostListStream } from '../host-list/host-list-stream.ts'

/** Published as a host per line; providers redistribute it as a hosts file with their stop page's address. */
export const italyBlocklist: Stream = hostListStream({
  kind: 'blocklist',
  key: 'italy.blocklist',
  market: 'italy',
  officialUrl: 'https://www.adm.gov.it/',
  cadence: { words: 'irregular, about weekly', hours: 7 * 24 },
  // In three years 3 of 9,685 hosts were removed. One mirror's last line has no line break.
  rowsLeast: 9_685,
  rowsMost: 12_448,
  removedShareMax: 0.02,
  endsWithLineBreak: false,
  sourceIdentity: 'ADM: elenco dei siti soggetti ad inibizione, giochi',
})
