import type { Stream } from '../../stream.ts'
import { guardFacts } from '../guard-facts.ts'
import { marketFacts } from '../market-facts.ts'
import { readUkraineSites } from './read-sites.ts'

export const ukraineSites: Stream = {
  key: 'ukraine.sites',
  ...marketFacts('ukraine'),
  covers: ['register', 'blocklist'],
  officialUrl: 'https://playcity.gov.ua/',
  official: {
    files: [],
    language: 'uk',
    layout: 'recorded',
    layoutRecordedAt: '2026-07-30',
    columns: ['Домен', 'Статус', 'Рішення ПлейСіті', 'Рішення НКЕК', 'Останнє оновлення'],
    terms: null,
    sources: {
      address: 'the page of the regulator; the address of the file is not known',
      layout: 'three files of the agency, stored by a public mirror',
      cadence: 'dates in the file',
      rows: 'these files',
      terms: null,
    },
  },
  format: 'CSV, UTF-8, comma',
  cadence: { words: 'daily', hours: 24 },
  // A cancelled license is not a revoked one. Dates are those of blocks.
  publishes: {
    licenses: false,
    holders: false,
    statuses: true,
    revoked: false,
    dates: true,
    domains: true,
    roles: false,
  },
  makesMarketEntries: false,
  identity: 'the host as printed; of a blocked page the page',
  // In two months 1 of 3,609 decided sites was removed.
  ...guardFacts({ rowsLeast: 3_697, rowsMost: 11_203, removedShareMax: 0.02 }),
  sourceClaim: 'license_and_blocklist',
  qualification:
    'The agency says of each site whether it is legal, blocked or cancelled. It names no licensee and no ' +
    'license number. Sites under review are not yet decided and give nothing.',
  sourceIdentity: 'PlayCity: database of legal and blocked gambling sites',
  parserVersion: 4,
  read: readUkraineSites,
}
