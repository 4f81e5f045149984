import { createHash } from 'node:crypto'
import type { Reading } from '@baize/registers'
import { compactVerify, createLocalJWKSet } from 'jose'
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
import { canonicalJson } from '../receipts/index.ts'
import { approveRegime, enterRegime } from '../regimes/index.ts'

let service: TestService
let customer: Customer
let lateMs = 0

beforeAll(async () => {
  service = await startService({ now: () => new Date(Date.now() + lateMs) })
  customer = await service.customer({ credits: 1_000 })
})
beforeEach(() => emptyRegisters(service.service.live.database))
afterAll(() => service.close())

const sync = (number: number, readings: Reading[], key = 'malta.sites') =>
  syncApproved(service.service.live, fakeStream(key), [fileOf(...readings)], {
    takenAt: day(number),
    now: day(number),
  })

/** A day of January 2026, whose end is after its snapshot. */
const jan = (number: number) => day(number).toISOString().slice(0, 10)

const get = (parameters: Record<string, string>, path = '/v1/domains/resolve') =>
  customer.ask(`${path}?${new URLSearchParams(parameters)}`)
const resolve = async (parameters: Record<string, string>) =>
  (await get({ domain: 'a.example', ...parameters })).body

const wordOn = async (number: number) => (await resolve({ as_of: jan(number) })).data.verdict

async function databaseTime(): Promise<string> {
  const { rows } = await sql<{ now: Date }>`
    select date_trunc('milliseconds', clock_timestamp()) as now`.execute(service.service.live.database)
  return (rows[0] as { now: Date }).now.toISOString()
}

const site = authorisation('a.example', { licenseKey: 'L1' })
const licenseOf2014 = { issuedAt: '2014-05-01T00:00:00.000Z' }
const licensed = [licensee('C1'), license('L1', 'C1', licenseOf2014), site]

test('An entry counts from its own date until its own deletion or the first list without it', async () => {
  await sync(1, [entry('other.example')])
  await sync(5, [entry('a.example', { listedAt: day(3).toISOString() })])
  await sync(9, [
    entry('a.example', {
      listed: false,
      listedAt: day(3).toISOString(),
      delistedAt: day(7).toISOString(),
    }),
    entry('b.example'),
  ])
  await sync(12, [entry('other.example')])
  for (const [number, word] of [
    [2, 'no_record'],
    [3, 'blocklisted'],
    [6, 'blocklisted'],
    [7, 'no_record'],
    [10, 'no_record'],
  ] as const)
    expect([number, await wordOn(number)]).toEqual([number, word])
  const b = async (number: number) =>
    (await resolve({ domain: 'b.example', as_of: jan(number) })).data.verdict
  expect([await b(8), await b(9), await b(11), await b(12)]).toEqual([
    ...['no_record', 'blocklisted', 'blocklisted', 'no_record'],
  ])
})

test('A domain added to an old license is licensed from its own first snapshot on', async () => {
  await sync(1, [licensee('C1'), license('L1', 'C1', licenseOf2014), authorisation('b.example')])
  await sync(4, licensed)
  await sync(8, [licensee('C1'), license('L1', 'C1', { ...licenseOf2014, status: 'revoked' }), site])
  expect([await wordOn(3), await wordOn(4), await wordOn(7), await wordOn(8)]).toEqual([
    ...['no_record', 'licensed', 'licensed', 'no_record'],
  ])
})

test('In a first snapshot the date of the license counts, and the answer says so', async () => {
  await sync(3, licensed)
  const { data, message } = await resolve({ as_of: '2015-01-01' })
  expect(data.licensed_by).toEqual([{ geo: 'malta', license_number: 'L1-001', basis: 'register_date' }])
  const tracked = [{ stream: 'malta.sites', tracked_from: day(3).toISOString() }]
  expect(data.checked.before_tracking).toEqual(tracked)
  expect(message).toBe('OK')
  const earlier = await resolve({ as_of: '2014-04-30' })
  expect(earlier.data.verdict).toBe('no_record')
  expect(earlier.message).toBe('OK. 1 stream of today had not been read by then ("before_tracking").')
  const later = await resolve({ as_of: jan(3) })
  expect(later.data.licensed_by).toEqual([{ geo: 'malta', license_number: 'L1-001' }])
  expect(later.data.checked.before_tracking).toEqual([])
})

