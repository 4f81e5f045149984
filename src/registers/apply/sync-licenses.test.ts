import type { Reading } from '@baize/registers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { verifyReplay } from '../../verify/replay.ts'
import {
  authorisation,
  day,
  fakeStream,
  fileOf,
  license,
  licensee,
  openTestWorld,
  syncApproved,
  type TestWorld,
} from '../fixture.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const malta = fakeStream('malta.licences')

function sync(number: number, ...readings: Reading[]) {
  return syncApproved(testWorld.world, malta, [fileOf(...readings)], {
    takenAt: day(number),
    now: day(number),
  })
}

const site = authorisation('a.example', { licenseKey: 'L1', licenseeKey: 'C1' })

describe('a license', () => {
  test('a new version counter in a license number is stored in the history, and not reported', async () => {
    await sync(10, licensee('C1'), license('L1', 'C1', { licenseNumber: '39028-R-319297-021' }), site)
    const report = await sync(
      12,
      licensee('C1'),
      license('L1', 'C1', { licenseNumber: '39028-R-319297-022' }),
      site,
    )
    expect(report).toMatchObject({
      added: 0,
      removed: 0,
      changed: 0,
      notices: [{ notice: 'license changed in unreported details only', count: 1 }],
    })
    expect(await testWorld.rowsOf('license_states')).toMatchObject([
      { license_number: '39028-R-319297-021', known_from: day(10), known_to: day(12), last_seen_at: day(10) },
      { license_number: '39028-R-319297-022', known_from: day(12), known_to: null, last_seen_at: null },
    ])
    expect(await testWorld.verdictOf('a.example')).toContain('319297-022')
  })

  test('a license whose status is revoked is changed, and its domains lose their verdict', async () => {
    await sync(10, licensee('C1'), license('L1', 'C1'), site)
    const report = await sync(12, licensee('C1'), license('L1', 'C1', { status: 'revoked' }), site)
    expect(report).toMatchObject({ added: 0, removed: 0, changed: 1 })
    expect(await testWorld.rowsOf('license_states')).toMatchObject([
      { status: 'active' },
      { status: 'revoked' },
    ])
    expect(await testWorld.verdictOf('a.example')).toBe('no_record')
  })

  test('a snapshot in which two licenses of one domain change, and nothing else, is applied', async () => {
    const sites = ['L1', 'L2'].map(licenseKey =>
      authorisation('a.example', { recordKey: `${licenseKey} a`, licenseKey, licenseeKey: 'C1' }),
    )
    const licenses = (fields: Parameters<typeof license>[2]) =>
      ['L1', 'L2'].map(key => license(key, 'C1', fields))
    await sync(10, licensee('C1'), ...licenses({}), ...sites)
    const report = await sync(12, licensee('C1'), ...licenses({ status: 'revoked' }), ...sites)
    expect(report).toMatchObject({ status: 'applied', changed: 2 })
    expect(await testWorld.verdictOf('a.example')).toBe('no_record')
  })

  test('a license that is removed and returns has the same ref as before', async () => {
    await sync(10, licensee('C1'), license('L1', 'C1'), license('L2', 'C1'))
    const [before] = (await testWorld.rowsOf('licenses')).filter(row => row.record_key === 'L1')
    expect(await sync(11, licensee('C1'), license('L2', 'C1'))).toMatchObject({ removed: 1 })
    expect(await sync(12, licensee('C1'), license('L1', 'C1'), license('L2', 'C1'))).toMatchObject({
      added: 1,
    })
    const [after] = (await testWorld.rowsOf('licenses')).filter(row => row.record_key === 'L1')
    expect(after).toEqual(before)
  })

  test('a license is first seen on its issue date in a first snapshot, or else at the snapshot', async () => {
    const issuedAt = day(2).toISOString()
    await sync(10, licensee('C1'), license('L1', 'C1', { issuedAt }))
    await sync(12, licensee('C1'), license('L1', 'C1', { issuedAt }), license('L2', 'C1', { issuedAt }))
    expect(await testWorld.rowsOf('licenses')).toMatchObject([
      { first_seen_at: day(2) },
      { first_seen_at: day(12) },
    ])
  })

  test('a license that moves to another licensee moves its domains too', async () => {
    const unnamed = authorisation('a.example', { licenseKey: 'L1' })
    await sync(10, licensee('C1'), licensee('C2'), license('L1', 'C1'), unnamed)
    const report = await sync(12, licensee('C1'), licensee('C2'), license('L1', 'C2'), unnamed)
    expect(report).toMatchObject({ added: 0, removed: 0, changed: 1 })
    const [, second] = await testWorld.rowsOf('companies')
    expect(second).toMatchObject({ legal_entity: 'C2 Limited' })
    expect(await testWorld.rowsOf('domain_companies')).toMatchObject([
      { known_to: day(12) },
      { known_to: null, company_id: second?.id },
    ])
  })
})

