import type { Reading, Stream } from '@baize/registers'
import { fileOfBytes } from '@baize/tables'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Customer } from '../../../test/harness/service.ts'
import {
  authorisation,
  day,
  fakeStream,
  fileOf,
  license,
  licensee,
  syncApproved,
} from '../../registers/fixture.ts'
import { findStream } from '../../registers/index.ts'
import { type LicenseService, resolveOne, startLicenseService } from './fixture.ts'

let service: LicenseService
let customer: Customer
beforeAll(async () => {
  service = await startLicenseService()
  customer = await service.customer({ credits: 10_000 })
})
afterAll(() => service.close())

const heron = licensee('heron')
const old = license('OLD', 'heron', { issuedAt: '2020-01-01' })
const other = license('OTHER', 'heron')

async function data(url: string) {
  const { status, body } = await customer.ask(url)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}

const entriesOf = (market: string) => data(`/v1/signals/market-entries?role=operator&market=${market}`)

async function numbersOf(market: string): Promise<string[]> {
  const { signals } = await entriesOf(market)
  return signals.map((signal: { regulatory: { license_number: string } }) => signal.regulatory.license_number)
}

async function changesOf(market: string): Promise<string[]> {
  const { signals } = await data(`/v1/signals/register-changes?jurisdiction=${market}`)
  return signals
    .map(
      (signal: { change: { event_type: string }; license: { license_number: string } }) =>
        `${signal.license.license_number} ${signal.change.event_type}`,
    )
    .toSorted()
}

async function syncAs(stream: Stream, dayNumber: number, ...readings: Reading[]): Promise<void> {
  const [takenAt, files] = [day(dayNumber), [fileOf(...readings)]]
  const report = await syncApproved(service.service.live, stream, files, { takenAt, now: takenAt })
  expect(report.status, report.reasons.join('; ')).toBe('applied')
}

describe('a market entry', () => {
  test('a new license in force is a market entry, and an old, ended or returned license is not', async () => {
    const added = [
      license('NEW', 'heron'),
      license('FOUND', 'heron', { issuedAt: '2021-05-01' }),
      license('REVOKED', 'heron', { status: 'revoked' }),
      license('SURRENDERED', 'heron', { status: 'surrendered' }),
      license('LAPSED', 'heron', { status: null, expiresAt: '2025-12-31' }),
    ]
    await service.sync('gibraltar', 1, heron, old, other)
    await service.sync('gibraltar', 2, heron, other)
    await service.sync('gibraltar', 3, heron, other, old, ...added)
    expect(await numbersOf('gibraltar')).toEqual(['NEW-001'])
    expect(await changesOf('gibraltar')).toEqual([
      'FOUND-001 added_to_register',
      'LAPSED-001 added_to_register',
      'NEW-001 added_to_register',
      'OLD-001 removed_from_register',
      'OLD-001 returned_to_register',
      'REVOKED-001 added_to_register',
      'SURRENDERED-001 added_to_register',
    ])
  })

  test('a license number that two sources of a market list makes one market entry', async () => {
    const second = fakeStream('isle_of_man.second')
    await service.sync('isle_of_man', 1, heron, other)
    await syncAs(second, 1, heron, other)
    await service.load({ kind: 'license', jurisdiction: 'isle_of_man', license_number: 'FILE 1' })
    await service.sync('isle_of_man', 2, heron, other, license('k1', 'heron', { licenseNumber: 'iom / 7' }))
    const listed = ['IOM/7', 'FILE1'].map(number => license(number, 'heron', { licenseNumber: number }))
    await syncAs(second, 2, heron, other, ...listed)
    expect(await numbersOf('isle_of_man')).toEqual(['iom / 7'])
    expect(await changesOf('isle_of_man')).toHaveLength(3)
  })

  test('a license that a newer parser had removed is not a market entry when it returns', async () => {
    const parser = (parserVersion: number, skips: string): Stream => {
      const stream = fakeStream('jersey.licenses')
      return {
        ...stream,
        parserVersion,
        async *read(files) {
          for await (const reading of stream.read(files))
            if (!('recordKey' in reading) || reading.recordKey !== skips) yield reading
        },
      }
    }
    const read = license('READ', 'heron')
    await syncAs(parser(1, ''), 1, heron, other, read)
    await syncAs(parser(2, 'READ'), 2, heron, other, read, license('MORE', 'heron'))
    await syncAs(parser(2, 'MORE'), 3, heron, other, read)
    expect(await changesOf('jersey')).toContain('READ-001 added_to_register')
    expect(await numbersOf('jersey')).toEqual(['MORE-001'])
  })
})