test('A discard is later knowledge: an earlier known_at gives the same bytes as then', async () => {
  await sync(1, licensed)
  const { snapshot_ref } = await sync(2, [licensee('C1'), entry('a.example')])
  const live = (await get({ domain: 'a.example' })).text
  const before = await databaseTime()
  await discardSnapshot(service.service.live, {
    snapshotRef: snapshot_ref as string,
    reason: 'a wrong file',
    now: day(3),
  })
  const then = (await get({ domain: 'a.example', as_of: before, known_at: before })).text
  const sent = `"as_of":"${before}","known_at":"${before}",`
  const untimed = (text: string) =>
    text
      .replace(sent, '')
      .replace(',"before_tracking":[]', '')
      .replace(/"(timestamp|as_of|oldest_snapshot_at)":"[^"]*"/g, '')
  expect(untimed(then)).toBe(untimed(live))
  expect((await resolve({})).data.verdict).toBe('licensed')
  expect((await resolve({ as_of: jan(2) })).data.verdict).toBe('licensed')
  expect((await resolve({ as_of: jan(2), known_at: before })).data.verdict).toBe('blocklisted')
})

test('A first snapshot that is discarded later still starts licenses as known before', async () => {
  const { snapshot_ref } = await sync(3, licensed)
  const before = await databaseTime()
  const times = { as_of: '2015-01-01', known_at: before }
  const answer = await resolve(times)
  expect(answer.data.licensed_by).toMatchObject([{ basis: 'register_date' }])
  const discard = { snapshotRef: snapshot_ref as string, reason: 'a wrong file', now: day(4) }
  await discardSnapshot(service.service.live, discard)
  const between = await databaseTime()
  await sync(5, licensed)
  const known = async (parameters: Record<string, string>) => {
    const { verdict, licensed_by, checked } = (await resolve(parameters)).data
    return { verdict, licensed_by, before_tracking: checked.before_tracking }
  }
  const { verdict, licensed_by, checked } = answer.data
  expect(await known(times)).toEqual({ verdict, licensed_by, before_tracking: checked.before_tracking })
  expect(await known({ ...times, known_at: between })).toMatchObject({ verdict: 'no_record' })
  expect(await known({ as_of: '2015-01-01' })).toMatchObject({
    verdict: 'licensed',
    before_tracking: [{ stream: 'malta.sites', tracked_from: day(5).toISOString() }],
  })
})

test('A license keeps when it was first seen, as known before its only snapshot was discarded', async () => {
  const { snapshot_ref } = await sync(3, licensed)
  const time = await databaseTime()
  const firstSeen = async (times: Record<string, string>) => {
    const ofNumber = await get({ license_number: 'L1-001', ...times }, '/v1/licenses/resolve')
    const ofSite = await resolve({ 'include[]': 'licenses', ...times })
    return [...ofNumber.body.data.licenses, ...ofSite.data.observations.licenses].map(
      each => each.first_seen_at,
    )
  }
  const then = { as_of: time, known_at: time }
  expect(await firstSeen(then)).toEqual([licenseOf2014.issuedAt, licenseOf2014.issuedAt])
  const discard = { snapshotRef: snapshot_ref as string, reason: 'a wrong file', now: day(4) }
  await discardSnapshot(service.service.live, discard)
  await sync(5, [licensee('C1')])
  await sync(7, licensed)
  expect(await firstSeen({})).toEqual([day(7).toISOString(), day(7).toISOString()])
  expect(await firstSeen(then)).toEqual([licenseOf2014.issuedAt, licenseOf2014.issuedAt])
})

/** The payload of a receipt, whose signature another library verifies. */
async function signedBy(receipt: string) {
  const keys = (await customer.ask('/.well-known/jwks.json')).body
  const { payload } = await compactVerify(receipt, createLocalJWKSet(keys))
  return JSON.parse(new TextDecoder().decode(payload))
}

test('A receipt of another day has both times and the evidence that a receipt had then', async () => {
  await sync(1, licensed)
  const { snapshot_ref } = await sync(2, [...licensed, entry('a.example')])
  const live = await signedBy((await resolve({ receipt: 'true' })).data.receipt)
  const liveLicense = await get({ license_number: 'L1-001', receipt: 'true' }, '/v1/licenses/resolve')
  const profile = await signedBy(liveLicense.body.data.receipt)
  const time = await databaseTime()
  const discard = { snapshotRef: snapshot_ref as string, reason: 'a wrong file', now: day(3) }
  await discardSnapshot(service.service.live, discard)
  await sync(4, [licensee('C1')])
  const times = { as_of: time, known_at: time, receipt: 'true' }
  const { receipt, ...answer } = (await resolve(times)).data
  const then = await signedBy(receipt)
  expect(then).toMatchObject({ verdict: 'mixed', licensed_by: live.licensed_by, evidence: live.evidence })
  expect(then.request).toMatchObject({ operation: 'resolve_domain', as_of: time, known_at: time })
  expect(then.answer_sha256).toBe(createHash('sha256').update(canonicalJson(answer)).digest('hex'))
  const ofLicense = await get({ license_number: 'L1-001', ...times }, '/v1/licenses/resolve')
  const license = await signedBy(ofLicense.body.data.receipt)
  expect(license).toMatchObject({ evidence: profile.evidence, request: { as_of: time, known_at: time } })
  const ofList = await customer.ask('/v1/domains/resolve', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ ...times, domains: ['a.example', 'b.example'], receipt: true }),
  })
  const list = await signedBy(ofList.body.data.receipt)
  expect([list.items.length, list.request.known_at]).toEqual([2, time])
  expect(list.evidence).toEqual(live.evidence)
  const day1 = await signedBy((await resolve({ as_of: jan(1), receipt: 'true' })).data.receipt)
  expect([day1.verdict, day1.request.as_of]).toEqual(['licensed', `${jan(1)}T23:59:59.999Z`])
  expect((await signedBy((await resolve({ receipt: 'true' })).data.receipt)).verdict).toBe('no_record')
})