test('a license that returns is no market entry, unlike a new one', async () => {
  await sync(10, licensee('C1'), license('L1', 'C1'), license('L2', 'C1'))
  await sync(11, licensee('C1'), license('L2', 'C1'))
  await sync(12, licensee('C1'), license('L1', 'C1'), license('L2', 'C1'), license('L3', 'C1'))
  const entries = async () =>
    (await testWorld.rowsOf('signals')).filter(row => row.is_market_entry).map(row => row.record_key)
  expect(await entries()).toEqual(['L3'])
  expect((await verifyReplay(testWorld.world, testWorld.connection)).differences).toEqual([])
})

describe('an authorisation', () => {
  test('an authorisation that is removed is closed, and was last seen in the previous snapshot', async () => {
    await sync(10, authorisation('a.example'), authorisation('b.example'))
    expect(await sync(12, authorisation('b.example'))).toMatchObject({ added: 0, removed: 1, changed: 0 })
    const stored = await testWorld.rowsOf('authorisations')
    expect(stored.find(row => row.record_key === 'a.example')).toMatchObject({
      known_from: day(10),
      known_to: day(12),
      last_seen_at: day(10),
    })
    expect(await testWorld.verdictOf('a.example')).toBe('no_record')
  })

  test('an authorisation whose license or licensee is missing is stored without it, and noted', async () => {
    const report = await sync(10, site)
    expect(report.notices).toEqual([
      { notice: 'names a license that the snapshot does not contain', count: 1, examples: ['L1'] },
      { notice: 'names a licensee that the snapshot does not contain', count: 1, examples: ['C1'] },
    ])
    expect(await testWorld.verdictOf('a.example')).toBe('licensed [{"geo":"malta","license_number":null}]')
  })
})

describe('a licensee', () => {
  const companies = async () =>
    (await testWorld.rowsOf('companies')).map(
      ({ company_name, legal_entity, subject_kind, role, brands, country }) => {
        return { company_name, legal_entity, subject_kind, role, brands, country }
      },
    )

  test('a licensee is a Company with its legal name, and an operator once it has a domain', async () => {
    await sync(
      10,
      licensee('C1', { tradingNames: ['Zed', 'Ace', 'Zed'] }),
      licensee('C2'),
      license('L1', 'C1'),
      site,
    )
    const legal = { subject_kind: 'legal_entity', country: 'GB' }
    expect(await companies()).toEqual([
      {
        ...legal,
        company_name: 'C1 Limited',
        legal_entity: 'C1 Limited',
        role: ['operator'],
        brands: ['Ace', 'Zed'],
      },
      { ...legal, company_name: 'C2 Limited', legal_entity: 'C2 Limited', role: ['unknown'], brands: [] },
    ])
    await sync(12, licensee('C1'), licensee('C2'))
    expect((await companies()).map(({ role }) => role)).toEqual([['operator'], ['unknown']])
  })

  test('a renamed licensee stays the same Company, which remains when the licensee is removed', async () => {
    await sync(10, licensee('C1'), license('L1', 'C1'))
    const [before] = await testWorld.rowsOf('companies')
    const report = await sync(11, licensee('C1', { legalName: 'New Limited' }), license('L1', 'C1'))
    expect(report).toMatchObject({ status: 'applied', added: 0, removed: 0, changed: 0 })
    const [after] = await testWorld.rowsOf('companies')
    expect(after).toMatchObject({ company_ref: before?.company_ref, legal_entity: 'New Limited' })
    await sync(12, licensee('C9'), license('L1', 'C9'))
    expect(await testWorld.rowsOf('companies')).toHaveLength(2)
  })
})
