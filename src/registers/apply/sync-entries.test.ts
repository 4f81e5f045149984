import type { Reading, Stream } from '@baize/registers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { day, entry, fakeStream, fileOf, openTestWorld, syncApproved, type TestWorld } from '../fixture.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const poland = fakeStream('poland.blocklist')
/** This register publishes dates of deletion. */
const czechia = fakeStream('czechia.blocklist')

const hour = 3_600_000
const appliedAt = (number: number) => new Date(day(number).getTime() + hour)

function sync(stream: Stream, number: number, ...readings: Reading[]) {
  return syncApproved(testWorld.world, stream, [fileOf(...readings)], {
    takenAt: day(number),
    now: appliedAt(number),
  })
}

/** Returns the history of one entry, oldest first, without the columns that all rows share. */
async function historyOf(recordKey: string) {
  const rows = await testWorld.rowsOf('blocklist_entries')
  return rows
    .filter(row => row.record_key === recordKey)
    .map(({ listed, first_seen_at, last_seen_at, known_from, known_to }) => {
      return { listed, first_seen_at, last_seen_at, known_from, known_to }
    })
}

const listed = true
const never = null

describe('the first date of an entry', () => {
  test("a first snapshot's entry is first seen on its past listing date, or at the snapshot", async () => {
    await sync(
      poland,
      10,
      entry('dated.example', { listedAt: day(3).toISOString() }),
      entry('undated.example'),
      entry('ahead.example', { listedAt: day(20).toISOString() }),
    )
    expect(await historyOf('dated.example')).toMatchObject([{ first_seen_at: day(3), last_seen_at: never }])
    expect(await historyOf('undated.example')).toMatchObject([{ first_seen_at: day(10) }])
    expect(await historyOf('ahead.example')).toMatchObject([{ first_seen_at: day(10) }])
  })

  test('an entry that appears later is first seen at the snapshot that first contains it', async () => {
    await sync(poland, 10, entry('a.example'))
    await sync(poland, 12, entry('a.example'), entry('b.example', { listedAt: day(3).toISOString() }))
    expect(await historyOf('b.example')).toMatchObject([
      { listed, first_seen_at: day(12), last_seen_at: never, known_from: appliedAt(12), known_to: null },
    ])
  })

  test('an entry keeps its first_seen_at when another field changes', async () => {
    await sync(poland, 10, entry('a.example', { published: 'A.example' }))
    const report = await sync(poland, 12, entry('a.example', { published: 'a.example' }))
    expect(report).toMatchObject({ added: 0, removed: 0, changed: 1 })
    expect(await historyOf('a.example')).toEqual([
      {
        listed,
        first_seen_at: day(10),
        last_seen_at: day(10),
        known_from: appliedAt(10),
        known_to: appliedAt(12),
      },
      { listed, first_seen_at: day(10), last_seen_at: never, known_from: appliedAt(12), known_to: null },
    ])
  })

  test('a record that names another domain is first seen again', async () => {
    await sync(poland, 10, entry('a.example', { recordKey: '7' }))
    await sync(poland, 12, entry('b.example', { recordKey: '7' }))
    expect(await historyOf('7')).toMatchObject([{ first_seen_at: day(10) }, { first_seen_at: day(12) }])
    expect(await testWorld.verdictOf('a.example')).toBe('no_record')
    expect(await testWorld.verdictOf('b.example')).toMatch(/^blocklisted/)
  })
})

