import { type BlocklistRow, findStream, type Reading, type Stream } from '@baize/registers'
import type { Difference } from '@baize/registers/guard'
import { fileOfBytes } from '@baize/tables'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { day, entry, fakeStream, fileOf, openTestWorld, type TestWorld } from '../fixture.ts'
import { listRegisters } from '../list-registers.ts'
import { approveSnapshot } from './approve-snapshot.ts'
import { syncRegister } from './sync-register.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const poland = fakeStream('poland.blocklist')
/** The lists of this stream in these tests are shorter than any real one. */
const estonia = {
  ...(findStream('estonia.blocklist') as Stream),
  rowsMin: 1,
}
const hosts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `n${String(from + index).padStart(4, '0')}.example`)
const rows = (from: number, to: number, fields: Partial<BlocklistRow> = {}) =>
  hosts(from, to).map(host => entry(host, fields))

function sync(number: number, entries: BlocklistRow[], stream = poland) {
  return syncRegister(testWorld.world, stream, [fileOf(...entries)], {
    takenAt: day(number),
    now: day(number),
  })
}

function syncText(number: number, text: string) {
  const options = { takenAt: day(number), now: day(number) }
  return syncRegister(testWorld.world, estonia, [fileOfBytes('list.txt', text)], options)
}

const removalsOf = (removed: number) =>
  `${removed} of 100 entries would be removed; the bound is 10 ` +
  '(2 %, without an earlier change to compare with; of a short list 10, at most a third)'

function approve(ref: string | null, number: number, why = 'the regulator confirmed it') {
  return approveSnapshot(testWorld.world, {
    snapshotRef: ref as string,
    reason: why,
    findStream: async () => poland,
    now: day(number),
  })
}

test('a snapshot with a new column is quarantined, and the column is named in any characters', async () => {
  const malta = findStream('mga.licensees') as Stream
  const licensee = (number: number) => ({
    companyName: `Otter ${number}`,
    authorisationNumber: `MGA/B2C/${number}/2010`,
    registrationNumber: `C ${number}`,
  })
  const syncJson = (number: number, items: object[]) =>
    syncRegister(testWorld.world, malta, [fileOfBytes('list.json', JSON.stringify(items))], {
      takenAt: day(number),
      now: day(number),
    })
  const licensees = Array.from({ length: 17 }, (_, number) => licensee(number))
  expect(await syncJson(1, licensees)).toMatchObject({ status: 'applied' })
  const widened = [...licensees, { ...licensee(17), 'x\0y': 1, '\ud800': 2 }]
  expect(await syncJson(2, widened)).toMatchObject({
    status: 'held',
    reasons: [expect.stringContaining('x\ufffdy')],
  })
})

