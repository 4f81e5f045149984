import type { Stream } from '../../stream.ts'
import { marketFacts } from '../market-facts.ts'
import { readUkraineSites } from './read-sites.ts'

export const ukraineSites: Stream = {
  key: 'ukraine.sites',
  ...marketFacts('ukraine'),
  covers: ['register', 'blocklist'],
  officialUrl: 'https://playcity.gov.ua/',
  format: 'CSV, UTF-8, comma',
  cadence: { words: 'daily', hours: 24 },
  // A cancelled license is not a revoked one. Dates are those of blocks.
  publishes: { revoked: false, dates: true, domains: true, roles: false },
  makesMarketEntries: false,
  identity: 'the host as printed; of a blocked page the page',
  // Half of the smallest complete table seen: 3,609 decided sites.
  rowsMin: 1_800,
  sourceClaim: 'license_and_blocklist',
  qualification:
    'The agency says of each site whether it is legal, blocked or cancelled. It names no licensee and no ' +
    'license number. Sites under review are not yet decided and give nothing.',
  sourceIdentity: 'PlayCity: database of legal and blocked gambling sites',
  parserVersion: 4,
  absenceRemoves: true,
  read: readUkraineSites,
}
