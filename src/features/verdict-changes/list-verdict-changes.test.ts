import type { Reading } from '@baize/registers'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Customer, startService, type TestService } from '../../../test/harness/service.ts'
import {
  authorisation,
  day,
  emptyRegisters,
  entry,
  fakeStream,
  fileOf,
  license,
  licensee,
  syncApproved,
} from '../../registers/fixture.ts'
import { discardSnapshot } from '../../registers/index.ts'
import { lapseLicenses } from '../facts/index.ts'

let service: TestService
let customer: Customer

beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  await emptyRegisters(service.service.live.database)
  customer = await service.customer({ credits: 100 })
  await sync(1, register('active'))
  await sync(2, [entry('b.example')], 'italy.list')
  await sync(4, [...register('revoked'), authorisation('b.example')])
})
afterAll(() => service.close())

const register = (status: string): Reading[] => [
  licensee('C1'),
  license('L1', 'C1', { status }),
  authorisation('a.example', { licenseKey: 'L1' }),
]
const sync = (number: number, readings: Reading[], key = 'ukgc.sites') =>
  syncApproved(service.service.live, fakeStream(key), [fileOf(...readings)], {
    takenAt: day(number),
    now: day(number),
  })

async function page(parameters: Record<string, string> = {}) {
  const query = new URLSearchParams(parameters)
  const { status, body } = await customer.ask(`/v1/signals/verdict-changes?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const shown = (changes: Record<string, { verdict: string }>[]) =>
  changes.map(({ domain, before, after, cause }) => [domain, before?.verdict, after?.verdict, cause])

const first = ['a.example', 'no_record', 'licensed', 'coverage']
const second = ['b.example', 'no_record', 'blocklisted', 'coverage']
const third = ['a.example', 'licensed', 'no_record', 'register']
const fourth = ['b.example', 'blocklisted', 'mixed', 'register']

test('The feed has each change with both sides and its Signals, and charges only news', async () => {
  const data = await page()
  expect(shown(data.changes)).toEqual([first, second, third, fourth])
  expect(data).toMatchObject({ total: 4, has_more: false, credits_charged: 2 })
  const [, , revoked, mixed] = data.changes
  expect(revoked.before.licensed_by).toEqual([{ geo: 'ukgc', license_number: 'L1-001' }])
  expect(revoked).toMatchObject({ occurred_at: day(4).toISOString(), is_correction: false })
  const signals = (await customer.ask('/v1/signals/register-changes?jurisdiction=ukgc')).body.data.signals
  expect(signals.map((signal: { signal_ref: string }) => signal.signal_ref)).toEqual(
    expect.arrayContaining([...revoked.signal_refs, ...mixed.signal_refs]),
  )
  expect([revoked.signal_refs.length, mixed.signal_refs.length]).toEqual([1, 1])
})

test('A cursor delivers each change once, also those that come later', async () => {
  const seen = []
  let after: string | undefined
  for (let number = 0; number < 4; number += 1) {
    const data = await page({ page_size: '1', ...(after === undefined ? {} : { after }) })
    seen.push(...data.changes)
    expect(data.has_more).toBe(number < 3)
    after = data.next_cursor as string
  }
  expect(shown(seen)).toEqual([first, second, third, fourth])
  const quiet = await page({ after: after as string, page_size: '1' })
  expect(quiet).toMatchObject({ changes: [], next_cursor: after, credits_charged: 0 })
  await sync(6, register('active'))
  expect(shown((await page({ after: after as string })).changes)).toEqual([
    ['a.example', 'no_record', 'licensed', 'register'],
    ['b.example', 'mixed', 'blocklisted', 'register'],
  ])
})

test('Filters by word, market and day count and return only what matches', async () => {
  const words = async (parameters: Record<string, string>) => {
    const data = await page(parameters)
    expect(data.total).toBe(data.changes.length)
    return shown(data.changes)
  }
  expect(await words({ verdict_before: 'licensed' })).toEqual([third])
  expect(await words({ verdict_after: 'mixed' })).toEqual([fourth])
  expect(await words({ geo: 'italy' })).toEqual([second, fourth])
  expect(await words({ occurred_from: '2026-01-02', occurred_to: '2026-01-03' })).toEqual([second])
})

test('A discarded snapshot takes its changes back, free of charge', async () => {
  const { snapshot_ref } = await sync(6, [licensee('C1')])
  const before = await page({ page_size: '100' })
  await discardSnapshot(service.service.live, {
    snapshotRef: snapshot_ref as string,
    reason: 'a wrong file',
    now: day(7),
  })
  const { changes, credits_charged } = await page({ after: before.next_cursor, page_size: '100' })
  expect(shown(changes)).toEqual([['b.example', 'blocklisted', 'mixed', 'register']])
  expect(credits_charged).toBe(0)
  expect(changes[0]).toMatchObject({ is_correction: true, correction_of: before.changes.at(-1).change_ref })
})

test('A lapse of a license has its own day, and a discard does not name it as taken back', async () => {
  const { live } = service.service
  await sync(6, [...register('revoked'), authorisation('b.example')])
  const { snapshot_ref } = await sync(7, [
    ...register('revoked'),
    license('L2', 'C1', { status: null, expiresAt: '2099-01-31T00:00:00.000Z' }),
    authorisation('b.example', { licenseKey: 'L2' }),
    authorisation('c.example', { licenseKey: 'L2' }),
    entry('c.example'),
  ])
  await sql`update license_states set expires_at = '2020-01-31' where license_number = 'L2-001'`.execute(
    live.database,
  )
  const { changes: applied, next_cursor } = await page({ page_size: '100' })
  expect(applied.at(-1)).toMatchObject({ domain: 'c.example', after: { verdict: 'mixed' } })
  expect(await lapseLicenses(live.database)).toBe(2)
  const { changes: lapses, ...lapsed } = await page({ after: next_cursor })
  expect(shown(lapses)).toEqual([
    ['b.example', 'mixed', 'blocklisted', 'register'],
    ['c.example', 'mixed', 'blocklisted', 'register'],
  ])
  for (const lapse of lapses)
    expect(lapse).toMatchObject({ occurred_at: '2020-02-01T00:00:00.000Z', signal_refs: [] })
  await discardSnapshot(live, { snapshotRef: snapshot_ref as string, reason: 'a wrong file', now: day(9) })
  const { changes: corrections } = await page({ after: lapsed.next_cursor })
  expect(corrections.at(-1)).toMatchObject({
    domain: 'c.example',
    after: { verdict: 'no_record' },
    correction_of: applied.at(-1).change_ref,
  })
})

test('Wrong cursors, other filters and a ceiling that is too low are refused', async () => {
  const { next_cursor: after } = await page({ page_size: '2' })
  const refused = async (parameters: Record<string, string>) => {
    const { status, body } = await customer.ask(
      `/v1/signals/verdict-changes?${new URLSearchParams(parameters)}`,
    )
    return [status, body.errors.code]
  }
  expect(await refused({ after: 'vc1_x.y' })).toEqual([400, 'invalid_cursor'])
  expect(await refused({ after, geo: 'italy' })).toEqual([400, 'cursor_filter_mismatch'])
  expect(await refused({ page_size: '101' })).toEqual([400, 'invalid_parameter'])
  expect(await refused({ max_credits: '1' })).toEqual([402, 'max_credits_exceeded'])
  customer = await service.customer({ credits: 1 })
  expect(await refused({})).toEqual([429, 'quota_exceeded'])
})
