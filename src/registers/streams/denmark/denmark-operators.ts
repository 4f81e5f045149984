import type { Stream } from '../../stream.ts'
import { guardFacts } from '../guard-facts.ts'
import { marketFacts } from '../market-facts.ts'
import { readDanishOperators } from './read-operators.ts'

export const denmarkOperators: Stream = {
  key: 'denmark.operators',
  ...marketFacts('denmark'),
  covers: ['register'],
  officialUrl: 'https://spillemyndigheden.dk/en-us/licensed-gambling-operators',
  official: {
    files: [],
    language: 'en',
    layout: 'described',
    layoutRecordedAt: null,
    columns: [],
    terms: null,
    sources: {
      address: 'the page that shows the list',
      layout: 'the page as a browser renders it',
      cadence: 'dates on the page',
      rows: 'a sample of the page',
      terms: null,
    },
  },
  format:
    'HTML, the pages as a browser saves them: operator, address, domains, licences, licensed in Greenland ' +
    '(also: TSV, UTF-8, remarks above the rows)',
  cadence: { words: 'irregular, about monthly', hours: 7 * 24 },
  // All are operators, but a role belongs to a license, and the list has no license numbers.
  publishes: {
    licenses: false,
    holders: true,
    statuses: false,
    revoked: false,
    dates: false,
    domains: true,
    roles: false,
  },
  makesMarketEntries: false,
  identity: 'a licensee by its name, in any case; a domain by licensee and host, without `www.`',
  // A sample has 29 operators with 64 domains; the list has 98 operators, some with dozens of domains.
  ...guardFacts({ rowsLeast: 93, rowsMost: 500 }),
  sourceClaim: 'authorised_domain',
  qualification:
    'Licensed operators with the sites that they offer gambling on. ' +
    'The list names the kinds of licence of an operator, no license number and no date; ' +
    'an operator or a site is removed by leaving it out.',
  sourceIdentity: 'Spillemyndigheden: licensed gambling operators',
  parserVersion: 3,
  read: readDanishOperators,
}