describe('a snapshot that loses too much', () => {
  test('a quarantined snapshot changes no fact, and reports its changes and the reason', async () => {
    await sync(1, rows(0, 100))
    const before = await testWorld.factsInForce()
    const report = await sync(2, [...rows(0, 30), ...rows(31, 100, {}).slice(0, 30)])
    expect(report).toMatchObject({ status: 'held', removed: 40, added: 0, signals: 0 })
    expect(report.reasons).toContain(removalsOf(40))
    expect(await testWorld.factsInForce()).toEqual(before)
    expect(await testWorld.rowsOf('signals')).toEqual([])
    const [stream] = await testWorld.rowsOf('register_streams')
    expect(stream).toMatchObject({ snapshot_number: 1, last_taken_at: day(1) })
  })

  test('a quarantined snapshot stores examples of each kind of change for its review', async () => {
    await sync(1, rows(0, 100))
    const moved = { listedAt: day(1).toISOString() }
    const { snapshot_ref } = await sync(2, [...rows(40, 99), ...rows(99, 100, moved), ...rows(100, 130)])
    const stored = (await testWorld.rowsOf('register_snapshots')).at(-1)
    expect(stored).toMatchObject({ snapshot_ref, added: 30, removed: 40 })
    const changes = Object.groupBy(stored?.difference as Difference[], each => each.change)
    expect([changes.added?.length, changes.removed?.length]).toEqual([8, 8])
    expect(changes.added?.[0]).toEqual({
      kind: 'blocklist_entry',
      change: 'added',
      name: 'n0100.example',
      fields: [],
    })
    expect(changes.changed?.[0]).toMatchObject({
      name: 'n0099.example',
      fields: [{ name: 'listed_at', before: null, after: expect.stringContaining('2') }],
    })
  })

  test("an approval applies a quarantined snapshot's stored rows, with a reason and Signals", async () => {
    await sync(1, rows(0, 100))
    const { snapshot_ref } = await sync(2, rows(50, 100))
    expect(await approve(snapshot_ref, 3)).toMatchObject({
      status: 'applied',
      removed: 50,
      signals: 50,
      snapshot_ref,
    })
    expect(await testWorld.factsInForce()).toHaveLength(100)
    expect((await testWorld.rowsOf('register_snapshots')).at(-1)).toMatchObject({
      status: 'applied',
      number: 2,
      approved_because: 'the regulator confirmed it',
      hold_reasons: expect.arrayContaining([removalsOf(50)]),
    })
  })

  test('a quarantined snapshot that is synced again is the same snapshot', async () => {
    await sync(1, rows(0, 100))
    const first = await sync(2, rows(50, 100))
    const second = await sync(3, rows(50, 100))
    expect(second).toMatchObject({ status: 'held', snapshot_ref: first.snapshot_ref, reasons: first.reasons })
    expect(await testWorld.rowsOf('register_snapshots')).toHaveLength(2)
  })

  test('of two quarantined snapshots with one time, only the later one can be approved', async () => {
    await sync(1, rows(0, 100))
    const first = await sync(2, rows(50, 100))
    const second = await sync(2, rows(60, 100))
    expect(second).toMatchObject({ status: 'held', removed: 60 })
    const again = await sync(2, rows(60, 100))
    expect(again).toMatchObject({ snapshot_ref: second.snapshot_ref, reasons: second.reasons })
    const [listed] = await listRegisters(testWorld.world, [poland], day(5))
    expect(listed?.held).toMatchObject({ snapshot_ref: second.snapshot_ref, reasons: second.reasons })
    expect(await approve(first.snapshot_ref, 3)).toMatchObject({ status: 'refused' })
    expect(await approve(second.snapshot_ref, 3)).toMatchObject({ status: 'applied', removed: 60 })
  })

  test('an older quarantined snapshot stays behind the newer one, even when synced again', async () => {
    await sync(1, rows(0, 100))
    const newer = await sync(5, rows(50, 100))
    const older = await sync(3, rows(60, 100))
    expect(await sync(3, rows(60, 100))).toMatchObject({ snapshot_ref: older.snapshot_ref })
    const [listed] = await listRegisters(testWorld.world, [poland], day(5))
    expect(listed?.held).toMatchObject({ snapshot_ref: newer.snapshot_ref })
    expect(await approve(older.snapshot_ref, 6)).toMatchObject({ status: 'applied', removed: 60 })
  })

  test('an older quarantined snapshot is in review again if its file is published again', async () => {
    await sync(1, rows(0, 100))
    await sync(5, rows(50, 100))
    await sync(3, rows(60, 100))
    const { snapshot_ref } = await sync(6, rows(60, 100))
    const [listed] = await listRegisters(testWorld.world, [poland], day(5))
    expect(listed?.held).toMatchObject({ snapshot_ref, taken_at: day(6) })
  })

  test('a good snapshot supersedes the quarantined one, whose approval is refused', async () => {
    await sync(1, rows(0, 100))
    const { snapshot_ref } = await sync(2, rows(50, 100))
    expect(await sync(3, rows(0, 101))).toMatchObject({ status: 'applied', added: 1, removed: 0 })
    expect(await approve(snapshot_ref, 4)).toMatchObject({
      status: 'refused',
      reasons: [`${snapshot_ref} does not await approval: its status is "superseded"`],
    })
    expect((await testWorld.rowsOf('register_streams'))[0]).toMatchObject({ quarantined_snapshot_id: null })
  })

  test('an older good snapshot does not end the quarantine of a newer one', async () => {
    await sync(1, rows(0, 100))
    const { snapshot_ref } = await sync(5, rows(50, 100))
    expect(await sync(3, rows(0, 101))).toMatchObject({ status: 'applied', added: 1 })
    expect(await approve(snapshot_ref, 6)).toMatchObject({ status: 'applied', removed: 51 })
  })

  test('a later confirmation of the unchanged list supersedes the quarantined snapshot', async () => {
    await sync(1, rows(0, 100))
    const { snapshot_ref } = await sync(2, rows(50, 100))
    expect(await sync(3, rows(0, 100))).toMatchObject({ status: 'unchanged' })
    expect(await approve(snapshot_ref, 4)).toMatchObject({ status: 'refused' })
  })

  test('a quarantined snapshot that is approved twice is applied once', async () => {
    await sync(1, rows(0, 100))
    const { snapshot_ref } = await sync(2, rows(50, 100))
    await approve(snapshot_ref, 3)
    expect(await approve(snapshot_ref, 3)).toMatchObject({ status: 'refused' })
    expect(await testWorld.rowsOf('signals')).toHaveLength(50)
  })

  test('an approval of a quarantined snapshot without a reason is refused', async () => {
    await sync(1, rows(0, 100))
    const { snapshot_ref } = await sync(2, rows(50, 100))
    await expect(approve(snapshot_ref, 3, '  ')).rejects.toThrow('must have 1 to 2000 characters')
    await expect(approve('snap_nobody', 3)).rejects.toThrow('There is no snapshot snap_nobody.')
  })
})

