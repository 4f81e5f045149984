import type { Stream } from '../../stream.ts'
import { guardFacts } from '../guard-facts.ts'
import { marketFacts } from '../market-facts.ts'
import { readCzechBlocklist } from './read-blocklist.ts'

export const czechiaBlocklist: Stream = {
  key: 'czechia.blocklist',
  ...marketFacts('czechia'),
  covers: ['blocklist'],
  officialUrl: 'https://www.mfcr.cz/',
  format: 'CSV, windows-1250, semicolon',
  cadence: { words: 'irregular, about weekly', hours: 7 * 24 },
  publishes: { revoked: false, dates: true, domains: true, roles: false },
  makesMarketEntries: false,
  identity: 'what kind of object it is, the object in one spelling, and the day it was listed',
  // In half a year 32 of 748 listings ended.
  ...guardFacts({ rowsLeast: 750, rowsMost: 3_381, removedShareMax: 0.08 }),
  sourceClaim: 'blocklist',
  qualification:
    'Sites, apps and payment accounts on the List of Unlicensed Internet Games. A listing ends by a ' +
    'deletion date, or when its row is left out.',
  sourceIdentity: 'Ministerstvo financí: Seznam nepovolených internetových her',
  parserVersion: 3,
  read: readCzechBlocklist,
}
