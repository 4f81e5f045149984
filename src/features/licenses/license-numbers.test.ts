import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDemoRecords } from '../../../test/harness/demo-world.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { authorisation, license, licensee } from '../../registers/fixture.ts'
import {
  creditsUsed,
  type LicenseService,
  type Parameters,
  refused,
  resolveLicense,
  resolveOne,
  startLicenseService,
} from './fixture.ts'

let service: LicenseService
let customer: Customer
beforeAll(async () => {
  service = await startLicenseService({ world: 'demo' })
  customer = await service.customer({ credits: 10_000_000 })
})
afterAll(() => service.close())

const resolve = (parameters: Parameters, caller: Customer = customer) => resolveLicense(caller, parameters)
const one = (parameters: Parameters) => resolveOne(customer, parameters)

describe('a license number', () => {
  test.each(['mga/b2c/9901/2019', ' MGA/B2C /9901/ 2019 ', 'MGA/B2C/9901/2019', 'mga/b2c\u00a0/9901/2019'])(
    'a license number is found in any case and spacing: %j',
    async number => {
      expect(await one({ license_number: number })).toMatchObject({ license_number: 'MGA/B2C/9901/2019' })
    },
  )

  test.each(['099101-R-339101-004', '099101-R-339101', '099101-R-339101-001', '099101-r-339101-99'])(
    'a UKGC license number is found with any version counter: %s',
    async number => {
      expect(await one({ license_number: number })).toMatchObject({ license_number: '099101-R-339101-004' })
    },
  )

  test('a license number of another register keeps a suffix that looks like a UKGC counter', async () => {
    await service.load({ kind: 'license', jurisdiction: 'alderney', license_number: '77-AB-88-001' })
    expect(await one({ license_number: '77-ab-88-001' })).toMatchObject({ jurisdiction: 'alderney' })
    expect(refused(await resolve({ license_number: '77-AB-88-002' }))).toEqual([404, 'not_found'])
    expect(refused(await resolve({ license_number: '77-AB-88' }))).toEqual([404, 'not_found'])
  })

  test('a license number must be complete, and is not read as a pattern', async () => {
    for (const number of [
      'MGA/B2C/9901',
      '%',
      'MGA/B2C/9901/201_',
      '.*',
      "' or 1=1 --",
      '099101',
      '\0',
      '𝟗𝟗',
    ]) {
      expect(refused(await resolve({ license_number: number })), number).toEqual([404, 'not_found'])
    }
  })

  test('a license number finds its license in any case and spacing', async () => {
    const numbers = (await readDemoRecords())
      .filter(record => record.kind === 'license')
      .map(({ license_number: number, jurisdiction }) => ({ number, jurisdiction }))
    const spelling = fc.constantFrom(...numbers).chain(({ number, jurisdiction }) =>
      fc
        .array(fc.record({ blanks: fc.constantFrom('', '', '', ' ', '\t', '\u2009'), upper: fc.boolean() }), {
          minLength: number.length,
          maxLength: number.length,
        })
        .map(choices => ({
          number,
          jurisdiction,
          written: [...number]
            .map((letter, index) => {
              const { blanks, upper } = choices[index] as { blanks: string; upper: boolean }
              return blanks + (upper ? letter.toUpperCase() : letter.toLowerCase())
            })
            .join(''),
        })),
    )
    await fc.assert(
      fc.asyncProperty(spelling, async ({ number, jurisdiction, written }) => {
        expect(await one({ license_number: written, jurisdiction })).toMatchObject({ license_number: number })
      }),
      { numRuns: 60 },
    )
  })
})