describe('an absent entry', () => {
  test('an absent entry is stored as no longer listed, last seen in the snapshot before', async () => {
    await sync(poland, 10, entry('a.example'), entry('b.example'))
    await sync(poland, 11, entry('a.example'), entry('b.example'))
    expect(await sync(poland, 12, entry('b.example'))).toMatchObject({ added: 0, removed: 1, changed: 0 })
    expect(await historyOf('a.example')).toEqual([
      {
        listed,
        first_seen_at: day(10),
        last_seen_at: day(11),
        known_from: appliedAt(10),
        known_to: appliedAt(12),
      },
      {
        listed: false,
        first_seen_at: day(10),
        last_seen_at: day(11),
        known_from: appliedAt(12),
        known_to: null,
      },
    ])
    expect(await testWorld.verdictOf('a.example')).toBe('no_record')
  })

  test('an entry that is absent from two snapshots is removed once', async () => {
    await sync(poland, 10, entry('a.example'), entry('b.example'))
    await sync(poland, 11, entry('b.example'))
    const report = await sync(poland, 12, entry('b.example'), entry('c.example'))
    expect(report).toMatchObject({ added: 1, removed: 0, changed: 0 })
    expect(await historyOf('a.example')).toHaveLength(2)
  })

  test('an entry that returns is added again, and first seen at its return', async () => {
    await sync(poland, 10, entry('a.example'), entry('b.example'))
    await sync(poland, 11, entry('b.example'))
    const report = await sync(poland, 12, entry('a.example'), entry('b.example', { published: 'B.example' }))
    expect(report).toMatchObject({ added: 1, removed: 0, changed: 1 })
    expect(await historyOf('a.example')).toMatchObject([
      { listed, known_to: appliedAt(11) },
      { listed: false, last_seen_at: day(10), known_to: appliedAt(12) },
      { listed, first_seen_at: day(12), last_seen_at: never, known_to: null },
    ])
  })
})

describe('an entry of a register that publishes dates of deletion', () => {
  test('an entry that gets a date of deletion is removed, and was last seen on that date', async () => {
    await sync(czechia, 10, entry('a.example'))
    const delisted = { listed: false, delistedAt: day(13).toISOString() }
    expect(await sync(czechia, 14, entry('a.example', delisted))).toMatchObject({ removed: 1, changed: 0 })
    expect(await historyOf('a.example')).toMatchObject([
      { listed, known_to: appliedAt(14) },
      { listed: false, first_seen_at: day(10), last_seen_at: day(13), known_to: null },
    ])
  })

  test('an entry that first appears with a date of deletion was listed before that date', async () => {
    const delisted = { listed: false, listedAt: day(2).toISOString(), delistedAt: day(5).toISOString() }
    await sync(czechia, 10, entry('baseline.example', delisted))
    await sync(czechia, 11, entry('baseline.example', delisted), entry('later.example', delisted))
    expect(await historyOf('baseline.example')).toMatchObject([
      { first_seen_at: day(2), last_seen_at: day(5) },
    ])
    expect(await historyOf('later.example')).toMatchObject([{ first_seen_at: day(5), last_seen_at: day(5) }])
  })

  test('an entry that is removed without a date was last seen in the previous snapshot', async () => {
    await sync(czechia, 10, entry('a.example'))
    await sync(czechia, 14, entry('a.example', { listed: false }), entry('b.example', { listed: false }))
    expect((await historyOf('a.example')).at(-1)).toMatchObject({ listed: false, last_seen_at: day(10) })
    expect(await historyOf('b.example')).toMatchObject([{ first_seen_at: day(14), last_seen_at: day(14) }])
  })

  test('an entry that disappears without a date of deletion is no longer listed', async () => {
    await sync(czechia, 10, entry('a.example'), entry('b.example'))
    expect(await sync(czechia, 14, entry('b.example'))).toMatchObject({ removed: 1 })
    expect(await historyOf('a.example')).toMatchObject([
      { listed, last_seen_at: day(10), known_to: appliedAt(14) },
      { listed: false, last_seen_at: day(10), known_to: null },
    ])
    expect(await testWorld.verdictOf('a.example')).toBe('no_record')
  })

  test('an entry that its register marked as delisted, and later omits, is not removed again', async () => {
    await sync(
      czechia,
      10,
      entry('a.example', { listed: false, delistedAt: day(5).toISOString() }),
      entry('b.example'),
    )
    expect(await sync(czechia, 14, entry('b.example'))).toMatchObject({ added: 0, removed: 0, changed: 0 })
    expect(await historyOf('a.example')).toMatchObject([{ listed: false, known_to: null }])
  })
})

test('of two rows with one key, the row that blocks is used, in either order', async () => {
  const rows = [entry('a.example', { listed: false }), entry('a.example')]
  expect(await sync(poland, 10, ...rows)).toMatchObject({
    rows: 2,
    rejected: 1,
    rejected_by_reason: { duplicate: 1 },
  })
  expect(await sync(poland, 11, ...rows.toReversed())).toMatchObject({ added: 0, removed: 0, changed: 0 })
  expect(await testWorld.verdictOf('a.example')).toMatch(/^blocklisted/)
})
