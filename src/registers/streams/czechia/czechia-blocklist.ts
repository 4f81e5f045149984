import type { Stream } from '../../stream.ts'
import { readCzechBlocklist } from './read-blocklist.ts'

export const czechiaBlocklist: Stream = {
  key: 'czechia.blocklist',
  market: 'czechia',
  covers: ['blocklist'],
  regulator: 'Ministry of Finance of the Czech Republic',
  regulatorCountryCode: 'CZ',
  officialUrl: 'https://www.mfcr.cz/',
  format: 'CSV, windows-1250, semicolon',
  cadence: 'irregular, about weekly',
  sourceClaim: 'blocklist',
  qualification:
    'Sites, apps and payment accounts on the List of Unlicensed Internet Games. A listing ends by a ' +
    'deletion date; the row stays in the file.',
  sourceIdentity: 'Ministerstvo financí: Seznam nepovolených internetových her',
  parserVersion: 1,
  absenceRemoves: false,
  read: readCzechBlocklist,
}