describe('the sources of market entries', () => {
  test('market entries cover only streams that can list licenses of operators', async () => {
    const hosts = 'lucky-otter.example\ngolden-heron.example\n'
    const spain = findStream('spain.sites') as Stream
    const options = { takenAt: day(1), now: day(1) }
    await syncApproved(service.service.live, spain, [fileOfBytes('sites.txt', hosts)], options)
    const notCovered = { source_stream_key: null, truth_state: 'not_covered' }
    expect((await entriesOf('spain')).sources).toMatchObject([notCovered])
    const { sources } = await data('/v1/signals/register-changes?jurisdiction=spain')
    expect(sources).toMatchObject([{ source_stream_key: 'spain.sites' }])
    expect((await entriesOf('gibraltar')).sources).toMatchObject([
      { source_stream_key: 'gibraltar.licenses' },
    ])
  })
})

describe('first_seen_at of a license', () => {
  const site = authorisation('lucky-heron.example', { licenseKey: 'OLD', licenseeKey: 'heron' })
  const alone = authorisation('alone.example')

  async function firstSeen(domain: string): Promise<string[]> {
    const { observations } = await data(`/v1/domains/resolve?domain=${domain}&include[]=licenses`)
    return observations.licenses.map((each: { first_seen_at: string }) => each.first_seen_at)
  }

  test('first_seen_at of a license is equal in every answer, also after the license returns', async () => {
    await service.sync('portugal', 10, heron, old, other, site, alone)
    const dates = async () => [
      (await resolveOne(customer, { license_number: 'OLD-001', jurisdiction: 'portugal' })).first_seen_at,
      ...(await firstSeen('lucky-heron.example')),
    ]
    const issued = '2020-01-01T00:00:00.000Z'
    expect(await dates()).toEqual([issued, issued])
    await service.sync('portugal', 11, heron, other)
    await service.sync('portugal', 12, heron, old, other, site, alone)
    expect(await dates()).toEqual([issued, issued])
    expect(await firstSeen('alone.example')).toEqual([day(10).toISOString()])
  })
})

test('the source_url of a license is its entry in the register, else the page of the register', async () => {
  const sourceUrl = 'https://regulator.example/licences/own'
  await service.sync(
    'uruguay',
    1,
    heron,
    license('OWN', 'heron', { sourceUrl }),
    license('LIST', 'heron'),
    authorisation('own.example', { licenseKey: 'OWN', licenseeKey: 'heron' }),
    authorisation('list.example', { licenseKey: 'LIST', licenseeKey: 'heron' }),
    authorisation('unnumbered.example'),
  )
  const register = 'https://regulator.example/'
  const ofLicense = async (license_number: string) =>
    (await resolveOne(customer, { license_number, jurisdiction: 'uruguay' })).source_url
  expect([await ofLicense('OWN-001'), await ofLicense('LIST-001')]).toEqual([sourceUrl, register])
  const ofSite = async (domain: string) => {
    const { observations } = await data(`/v1/domains/resolve?domain=${domain}&include[]=licenses`)
    return observations.licenses.map((each: { source_url: string }) => each.source_url)
  }
  expect(await ofSite('own.example')).toEqual([sourceUrl])
  expect(await ofSite('list.example')).toEqual([register])
  expect(await ofSite('unnumbered.example')).toEqual([register])

  await service.sync('uruguay', 2, heron, license('OWN', 'heron', { sourceUrl }))
  expect(await ofLicense('LIST-001')).toBe(register)
})
