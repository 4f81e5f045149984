import type { Stream } from '../../stream.ts'
import { marketFacts } from '../market-facts.ts'
import { readUkgcRegister } from './read-register.ts'

export const ukgcLicences: Stream = {
  key: 'ukgc.licences',
  ...marketFacts('ukgc'),
  covers: ['register'],
  officialUrl: 'https://www.gamblingcommission.gov.uk/public-register/businesses/download',
  format: 'four CSV files, UTF-8, comma: businesses, licences, trading names, domain names',
  cadence: { words: 'daily', hours: 24 },
  publishes: { revoked: true, dates: true, domains: true, roles: true },
  makesMarketEntries: true,
  identity:
    'a licensee by its account; a licence by its number without the version counter; a domain by account, ' +
    'host and licence',
  // The register has some 2,700 accounts and 4,500 licence rows; samples of 36 accounts must pass.
  rowsMin: 50,
  sourceClaim: 'license',
  qualification:
    'Operating licences and the domain names of each account. The register ties a domain to an account and ' +
    'not to a licence: a domain counts for each remote licence of its account.',
  sourceIdentity: 'Gambling Commission: business licence register',
  parserVersion: 4,
  absenceRemoves: true,
  read: readUkgcRegister,
}
