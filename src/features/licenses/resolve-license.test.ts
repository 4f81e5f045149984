import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '../../../test/harness/client.ts'
import { readDemoRecords } from '../../../test/harness/demo-world.ts'
import { eventually } from '../../../test/harness/eventually.ts'
import type { Customer } from '../../../test/harness/service.ts'
import { demoKey } from '../../core/api-key.ts'
import { mergeCompanies } from '../companies/index.ts'
import {
  creditsUsed,
  type LicenseService,
  type Parameters,
  refused,
  resolveLicense,
  resolveOne,
  startLicenseService,
} from './fixture.ts'

const path = '/v1/licenses/resolve'

let service: LicenseService
let customer: Customer
beforeAll(async () => {
  service = await startLicenseService({ world: 'demo' })
  customer = await service.customer({ credits: 10_000_000 })
})
afterAll(() => service.close())

const resolve = (parameters: Parameters, caller: Customer = customer, headers = {}) =>
  resolveLicense(caller, parameters, headers)
const one = (parameters: Parameters) => resolveOne(customer, parameters)

describe('the profile of a license', () => {
  test('a license profile has the holder, the entry in the register, and every covered domain', async () => {
    const found = await one({ license_number: 'MGA/B2C/9901/2019', jurisdiction: 'mga' })
    expect(found).toEqual({
      license_ref: expect.stringMatching(/^lic_\w{20}$/),
      company_ref: expect.stringMatching(/^co_\w{20}$/),
      company_name: 'Ottermoor Gaming',
      legal_entity: 'Ottermoor Gaming Limited',
      jurisdiction: 'mga',
      license_number: 'MGA/B2C/9901/2019',
      license_type: 'Gaming Service - B2C',
      status: 'active',
      issued_at: '2019-07-01',
      expires_at: '2029-06-30',
      first_seen_at: '2024-01-16T06:00:00.000Z',
      last_seen_at: '2026-10-01T06:00:00.000Z',
      last_confirmed_at: null,
      listed: true,
      source_url: 'https://registers.example/mga/mga-b2c-9901-2019',
      authorized_domains: [
        {
          domain_ref: expect.stringMatching(/^dom_\w{20}$/),
          domain: 'luckyotter.example',
          inferred_geo: 'GB',
        },
        {
          domain_ref: expect.stringMatching(/^dom_\w{20}$/),
          domain: 'otterroyale.example',
          inferred_geo: 'MT',
        },
      ],
    })
  })

  test('every license has the same profile by its number and by its ref', async () => {
    const licenses = (await readDemoRecords()).filter(record => record.kind === 'license')
    expect(licenses.length).toBeGreaterThan(30)
    for (const { jurisdiction, license_number, authorized_domains = [] } of licenses) {
      const found = await one({ license_number, jurisdiction })
      expect(found).toMatchObject({ jurisdiction, license_number, listed: true })
      const domains = found.authorized_domains.map((each: { domain: string }) => each.domain)
      expect(domains).toEqual([...authorized_domains].sort())
      expect(await one({ license_ref: found.license_ref })).toEqual(found)
    }
  })

  test('a license profile names the Company that its holder was merged into', async () => {
    await service.load(
      { kind: 'company', key: 'old', company_name: 'Old Heron' },
      { kind: 'company', key: 'new', company_name: 'New Heron' },
      { kind: 'license', jurisdiction: 'jersey', license_number: 'HERON-1', company: 'old' },
      { kind: 'license', jurisdiction: 'jersey', license_number: 'HERON-2', company: 'new' },
    )
    const [old, heir] = [await one({ license_number: 'HERON-1' }), await one({ license_number: 'HERON-2' })]
    const { live } = service.service
    const merge = { from: old.company_ref, into: heir.company_ref, reason: 'one bird', now: new Date() }
    await mergeCompanies(live, merge)
    expect(await one({ license_number: 'HERON-1' })).toMatchObject({
      license_ref: old.license_ref,
      company_ref: heir.company_ref,
      company_name: 'New Heron',
    })
  })

  test('a license profile has no Company if the source names no holder', async () => {
    await service.load({ kind: 'license', jurisdiction: 'jersey', license_number: 'ORPHAN-1' })
    expect(await one({ license_number: 'ORPHAN-1' })).toMatchObject({
      company_ref: null,
      company_name: null,
      legal_entity: null,
      authorized_domains: [],
    })
  })
})