test('a list that grows many times over gives a Signal for each new entry', async () => {
  await sync(1, rows(0, 5))
  expect(await sync(2, rows(0, 90))).toMatchObject({ status: 'applied', added: 85, signals: 85 })
  const { snapshot_ref } = await sync(3, rows(0, 5))
  expect(await approve(snapshot_ref, 3)).toMatchObject({ removed: 85, signals: 85 })
  expect(await sync(4, rows(0, 90))).toMatchObject({ added: 85, signals: 85 })
})

test('a snapshot that grows to more than twice the rows is noted, not quarantined', async () => {
  await sync(1, rows(0, 20))
  const { status, notices } = await sync(2, rows(0, 60))
  expect(status).toBe('applied')
  expect(notices).toContainEqual({
    notice: 'grew to more than twice the rows',
    count: 1,
    examples: ['20 to 60'],
  })
})

test('a snapshot whose file newly ends inside a line is quarantined', async () => {
  const text = `${hosts(0, 40).join('\n')}\n`
  await syncText(1, text)
  const grown = await syncText(2, `new.example\n${text}second-new.exam`)
  expect(grown).toMatchObject({ status: 'held', reasons: [expect.stringContaining('ends inside a line')] })
})

test('an approval reports the rows of the file, including rejected rows', async () => {
  const stream = fakeStream('poland.blocklist', { rowsMin: 100 })
  const unusable: Reading[] = Array.from({ length: 40 }, (_, line) => ({
    record: 'reject',
    reason: 'unparsable',
    line,
    published: '?',
  }))
  const options = { takenAt: day(1), now: day(1) }
  const files = [fileOf(...unusable, ...rows(0, 30))]
  const { snapshot_ref } = await syncRegister(testWorld.world, stream, files, options)
  expect(await approve(snapshot_ref, 2)).toMatchObject({ status: 'applied', rows: 70 })
})

describe('a file that is cut off', () => {
  const list = (number: number) => `${hosts(0, number).join('\n')}\n`

  test('a file that is cut off inside its last record is quarantined', async () => {
    await syncText(1, list(40))
    const report = await syncText(2, list(40).slice(0, -5))
    expect(report).toMatchObject({
      status: 'held',
      reasons: [
        '"list.txt" is the beginning of the last snapshot\'s file: it may be cut off',
        '"list.txt" ends inside a line, unlike the last snapshot\'s file: it may be cut off',
        'missing entries: 1, all of them at the end of the last file (cut off?)',
      ],
    })
  })

  test('a file that is cut off between two records is quarantined, even if it lacks only one', async () => {
    await syncText(1, list(40))
    expect((await syncText(2, list(39))).reasons).toEqual([
      '"list.txt" is the beginning of the last snapshot\'s file: it may be cut off',
      'missing entries: 1, all of them at the end of the last file (cut off?)',
    ])
  })

  test('a file that is cut off after growth at the top is quarantined', async () => {
    await syncText(1, list(40))
    expect(await syncText(2, `new.example\n${list(37)}`)).toMatchObject({
      status: 'held',
      added: 1,
      removed: 3,
    })
  })

  test('a file that lacks records only in the middle is applied', async () => {
    await syncText(1, list(40))
    const without = hosts(0, 40).filter(host => host !== 'n0007.example')
    expect(await syncText(2, `${without.join('\n')}\n`)).toMatchObject({
      status: 'applied',
      removed: 1,
      signals: 1,
    })
  })
})

test('another order of the same records is not a change', async () => {
  await sync(1, rows(0, 20))
  expect(await sync(2, rows(0, 20).reverse())).toMatchObject({
    status: 'applied',
    added: 0,
    removed: 0,
    changed: 0,
    signals: 0,
  })
})
