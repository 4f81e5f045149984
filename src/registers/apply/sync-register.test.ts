import { findStream, type Reading, type Stream } from '@baize/registers'
import { fileOfBytes, Refusal } from '@baize/tables'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { verifyListings, verifyVerdicts } from '../../features/domains/index.ts'
import {
  authorisation,
  day,
  entry,
  fakeStream,
  fileOf,
  license,
  licensee,
  openTestWorld,
  syncApproved,
  type TestWorld,
} from '../fixture.ts'
import { syncRegister } from './sync-register.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(async () => {
  const { differences } = await verifyVerdicts(testWorld.world.database)
  const counts = await verifyListings(testWorld.world.database)
  await testWorld.empty()
  expect({ differences, counts }).toEqual({ differences: [], counts: [] })
})
afterAll(() => testWorld.close())

const poland = fakeStream('poland.blocklist')
const applyingMoment = (takenAt: Date) => new Date(takenAt.getTime() + 3_600_000)

function sync(stream: Stream, takenAt: Date, ...readings: Reading[]) {
  return syncApproved(testWorld.world, stream, [fileOf(...readings)], {
    takenAt,
    now: applyingMoment(takenAt),
  })
}

const openEntries = async () =>
  (await testWorld.rowsOf('blocklist_entries')).filter(row => row.known_to === null)

describe('a snapshot', () => {
  test('a snapshot is applied once, and the same file only confirms it later', async () => {
    const first = await sync(poland, day(1), entry('a.example'), entry('b.example'))
    expect(first).toMatchObject({
      status: 'applied',
      rows: 2,
      added: 2,
      removed: 0,
      changed: 0,
      accepted: { domain: 2 },
    })
    const before = await testWorld.factsInForce()

    const again = await sync(poland, day(2), entry('a.example'), entry('b.example'))
    expect(again).toMatchObject({ status: 'unchanged', snapshot_ref: first.snapshot_ref, rows: 2, added: 0 })
    expect(await testWorld.factsInForce()).toEqual(before)
    expect(await testWorld.rowsOf('register_snapshots')).toHaveLength(1)
    expect(await testWorld.rowsOf('register_streams')).toMatchObject([
      { last_taken_at: day(2), last_confirmed_at: day(2) },
    ])
    expect(await testWorld.rowsOf('register_runs')).toMatchObject([
      { status: 'applied' },
      { status: 'unchanged' },
    ])
  })

  test('a snapshot with its rows in another order changes nothing', async () => {
    await sync(poland, day(1), entry('a.example'), entry('b.example'))
    const before = await testWorld.rowsOf('blocklist_entries')
    const report = await sync(poland, day(2), entry('b.example'), entry('a.example'))
    expect(report).toMatchObject({ status: 'applied', added: 0, removed: 0, changed: 0 })
    expect(await testWorld.rowsOf('blocklist_entries')).toEqual(before)
  })

  test('an unchanged list is reported with the rejected rows of the new file', async () => {
    await sync(poland, day(1), entry('a.example'))
    const rejected: Reading = { record: 'reject', reason: 'unparsable', line: 2, published: 'b.example' }
    const report = await sync(poland, day(2), entry('a.example'), rejected)
    expect(report).toMatchObject({ status: 'unchanged', rows: 2, rejected: 1 })
  })

  test('rows of a snapshot that were added with other line ends are applied', async () => {
    const france = findStream('france.blocklist') as Stream
    const listed = (...hosts: string[]) => hosts.map(host => `X;${host};13/06/2024`)
    const before = ['SITE;URL;DATE DE LA DECISION', ...listed('a-bet.com', 'b-bet.com')].join('\r\n')
    const syncFile = (content: string, takenAt: Date) =>
      syncApproved(testWorld.world, france, [fileOfBytes('list.csv', content)], { takenAt, now: takenAt })
    await syncFile(`${before}\r\n`, day(1))
    const after = `${before}\r\n${listed('c-bet.com', 'd-bet.com').join('\n')}\n`
    expect(await syncFile(after, day(2))).toMatchObject({ status: 'applied', added: 2, rejected: 0 })
  })

  test('a snapshot of several files does not depend on their order', async () => {
    const files = [fileOf(entry('a.example')), fileOf(entry('b.example'))]
    await syncRegister(testWorld.world, poland, files, { takenAt: day(1), now: day(1) })
    const again = await syncRegister(testWorld.world, poland, files.toReversed(), {
      takenAt: day(2),
      now: day(2),
    })
    expect(again.status).toBe('unchanged')
  })

  test('a snapshot is read again when the parser has changed', async () => {
    await sync(poland, day(1), entry('a.example'))
    const report = await sync({ ...poland, parserVersion: 2 }, day(1), entry('a.example'))
    expect(report).toMatchObject({ status: 'unchanged', corrected: true, added: 0, removed: 0, changed: 0 })
  })

  test('a snapshot reports rejects and notices, with a bounded sample', async () => {
    const rejects = Array.from(
      { length: 100 },
      (_, line): Reading => ({
        record: 'reject',
        reason: 'not_a_domain',
        line,
        published: 'x'.repeat(1_000),
      }),
    )
    const notice: Reading = { record: 'notice', notice: 'odd', published: 'this' }
    const report = await sync(
      poland,
      day(1),
      ...Array.from({ length: 101 }, (_, number) => entry(`n${number}.example`)),
      entry('n7.example'),
      ...rejects,
      notice,
      notice,
    )
    expect(report).toMatchObject({
      rows: 202,
      rejected: 101,
      rejected_by_reason: { not_a_domain: 100, duplicate: 1 },
      accepted: { domain: 101 },
      notices: [{ notice: 'odd', count: 2, examples: ['this', 'this'] }],
    })
    expect(report.rejects).toHaveLength(10)
    expect(report.rejects[0]?.published.length).toBeLessThan(300)
  })
})