test('The licenses of a site are shown as they were on another day', async () => {
  await sync(1, licensed)
  const first = (await resolve({ 'include[]': 'licenses' })).data.observations.licenses
  const time = await databaseTime()
  await sync(4, [licensee('C1'), license('L1', 'C1', { ...licenseOf2014, status: 'suspended' }), site])
  await sync(8, [licensee('C1')])
  const licenses = async (times: Record<string, string>) => {
    const { observations, credits_charged } = (await resolve({ 'include[]': 'licenses', ...times })).data
    expect([observations.status, credits_charged]).toEqual(['not_observed', 1])
    return observations.licenses
  }
  expect(await licenses({ as_of: time, known_at: time })).toEqual(first)
  expect(await licenses({ as_of: jan(5) })).toMatchObject([{ license_number: 'L1-001', status: 'suspended' }])
  expect(await licenses({ as_of: jan(9) })).toEqual([])
  const ofNobody = { domain: 'neverheard.example', as_of: jan(5), 'include[]': 'licenses' }
  expect((await resolve(ofNobody)).data.observations.licenses).toEqual([])
})

test('A license that leaves its register later changes nothing of an answer about a day before', async () => {
  await sync(1, licensed)
  const known_at = await databaseTime()
  const ofLicense = async () => {
    const parameters = { license_number: 'L1-001', as_of: jan(1), known_at }
    return (await get(parameters, '/v1/licenses/resolve')).body.data.licenses
  }
  const before = await ofLicense()
  await sync(2, [...licensed, entry('b.example')])
  await sync(5, [licensee('C1')])
  expect(await ofLicense()).toEqual(before)
})

test('A batch of another day answers in order, echoes both times, and costs the same', async () => {
  await sync(1, licensed)
  await sync(4, [licensee('C1')])
  const known_at = await databaseTime()
  const body = { domains: ['b.example', 'https://a.example/x', 'nonsense'], as_of: jan(2), known_at }
  const { body: answer } = await customer.ask('/v1/domains/resolve', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  })
  expect(answer.data).toMatchObject({ as_of: jan(2), known_at, credits_charged: 2 })
  expect(answer.data.verdicts.map((each: { verdict: string }) => each.verdict)).toEqual([
    ...['no_record', 'licensed'],
  ])
  expect(answer.data.unresolved).toMatchObject([{ index: 2, code: 'invalid_domain' }])
  const empty = await customer.ask('/v1/domains/resolve', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ ...body, domains: ['nonsense'] }),
  })
  expect(empty.body.data.checked).toMatchObject({ registers: 1, blocklists: 1 })
})

test('Streams of another moment are named as they were then', async () => {
  const { snapshot_ref } = await sync(1, licensed)
  const known_at = await databaseTime()
  await sync(2, [licensee('C1')])
  await sync(2, [entry('a.example')], 'poland.list')
  const { data } = await resolve({ known_at, checked_streams: 'true' })
  expect(data.checked.streams).toMatchObject([
    { stream: 'malta.sites', snapshot_ref, last_snapshot_at: day(1).toISOString() },
  ])
  expect(data.checked).toMatchObject({ registers: 1, blocklists: 1 })
})

test('Times that are wrong, later than now or combined with stored evidence are refused', async () => {
  await sync(1, licensed)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const problems: [Record<string, string>, string][] = [
    [{ as_of: 'yesterday' }, '"as_of" must be a day such as'],
    [{ as_of: '2026-02-30' }, '"as_of" must be a day such as'],
    [{ as_of: tomorrow }, '"as_of" must be a day such as'],
    [{ known_at: tomorrow.slice(0, 10) }, '"known_at" must be a day such as'],
    [{ as_of: jan(2), 'include[]': 'logos' }, '"as_of" cannot be combined with "include[]".'],
    [{ known_at: jan(2), max_age_days: '3' }, '"known_at" cannot be combined with "max_age_days".'],
  ]
  for (const [parameters, message] of problems) {
    const { status, body } = await get({ domain: 'a.example', ...parameters })
    expect([status, body.errors.code]).toEqual([400, 'invalid_parameter'])
    expect(body.message).toContain(message)
  }
  const today = new Date().toISOString().slice(0, 10)
  expect((await resolve({ as_of: today, known_at: today })).data.verdict).toBe('licensed')
})

