import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommandHere } from '../../test/harness/command.ts'
import { declaredData } from '../../test/harness/declared-schema.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { type Customer, startService, type TestService } from '../../test/harness/service.ts'

let service: TestService
let customer: Customer
let directory: TestDirectory
beforeAll(async () => {
  service = await startService()
  customer = await service.customer({ credits: 1_000 })
  directory = await createTestDirectory()
})
afterAll(async () => {
  await service.close()
  await directory.remove()
})

const run = (...args: string[]) =>
  runCommandHere(args, { DATA_DIR: directory.path, DATABASE_URL: service.database.url })

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

async function sync(stream: string, content: string, hours: number) {
  const file = join(directory.path, 'register.txt')
  await writeFile(file, content)
  return json('register', 'sync', stream, '--file', file, '--taken-at', hoursAgo(hours))
}

const number = (of: number) => `MGA/B2C/${of}/2026`
const licensees = (...numbers: number[]) =>
  JSON.stringify(
    numbers.map(of => ({
      companyName: `Heron ${of} Limited`,
      authorisationNumber: number(of),
      registrationNumber: `C ${of}`,
    })),
  )
const all = Array.from({ length: 40 }, (_, index) => 9001 + index)
const syncMalta = (numbers: number[], hours: number) => sync('mga.licensees', licensees(...numbers), hours)

