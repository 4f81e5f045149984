import type { Stream } from '../../stream.ts'
import { guardFacts } from '../guard-facts.ts'
import { marketFacts } from '../market-facts.ts'
import { readMaltaLicensees } from './read-licensees.ts'

export const mgaLicensees: Stream = {
  key: 'mga.licensees',
  ...marketFacts('mga'),
  covers: ['register'],
  officialUrl: 'https://mgalicenseeregister.mga.org.mt/',
  official: {
    files: [],
    language: 'en',
    layout: 'described',
    layoutRecordedAt: null,
    columns: [],
    terms: null,
    sources: {
      address: 'the page that shows the register',
      layout: 'public copies of the register as its page renders it',
      cadence: 'dates of these copies',
      rows: 'a public copy of 317 authorisations',
      terms: null,
    },
  },
  format:
    'HTML, the page as a browser saves it: a panel for each authorisation (also: JSON, a list of licensees ' +
    'with authorisation number, registration number and types)',
  cadence: { words: 'as licences are granted, about weekly', hours: 7 * 24 },
  publishes: {
    licenses: true,
    holders: true,
    statuses: false,
    revoked: false,
    dates: false,
    domains: false,
    roles: true,
  },
  makesMarketEntries: true,
  identity: 'a licensee by its registration number in one spelling; a licence by its authorisation number',
  // A sample has 17 licensees with an authorisation each; the register has 317 authorisations.
  ...guardFacts({ rowsLeast: 34, rowsMost: 634 }),
  sourceClaim: 'license',
  qualification:
    'Companies with an authorisation of the Malta Gaming Authority: gaming services (B2C), critical gaming ' +
    'supplies (B2B) and corporate groups (CRP). The list gives no domain, no date and no status; an ' +
    'authorisation is removed by leaving it out.',
  sourceIdentity: 'MGA: licensee register',
  parserVersion: 2,
  read: readMaltaLicensees,
}
