import type { Stream } from '../../stream.ts'
import { readUkraineSites } from './read-sites.ts'

/** The agency keeps licensed and blocked sites in one table, told apart by a life-cycle column. */
export const ukraineSites: Stream = {
  key: 'ukraine.sites',
  market: 'ukraine',
  covers: ['register', 'blocklist'],
  regulator: 'PlayCity (State Agency of Ukraine PlayCity)',
  regulatorCountryCode: 'UA',
  officialUrl: 'https://playcity.gov.ua/',
  format: 'CSV, UTF-8, comma',
  cadence: 'daily',
  sourceClaim: 'license_and_blocklist',
  qualification:
    'The agency says of each site whether it is legal, blocked or cancelled. It names no licensee and no ' +
    'license number. Sites under review are not yet decided and give nothing.',
  sourceIdentity: 'PlayCity: database of legal and blocked gambling sites',
  parserVersion: 1,
  absenceRemoves: true,
  read: readUkraineSites,
}
