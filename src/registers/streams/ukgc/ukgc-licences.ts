import type { Stream } from '../../stream.ts'
import { guardFacts } from '../guard-facts.ts'
import { marketFacts } from '../market-facts.ts'
import { readUkgcRegister } from './read-register.ts'

export const ukgcLicences: Stream = {
  key: 'ukgc.licences',
  ...marketFacts('ukgc'),
  covers: ['register'],
  officialUrl: 'https://www.gamblingcommission.gov.uk/public-register/businesses/download',
  official: {
    files: ['businesses', 'licences', 'trading-names', 'domain-names'].map(name => ({
      url: `https://www.gamblingcommission.gov.uk/downloads/business-licence-register-${name}.csv`,
      resolve: { by: 'direct' },
    })),
    language: 'en',
    layout: 'described',
    layoutRecordedAt: null,
    columns: [
      'Account Number',
      'Licence Account Name',
      'Licence Number',
      'Status',
      'Type',
      'Activity',
      'Start Date',
      'End Date',
      'Trading Name',
      'Domain Name',
    ],
    terms: null,
    sources: {
      address: 'public code that downloads the files',
      layout: 'public code that reads the files',
      cadence: 'public code that reads them daily',
      rows: 'public copies of parts of the register',
      terms: null,
    },
  },
  format: 'four CSV files, UTF-8, comma: businesses, licences, trading names, domain names',
  cadence: { words: 'daily', hours: 24 },
  publishes: {
    licenses: true,
    holders: true,
    statuses: true,
    revoked: true,
    dates: true,
    domains: true,
    roles: true,
  },
  makesMarketEntries: true,
  identity:
    'a licensee by its account; a licence by its number without the version counter; a domain by account, ' +
    'host and licence',
  // A sample has 36 accounts, 29 licences and 41 domains. The register has some 2,700 accounts with
  // 4,500 licence rows and 1,500 active domains. In a month 8 % were removed.
  ...guardFacts({ rowsLeast: 106, rowsMost: 8_700, removedShareMax: 0.15 }),
  sourceClaim: 'license',
  qualification:
    'Operating licences and the domain names of each account. The register ties a domain to an account and ' +
    'not to a licence: a domain counts for each remote licence of its account.',
  sourceIdentity: 'Gambling Commission: business licence register',
  parserVersion: 4,
  read: readUkgcRegister,
}
