import type { Stream } from '../../stream.ts'
import { guardFacts } from '../guard-facts.ts'
import { marketFacts } from '../market-facts.ts'
import { readCzechBlocklist } from './read-blocklist.ts'

const page =
  'https://mf.gov.cz/cs/kontrola-a-regulace/hazardni-hry/blokace-nepovolenych-internetovych-her/' +
  'verejna-cast-seznamu-nepovolenych-internetovych-he'

export const czechiaBlocklist: Stream = {
  key: 'czechia.blocklist',
  ...marketFacts('czechia'),
  covers: ['blocklist'],
  officialUrl: page,
  official: {
    files: [
      {
        url: page,
        resolve: { by: 'newest_link', href: '/zverejnovane-udaje', next: { href: '\\.csv' } },
      },
    ],
    language: 'cs',
    layout: 'recorded',
    layoutRecordedAt: '2026-07-28',
    columns: [
      'Objekt blokace',
      'Adresa internetové stránky',
      'Název aplikace',
      'Identifikátor aplikace; umístění aplikace',
      'Jedinečný identifikátor platebního účtu',
      'Důvody zápisu na Seznam',
      'Datum zápisu a zveřejnění na Seznamu',
      'Datum výmazu a zveřejnění na Seznamu',
    ],
    terms: null,
    sources: {
      address: 'public code that downloads the file: the first article on the page, and its CSV',
      layout: 'four files of the ministry, stored by public mirrors',
      cadence: 'dates of these files',
      rows: 'these files',
      terms: null,
    },
  },
  format: 'CSV, windows-1250, semicolon',
  cadence: { words: 'irregular, about weekly', hours: 7 * 24 },
  publishes: {
    licenses: false,
    holders: false,
    statuses: false,
    revoked: false,
    dates: true,
    domains: true,
    roles: false,
  },
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