describe('a refused snapshot', () => {
  const failing = (error: Error): Stream => ({
    ...poland,
    async *read() {
      yield entry('c.example')
      throw error
    },
  })

  test.each([
    [
      'if its parser refuses it',
      failing(new Refusal('column "Host" is missing')),
      day(3),
      'column "Host" is missing',
    ],
    [
      'if the parser’s message quotes a zero byte and half a character',
      failing(new Refusal('"list.json" is not whole JSON: unexpected "\0\ud83e"')),
      day(3),
      '"list.json" is not whole JSON: unexpected "\ufffd\ufffd"',
    ],
    ['if no row can be used', poland, day(3), 'none of 1 row could be used: empty 1'],
    ['if it is older than the last', poland, day(1), 'before the last one'],
    ['if another was taken at that moment', poland, day(2), 'other content'],
    ['if it is dated in the future', poland, day(30), 'in the future'],
  ])('a snapshot is refused, and only the run is written, %s', async (_, stream, takenAt, reason) => {
    await sync(poland, day(2), entry('a.example'))
    const before = await testWorld.factsInForce()
    const file = fileOf({ record: 'reject', reason: 'empty', line: 1, published: '' })
    const report = await syncRegister(testWorld.world, stream, [file], { takenAt, now: day(4) })
    expect(report).toMatchObject({
      status: 'refused',
      snapshot_ref: null,
      reasons: [expect.stringContaining(reason)],
    })
    expect(await testWorld.factsInForce()).toEqual(before)
    expect(await testWorld.rowsOf('register_snapshots')).toHaveLength(1)
    expect(await testWorld.rowsOf('register_streams')).toMatchObject([
      { last_taken_at: day(2), last_run_at: day(4) },
    ])
    expect(await testWorld.rowsOf('register_runs')).toMatchObject([
      {},
      { status: 'refused', reasons: report.reasons },
    ])
  })

  test('a snapshot with a zero byte in a row is refused', async () => {
    const report = await sync(poland, day(1), entry('a.example', { published: 'a\0b' }))
    expect(report).toMatchObject({ status: 'refused', reasons: [expect.stringContaining('zero byte')] })
  })
})

test('a sync closes only rows of its own stream', async () => {
  const italy = fakeStream('italy.blocklist')
  await sync(poland, day(1), entry('a.example'), entry('b.example'))
  await sync(italy, day(1), entry('a.example'))
  expect(await testWorld.verdictOf('a.example')).toBe('blocklisted [{"geo":"italy"},{"geo":"poland"}]')
  await sync(poland, day(2), entry('b.example'))
  expect(await testWorld.verdictOf('a.example')).toBe('blocklisted [{"geo":"italy"}]')
})

test('only entries of scope `domain` change the verdict, and all entries are stored', async () => {
  const path = entry('a.example', { scope: 'path', published: 'a.example/casino' })
  const account = entry('PL1', { scope: 'payment_account', domain: null })
  const report = await sync(poland, day(1), path, account)
  expect(report.accepted).toEqual({ path: 1, payment_account: 1 })
  expect(await testWorld.verdictOf('a.example')).toBe('no_record')
  expect(await openEntries()).toHaveLength(2)
})

test('licenses and licensees are applied before domains that name them, in any order', async () => {
  const report = await sync(
    fakeStream('malta.licences'),
    day(1),
    authorisation('a.example', { licenseKey: 'L1', licenseeKey: 'C1' }),
    license('L1', 'C1'),
    licensee('C1'),
  )
  expect(report).toMatchObject({ added: 2, accepted: { licensee: 1, license: 1, authorisation: 1 } })
  expect(await testWorld.verdictOf('a.example')).toBe('licensed [{"geo":"malta","license_number":"L1-001"}]')
  expect(await testWorld.rowsOf('domain_companies')).toMatchObject([
    { relation: 'licensee', stream: 'malta.licences' },
  ])
})
