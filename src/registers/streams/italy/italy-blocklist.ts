import type { Stream } from '../../stream.ts'
import { hostListStream } from '../host-list/host-list-stream.ts'

/** Published as a host a line; providers pass it on as a hosts file with their stop page's address. */
export const italyBlocklist: Stream = hostListStream({
  kind: 'blocklist',
  key: 'italy.blocklist',
  market: 'italy',
  regulator: 'Agenzia delle Dogane e dei Monopoli (ADM)',
  regulatorCountryCode: 'IT',
  officialUrl: 'https://www.adm.gov.it/',
  cadence: 'irregular, about weekly',
  sourceIdentity: 'ADM: elenco dei siti soggetti ad inibizione, giochi',
})
