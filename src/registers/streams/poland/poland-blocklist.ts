import { onlyFile } from '../../source-file.ts'
import type { Stream } from '../../stream.ts'
import { readBlocklist } from '../host-list/read-host-list.ts'
import { isXml, readPolishRegister } from './read-register.ts'

/** The ministry publishes XML; mirrors keep it as a list of hosts, which is read too, without dates. */
export const polandBlocklist: Stream = {
  key: 'poland.blocklist',
  market: 'poland',
  covers: ['blocklist'],
  regulator: 'Ministry of Finance of the Republic of Poland',
  regulatorCountryCode: 'PL',
  officialUrl: 'https://hazard.mf.gov.pl/',
  format: 'XML, UTF-8 (also: a host a line)',
  cadence: 'daily',
  sourceClaim: 'blocklist',
  qualification:
    'Domain names on the Register of Domains Offering Gambling Games Contrary to the Act. The register ' +
    'removes a name by leaving it out or by a deletion time.',
  sourceIdentity:
    'Ministerstwo Finansów: Rejestr domen służących do oferowania gier hazardowych niezgodnie z ustawą',
  parserVersion: 1,
  absenceRemoves: true,
  async *read(files) {
    const file = onlyFile(files)
    yield* (await isXml(file)) ? readPolishRegister(file) : readBlocklist(files)
  },
}