async function feed(path: string, caller = customer) {
  const { status, body } = await caller.ask(`/v1/signals/${path}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data
}
const changes = 'register-changes?jurisdiction=mga'
const entries = 'market-entries?role=operator&market=mga'

const resolved = async (path: string) => {
  const { status, body } = await customer.ask(path)
  return [status, body.errors?.code]
}
const licenseOf = (of: number) =>
  resolved(`/v1/licenses/resolve?jurisdiction=mga&license_number=${number(of)}`)

describe('a discarded snapshot', () => {
  let ref = ''
  let newcomer = ''
  const wrong = [...all.slice(1), 9101, 9102]

  test('discarding a snapshot reverses its facts, and the history shows the snapshot in force', async () => {
    const baseline = await syncMalta(all, 6)
    const confirmed = await syncMalta(all, 5)
    expect(confirmed.status).toBe('unchanged')
    const report = await syncMalta(wrong, 4)
    ref = report.snapshot_ref
    expect(report).toMatchObject({ status: 'applied', added: 2, removed: 1, signals: 3 })
    newcomer = (await feed(entries)).signals[0].subject.company_ref
    expect(await licenseOf(9101)).toEqual([200, undefined])

    const { code, stdout } = await run('register', 'discard', ref, '--why', 'another register')
    expect([code, stdout]).toEqual([0, expect.stringContaining('3 correcting signals')])
    expect(stdout).toContain(`back at ${baseline.snapshot_ref}`)
    expect(await licenseOf(9101)).toEqual([404, 'not_found'])
    expect(await licenseOf(9001)).toEqual([200, undefined])
    expect(await resolved(`/v1/companies/resolve?company_ref=${newcomer}`)).toEqual([404, 'not_found'])
    expect(await resolved(`/v1/companies/${newcomer}/people?role=ceo`)).toEqual([404, 'not_found'])
    const found = await customer.ask('/v1/companies/search/preview?q=heron%209101')
    expect(found.body.data.total_count).toBe(0)
    const [discarded, applied] = await json('register', 'history', 'mga.licensees')
    expect(discarded).toMatchObject({
      status: 'discarded',
      snapshot_ref: ref,
      discarded_because: 'another register',
    })
    expect(applied).toMatchObject({ status: 'applied', snapshot_ref: ref, signals: 3 })
    const stream = (await json('register', 'list')).find(
      (each: { stream: string }) => each.stream === 'mga.licensees',
    )
    expect(stream).toMatchObject({
      last_snapshot: { snapshot_ref: baseline.snapshot_ref },
      open_facts: { licenses: 40 },
    })
    expect(new Date(stream.last_confirmed_at).getTime()).toBeCloseTo(new Date(hoursAgo(5)).getTime(), -5)
  })

  test('a discarded snapshot has a correcting Signal for each of its Signals, in both feeds', async () => {
    const { signals, total } = await feed(changes)
    expect(declaredData('list_register_changes')(await feed(changes))).toBeNull()
    expect(total).toBe(6)
    const pairs = signals.slice(3).map((signal: (typeof signals)[number]) => {
      const of = signals.find((each: { signal_ref: string }) => each.signal_ref === signal.correction_of)
      expect(signal).toMatchObject({
        headline: `Taken back: ${of.headline}`,
        subject: of.subject,
        license: of.license,
        change: { occurred_at: of.change.occurred_at },
      })
      const [was, is] = [of.change.change_set, signal.change.change_set]
      expect([was.before, was.after]).toEqual([is.after, is.before])
      return [of.change.event_type, signal.change.event_type]
    })
    expect(pairs.toSorted()).toEqual([
      ['added_to_register', 'removed_from_register'],
      ['added_to_register', 'removed_from_register'],
      ['removed_from_register', 'returned_to_register'],
    ])
    const market = await feed(entries)
    expect(declaredData('list_market_entries')(market)).toBeNull()
    expect(
      market.signals.map((signal: (typeof market.signals)[number]) => [
        signal.correction_of,
        signal.change.type,
      ]),
    ).toEqual([
      [null, 'license_issued'],
      [null, 'license_issued'],
      [market.signals[1].signal_ref, 'license_issue_retracted'],
      [market.signals[0].signal_ref, 'license_issue_retracted'],
    ])
  })

  test('Signals that correct a discarded snapshot are free, also without a balance', async () => {
    const used = async (of: Customer) => (await of.ask('/v1/account')).body.data.credits_used
    const poor = await service.customer({ credits: 3 })
    const mixed = await feed(`${changes}&page_size=5&max_credits=3`, poor)
    expect(mixed.signals).toHaveLength(5)
    expect(mixed.billing).toEqual({
      credits_charged: 3,
      breakdown: [{ key: 'signal.base', units: 3, credits_per_unit: 1, credits_charged: 3 }],
      max_credits: 3,
    })
    expect([mixed.has_more, await used(poor)]).toEqual([true, 3])
    const after = encodeURIComponent(mixed.next_cursor)
    const url = `/v1/signals/${changes}&page_size=5&max_credits=0&after=${after}`
    const rest = await poor.ask(url, { headers: { 'idempotency-key': 'rest' } })
    expect([rest.status, rest.headers.get('x-credits-charged')]).toEqual([200, '0'])
    expect(rest.body.data).toMatchObject({
      total: 6,
      has_more: false,
      billing: { credits_charged: 0, breakdown: [] },
    })
    expect(rest.body.data.signals).toHaveLength(1)
    expect(await used(poor)).toBe(3)
    const dear = await poor.ask(`/v1/signals/${changes}&max_credits=2`)
    expect([dear.status, dear.body.errors.details]).toEqual([402, { quoted_credits: 3, max_credits: 2 }])
  })

  test('a snapshot can be discarded once, and only while it is the latest one', async () => {
    const refused = async (snapshot: string, why = 'again') => {
      const { code, stderr } = await run('register', 'discard', snapshot, '--why', why)
      expect(code).not.toBe(0)
      return stderr
    }
    const before = await json('register', 'history', 'mga.licensees')
    expect(await refused(ref)).toContain(`${ref} has already been discarded: another register`)
    expect(await refused('snap_unknown')).toContain('There is no snapshot snap_unknown.')
    const good = await syncMalta([...all, 9201], 3)
    const later = await syncMalta([...all, 9201, 9202], 2)
    expect(await refused(good.snapshot_ref)).toContain(`Discard ${later.snapshot_ref} first.`)
    expect(await refused(later.snapshot_ref, ' ')).toContain('1 to 2000 characters')
    const { code, stderr } = await run('register', 'discard', later.snapshot_ref)
    expect([code, stderr]).toEqual([2, expect.stringContaining('--why')])
    expect(await json('register', 'history', 'mga.licensees')).toHaveLength(before.length + 2)
  })

  test('a discarded snapshot can be synced again, with new Signals', async () => {
    const total = (await feed(changes)).total
    const { report } = { report: await syncMalta([...wrong, 9201, 9202], 1) }
    expect(report).toMatchObject({ status: 'applied', signals: 3 })
    expect((await feed(changes)).total).toBe(total + 3)
    expect(await licenseOf(9101)).toEqual([200, undefined])
    expect(await json('verify', '--no-replay')).toMatchObject({ ok: true })
    expect(await json('verify')).toMatchObject({ ok: true })
  })
})

describe('a discarded baseline', () => {
  const hosts = (of: string, hosts = 210) =>
    Array.from({ length: hosts }, (_, each) => `${of}-${each}.example\n`).join('')
  const verdict = async (domain: string) =>
    (await customer.ask(`/v1/domains/resolve?domain=${domain}`)).body.data.verdict

  test('discarding a baseline empties its stream without Signals, and allows another sync', async () => {
    const first = await sync('belgium.blocklist', hosts('wrong'), 3)
    const report = await json('register', 'discard', first.snapshot_ref, '--why', 'the French list')
    expect(report).toEqual({
      stream: 'belgium.blocklist',
      snapshot_ref: first.snapshot_ref,
      status: 'discarded',
      was_applied: true,
      current_ref: null,
      taken_at: null,
      signals: 0,
    })
    expect(await verdict('wrong-1.example')).toBe('no_record')
    const page = await feed('register-changes?jurisdiction=belgium')
    expect(page).toMatchObject({ total: 0, sources: [{ truth_state: 'not_covered' }] })

    const again = await sync('belgium.blocklist', hosts('wrong'), 3)
    expect(again).toMatchObject({ status: 'applied', added: 210, signals: 0 })
    expect(await verdict('wrong-1.example')).toBe('blocklisted')
    await json('register', 'discard', again.snapshot_ref, '--why', 'again the French list')
    expect(await sync('belgium.blocklist', hosts('right'), 4)).toMatchObject({
      status: 'applied',
      signals: 0,
    })
    expect([await verdict('wrong-1.example'), await verdict('right-1.example')]).toEqual([
      'no_record',
      'blocklisted',
    ])
  })

  test('discarding a quarantined baseline ends its quarantine, and the last good data stays', async () => {
    const file = join(directory.path, 'cut.txt')
    await writeFile(file, hosts('right', 20))
    const { code, stdout } = await run('register', 'sync', 'belgium.blocklist', '--file', file, '--json')
    expect(code).toBe(1)
    const { snapshot_ref: ref, status } = JSON.parse(stdout)
    expect(status).toBe('held')
    const report = await json('register', 'discard', ref, '--why', 'cut')
    expect(report).toMatchObject({ snapshot_ref: ref, was_applied: false, signals: 0 })
    expect(report.current_ref).not.toBe(ref)
    expect(await verdict('right-1.example')).toBe('blocklisted')
    const page = await feed('register-changes?jurisdiction=belgium')
    expect(page.sources[0].truth_state).not.toBe('held')
    const again = await run('register', 'discard', ref, '--why', 'cut')
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already been discarded: cut')])
  })
})
