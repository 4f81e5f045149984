import { firstCharacter } from '../../source/first-character.ts'
import { ofMirror } from '../../source/readings.ts'
import { onlyFile } from '../../source/source-file.ts'
import type { Stream } from '../../stream.ts'
import { guardFacts } from '../guard-facts.ts'
import { readBlocklist } from '../host-list/read-host-list.ts'
import { marketFacts } from '../market-facts.ts'
import { readPolishRegister } from './read-register.ts'

/** The ministry publishes XML. The host lists of mirrors are read too, without dates. */
export const polandBlocklist: Stream = {
  key: 'poland.blocklist',
  ...marketFacts('poland'),
  covers: ['blocklist'],
  officialUrl: 'https://hazard.mf.gov.pl/',
  official: {
    files: [{ url: 'https://hazard.mf.gov.pl/api/Register', resolve: { by: 'direct' } }],
    language: 'pl',
    layout: 'described',
    layoutRecordedAt: null,
    columns: [],
    terms: null,
    sources: {
      address: "the register's page",
      layout: 'public code that reads the file',
      cadence: 'public code that reads it daily',
      rows: 'public copies of the list',
      terms: null,
    },
  },
  format: 'XML, UTF-8 (also: a host a line)',
  cadence: { words: 'daily', hours: 24 },
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
  identity: 'the host as printed and the time it was entered; of a plain list the host alone',
  // A sample has 10 positions, the register some 58,000. In a day 13 of 46,674 were removed.
  ...guardFacts({ rowsLeast: 10, rowsMost: 58_000, removedShareMax: 0.02 }),
  sourceClaim: 'blocklist',
  qualification:
    'Domain names on the Register of Domains Offering Gambling Games Contrary to the Act. The register ' +
    'removes a name by leaving it out or by a deletion time.',
  sourceIdentity:
    'Ministerstwo Finansów: Rejestr domen służących do oferowania gier hazardowych niezgodnie z ustawą',
  parserVersion: 3,
  async *read(files) {
    const file = onlyFile(files)
    const isOfficial = (await firstCharacter(file)) === '<'
    yield* isOfficial ? readPolishRegister(file) : ofMirror(file.name, readBlocklist(files))
  },
}