describe('several licenses of one number', () => {
  test('ambiguous_license_number: a number of several jurisdictions is a free 409', async () => {
    const careful = await service.customer()
    await service.load(
      { kind: 'license', jurisdiction: 'jersey', license_number: 'TWICE-1', license_type: 'Island' },
      { kind: 'license', jurisdiction: 'alderney', license_number: 'twice-1', license_type: 'Rock' },
    )
    const { status, body } = await resolve({ license_number: 'Twice-1' }, careful)
    expect([status, body.errors]).toEqual([
      409,
      { code: 'ambiguous_license_number', details: { jurisdictions: ['alderney', 'jersey'] } },
    ])
    expect(await creditsUsed(careful)).toBe(0)
    const island = await one({ license_number: 'TWICE-1', jurisdiction: 'jersey' })
    expect(island).toMatchObject({ license_type: 'Island', jurisdiction: 'jersey' })
    expect(refused(await resolve({ license_number: 'TWICE-1', jurisdiction: 'mga' }))).toEqual([
      404,
      'not_found',
    ])
  })

  test('all licenses of one number and jurisdiction are delivered and charged', async () => {
    await service.load({
      kind: 'license',
      jurisdiction: 'cyprus',
      license_number: 'CY 5',
      license_type: 'file',
    })
    await service.sync(
      'cyprus',
      3,
      licensee('a'),
      license('cy5', 'a', { licenseNumber: 'CY5', licenseType: 'register' }),
    )
    const buyer = await service.customer({ credits: 10 })
    const { body } = await resolve({ license_number: 'cy5' }, buyer)
    expect(body.data.licenses.map((each: { license_type: string }) => each.license_type).sort()).toEqual([
      'file',
      'register',
    ])
    expect(body.data.billing).toEqual({
      returned_count: 2,
      credits_per_profile: 3,
      credits_charged: 6,
      billing_reason: 'license_profile_delivered',
      max_credits: null,
    })
    expect(await creditsUsed(buyer)).toBe(6)
    expect(refused(await resolve({ license_number: 'cy5', max_credits: 5 }, buyer))).toEqual([
      402,
      'max_credits_exceeded',
    ])
  })
})

describe('the entry in a register', () => {
  const heron = licensee('heron', { legalName: 'Heron Bets Limited' })
  const covered = (domain: string, fields = {}) =>
    authorisation(domain, { licenseKey: '000777-R-000888', licenseeKey: 'heron', ...fields })
  const versioned = (counter: string, fields = {}) =>
    license('000777-R-000888', 'heron', { licenseNumber: `000777-R-000888-${counter}`, ...fields })

  test('a license shows its current entry in the register, and a former license its last entry', async () => {
    await service.sync(
      'ukgc',
      3,
      heron,
      versioned('001'),
      covered('heron.example'),
      covered('idle.example', { counts: false, status: 'inactive' }),
    )
    const first = await one({ license_number: '000777-R-000888-001' })
    expect(first).toMatchObject({
      license_number: '000777-R-000888-001',
      company_name: 'Heron Bets Limited',
      legal_entity: 'Heron Bets Limited',
      first_seen_at: '2026-01-03T00:00:00.000Z',
      last_seen_at: '2026-01-03T00:00:00.000Z',
      last_confirmed_at: '2026-01-03T00:00:00.000Z',
    })
    const domainsOf = (found: { authorized_domains: { domain: string }[] }) =>
      found.authorized_domains.map(each => each.domain)
    expect(domainsOf(first)).toEqual(['heron.example'])

    await service.sync(
      'ukgc',
      5,
      heron,
      versioned('002', { status: 'suspended' }),
      covered('heron.example'),
      covered('egret.example'),
    )
    const second = await one({ license_number: '000777-R-000888-001' })
    expect(second).toMatchObject({
      license_ref: first.license_ref,
      license_number: '000777-R-000888-002',
      status: 'suspended',
      listed: true,
      first_seen_at: '2026-01-03T00:00:00.000Z',
      last_seen_at: '2026-01-05T00:00:00.000Z',
    })
    expect(domainsOf(second)).toEqual(['egret.example', 'heron.example'])

    await service.sync('ukgc', 7, heron, license('another', 'heron'))
    const gone = await one({ license_ref: first.license_ref })
    expect(gone).toMatchObject({
      license_number: '000777-R-000888-002',
      status: 'suspended',
      listed: false,
      last_seen_at: '2026-01-05T00:00:00.000Z',
      last_confirmed_at: '2026-01-05T00:00:00.000Z',
      authorized_domains: [],
    })
    expect(await one({ license_number: '000777-R-000888' })).toEqual(gone)

    await service.load({ kind: 'license', jurisdiction: 'jersey', license_number: '000777-R-000888-002' })
    expect(await one({ license_number: '000777-R-000888-002' })).toMatchObject({
      jurisdiction: 'jersey',
      listed: true,
    })
    expect(await one({ license_number: '000777-R-000888-002', jurisdiction: 'ukgc' })).toEqual(gone)

    await service.sync('ukgc', 9, heron, versioned('003'), license('another', 'heron'))
    expect(await one({ license_ref: first.license_ref })).toMatchObject({
      license_number: '000777-R-000888-003',
      listed: true,
      last_seen_at: '2026-01-09T00:00:00.000Z',
    })
  })
})