test('A known_at before the first fact is refused with the earliest one', async () => {
  const never = await get({ domain: 'a.example', known_at: '2020-01-01' })
  expect([never.status, never.body.errors]).toEqual([
    400,
    { code: 'before_history', details: { earliest: null } },
  ])
  await sync(1, licensed)
  const asked = [
    await get({ domain: 'a.example', known_at: '2020-01-01' }),
    await get({ license_number: 'L1-001', known_at: '2020-01-01' }, '/v1/licenses/resolve'),
  ]
  for (const { status, body } of asked) {
    expect([status, body.errors.code]).toEqual([400, 'before_history'])
    const { earliest } = body.errors.details
    expect((await resolve({ known_at: earliest })).data.verdict).toBe('licensed')
  }
})

test('A license has its state and domains of the day, and is a 404 before it began', async () => {
  await sync(1, [licensee('C1'), authorisation('b.example')])
  const early = await databaseTime()
  const issuedAt = day(3).toISOString()
  await sync(4, [licensee('C1'), license('L1', 'C1', { issuedAt }), site])
  await sync(6, [licensee('C1'), license('L1', 'C1', { issuedAt, status: 'suspended' }), entry('c.example')])
  await sync(8, [licensee('C1')])
  const read = async (parameters: Record<string, string>) => {
    const { status, body } = await get({ license_number: 'L1-001', ...parameters }, '/v1/licenses/resolve')
    if (status !== 200) return [status, body.errors.code]
    const [profile] = body.data.licenses
    return [profile.listed, profile.status, profile.authorized_domains.length, body.data.as_of ?? null]
  }
  expect(await read({ as_of: jan(2) })).toEqual([404, 'not_found'])
  expect(await read({ known_at: early })).toEqual([404, 'not_found'])
  expect(await read({ as_of: jan(3) })).toEqual([true, 'active', 0, jan(3)])
  expect(await read({ as_of: jan(5) })).toEqual([true, 'active', 1, jan(5)])
  expect(await read({ as_of: jan(7) })).toEqual([true, 'suspended', 0, jan(7)])
  expect(await read({ as_of: jan(9) })).toEqual([false, 'suspended', 0, jan(9)])
  expect(await read({})).toEqual([false, 'suspended', 0, null])
})

test('Clocks of writers that differ by a minute do not move what was known when', async () => {
  const at = (number: number, skewMs: number) => {
    const takenAt = new Date(Date.now() - 600_000 + number)
    return { takenAt, now: new Date(Date.now() + skewMs) }
  }
  const { live } = service.service
  const answered: [string, string][] = []
  const note = async () => answered.push([await databaseTime(), (await resolve({})).data.verdict])
  const malta = fakeStream('malta.sites')
  await syncApproved(live, malta, [fileOf(...licensed)], at(1, 60_000))
  await note()
  await syncApproved(live, fakeStream('poland.list'), [fileOf(entry('a.example'))], at(2, -60_000))
  await note()
  await syncApproved(live, malta, [fileOf(licensee('C1'))], at(3, 0))
  await note()
  expect(answered.map(([, word]) => word)).toEqual(['licensed', 'mixed', 'blocklisted'])
  for (const [time, word] of answered)
    expect((await resolve({ as_of: time, known_at: time })).data.verdict).toBe(word)
  const ofOther = new Date(Date.now() + 50_000).toISOString()
  expect((await resolve({ known_at: ofOther })).data.verdict).toBe('blocklisted')
})

test('A regime is shown on the days on which it was in force and known', async () => {
  await sync(1, licensed, 'sweden.sites')
  const before = await databaseTime()
  const { live } = service.service
  const entered = { market: 'sweden', vertical: 'all', state: 'suspended', from: jan(5), to: null } as const
  const sourced = { ...entered, source_url: 'https://law.example/', note: null }
  const now = new Date(Date.parse(before) + 1)
  const { regime_ref } = await enterRegime(live, sourced, { why: 'a test', by: null, now })
  await approveRegime(live, regime_ref, { by: null, now })
  lateMs += 5_000 // answers read regimes once in two seconds
  const regimeOf = async (parameters: Record<string, string>) =>
    (await resolve(parameters)).data.licensed_by[0]?.regime?.state ?? null
  expect(await regimeOf({ as_of: jan(4) })).toBe(null)
  expect(await regimeOf({ as_of: jan(6) })).toBe('suspended')
  expect(await regimeOf({ as_of: jan(6), known_at: before })).toBe(null)
})
