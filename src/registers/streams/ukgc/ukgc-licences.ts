import type { Stream } from '../../stream.ts'
import { readUkgcRegister } from './read-register.ts'

export const ukgcLicences: Stream = {
  key: 'ukgc.licences',
  market: 'ukgc',
  covers: ['register'],
  regulator: 'Gambling Commission (Great Britain)',
  regulatorCountryCode: 'GB',
  officialUrl: 'https://www.gamblingcommission.gov.uk/public-register/businesses/download',
  format: 'four CSV files, UTF-8, comma: businesses, licences, trading names, domain names',
  cadence: 'daily',
  sourceClaim: 'license',
  qualification:
    'Operating licences and the domain names of each account. The register ties a domain to an account and ' +
    'not to a licence: a domain counts for each remote licence of its account.',
  sourceIdentity: 'Gambling Commission: business licence register',
  parserVersion: 1,
  absenceRemoves: true,
  read: readUkgcRegister,
}