describe('inputs of license resolve', () => {
  test('a license_ref is resolved, and all other inputs are returned as ignored', async () => {
    const { license_ref: ref } = await one({ license_number: 'HKT009901' })
    const { body } = await resolve({ license_ref: ref, license_number: 'nobody has it', jurisdiction: 'mga' })
    expect(body.data).toMatchObject({
      resolved_by: 'license_ref',
      ignored_inputs: { license_number: 'nobody has it', jurisdiction: 'mga' },
      licenses: [{ license_number: 'HKT009901', jurisdiction: 'estonia' }],
    })
    const misspelt = { license_number: ' ', jurisdiction: 'atlantis' }
    const unread = await resolve({ license_ref: ref, ...misspelt })
    expect([unread.status, unread.body.data.ignored_inputs]).toEqual([200, misspelt])
    const alone = await resolve({ license_number: 'HKT009901' })
    expect(alone.body.data).toMatchObject({ resolved_by: 'license_number', ignored_inputs: {} })
  })

  test('not_found: an unknown license_ref is a 404, even beside a known license number', async () => {
    const careful = await service.customer()
    for (const ref of ['lic_00000000000000000000', 'x', 'co_00000000000000000000']) {
      const response = await resolve({ license_ref: ref, license_number: 'HKT009901' }, careful)
      expect(refused(response), ref).toEqual([404, 'not_found'])
    }
    expect(await creditsUsed(careful)).toBe(0)
  })

  test.each([
    [{}, 'missing_parameter', 'license_number'],
    [{ jurisdiction: 'ukgc' }, 'missing_parameter', 'license_number'],
    [{ license_number: 'HKT009901', jurisdiction: 'atlantis' }, 'invalid_parameter', 'jurisdiction'],
    [{ license_number: '' }, 'invalid_parameter', 'license_number'],
    [{ license_number: ' ' }, 'invalid_parameter', 'license_number'],
    [{ license_number: 'x'.repeat(201) }, 'invalid_parameter', 'license_number'],
    [{ license_ref: 'x'.repeat(65) }, 'invalid_parameter', 'license_ref'],
    [{ license_number: 'HKT009901', max_credits: -1 }, 'invalid_parameter', 'max_credits'],
    [{ license_number: 'HKT009901', max_credit: 3 }, 'unknown_parameter', 'max_credit'],
  ])('license resolve of %j is a 400: %s', async (parameters, code, parameter) => {
    const { status, body } = await resolve(parameters as unknown as Parameters)
    expect([status, body.errors.code, body.errors.details.parameter]).toEqual([400, code, parameter])
  })

  test('license resolve without a key is a 401', async () => {
    expect((await service.ask(`${path}?license_number=HKT009901`)).status).toBe(401)
  })
})

describe('the bill of license resolve', () => {
  test('license resolve with max_credits below 3 is rejected without a charge', async () => {
    const careful = await service.customer({ credits: 10 })
    const { status, body } = await resolve({ license_number: 'HKT009901', max_credits: 2 }, careful)
    expect([status, body.errors]).toEqual([
      402,
      { code: 'max_credits_exceeded', details: { quoted_credits: 3, max_credits: 2 } },
    ])
    expect(await creditsUsed(careful)).toBe(0)
    const paid = await resolve({ license_number: 'HKT009901', max_credits: 3 }, careful)
    expect(paid.body.data.billing).toMatchObject({ credits_charged: 3, max_credits: 3 })
    expect([paid.headers.get('x-credits-charged'), paid.headers.get('x-credits-remaining')]).toEqual([
      '3',
      '7',
    ])
  })

  test('license resolve is charged once per Idempotency-Key, and other parameters are a 409', async () => {
    const buyer = await service.customer({ credits: 3 })
    const once = { 'idempotency-key': 'one-license' }
    const first = await resolve({ license_number: 'HKT009901' }, buyer, once)
    const poor = await resolve({ license_number: 'HKT009901' }, buyer)
    expect([poor.status, poor.body.errors]).toEqual([
      429,
      { code: 'quota_exceeded', details: { granted: 3, used: 3, reserved: 0, required: 3 } },
    ])
    const again = await resolve({ license_number: 'HKT009901' }, buyer, once)
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      first.text,
      'true',
    ])
    expect(refused(await resolve({ license_number: 'HKT009902' }, buyer, once))).toEqual([
      409,
      'idempotency_key_reused',
    ])
    expect(await creditsUsed(buyer)).toBe(3)
  })

  test('license resolve with the demo key has a simulated bill', async () => {
    const { body } = await service.ask(`${path}?license_number=099101-R-339101-004&jurisdiction=ukgc`, {
      key: demoKey,
    })
    expect(body.data).toMatchObject({ demo: true, simulated: true, billing: { billing_reason: 'simulated' } })
  })
})

test('service_unavailable: a table locked for too long is a free 503 with Retry-After', async () => {
  const careful = await service.customer()
  const response = await withClient(service.database.connection, async client => {
    await client.query('begin; lock table license_states in access exclusive mode')
    const answer = resolve({ license_number: 'HKT009901' }, careful)
    await eventually('a statement waits, and is ended', async () => {
      await client.query('select pg_stat_clear_snapshot()')
      const { rowCount } = await client.query(
        `select pg_cancel_backend(pid) from pg_stat_activity
          where datname = current_database()
             and wait_event_type = 'Lock'
             and application_name = 'baize public'`,
      )
      return rowCount
    })
    await client.query('rollback')
    return answer
  })
  expect(refused(response)).toEqual([503, 'service_unavailable'])
  expect(response.headers.get('retry-after')).toBe('2')
  expect(await creditsUsed(careful)).toBe(0)
})
