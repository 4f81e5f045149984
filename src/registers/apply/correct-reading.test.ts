import type { Reading, Stream } from '@baize/registers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  authorisation,
  day,
  entry,
  fakeStream,
  fileOf,
  license,
  licensee,
  openTestWorld,
  type TestWorld,
} from '../fixture.ts'
import { approveSnapshot } from './approve-snapshot.ts'
import { syncRegister } from './sync-register.ts'

let testWorld: TestWorld

beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterEach(() => testWorld.empty())
afterAll(() => testWorld.close())

const first = fakeStream('ukgc.licences')

/** Returns a later parser that reads each row of the same files differently. */
function newer(parserVersion: number, reread: (reading: Reading) => Reading): Stream {
  return {
    ...first,
    parserVersion,
    async *read(files) {
      for await (const reading of first.read(files)) yield reread(reading)
    },
  }
}

const upper = (reading: Reading): Reading =>
  reading.record === 'license' ? { ...reading, licenseType: 'REMOTE' } : reading

const upperTypes = newer(2, upper)

function sync(number: number, stream: Stream, ...readings: Reading[]) {
  return syncRegister(testWorld.world, stream, [fileOf(...readings)], {
    takenAt: day(number),
    now: day(number),
  })
}

test('a row that a newer parser reads differently is corrected, without a Signal', async () => {
  await sync(1, first, licensee('A'), license('L1', 'A'))
  expect(await sync(2, upperTypes, licensee('A'), license('L1', 'A'))).toMatchObject({
    status: 'unchanged',
    corrected: true,
    signals: 0,
  })
  expect((await testWorld.rowsOf('license_states')).at(-1)).toMatchObject({
    license_type: 'REMOTE',
    known_to: null,
  })
  expect(await testWorld.rowsOf('signals')).toEqual([])
})

test('in a snapshot with corrections only changes of the register itself become Signals', async () => {
  await sync(1, first, licensee('A'), license('L1', 'A'), license('L2', 'A'))
  const report = await sync(
    2,
    upperTypes,
    licensee('A'),
    license('L1', 'A', { status: 'suspended' }),
    license('L2', 'A'),
  )
  expect(report).toMatchObject({ status: 'applied', corrected: true, changed: 1, signals: 1 })
  const signals = await testWorld.rowsOf('signals')
  expect(signals.map(signal => [signal.event_type, signal.record_key])).toEqual([
    ['published_status_changed', 'L1'],
  ])
})

test('Signals of a corrected record are marked with the time of the correction', async () => {
  await sync(1, first, licensee('A'), license('L1', 'A'))
  await sync(2, first, licensee('A'), license('L1', 'A'), license('L2', 'A'))
  await sync(3, upperTypes, licensee('A'), license('L1', 'A'), license('L2', 'A'))
  expect(
    (await testWorld.rowsOf('signals')).map(signal => [signal.event_type, signal.last_corrected_at]),
  ).toEqual([['added_to_register', day(3)]])
})

test('a row that only an older parser could read is not removed, and cannot return', async () => {
  const strict: Stream = {
    ...first,
    parserVersion: 2,
    async *read(files) {
      for await (const reading of first.read(files))
        if (reading.record !== 'blocklist_entry' || reading.published !== 'wrong.example') yield reading
    },
  }
  const wrong = entry('right.example', { recordKey: 'wrong', published: 'wrong.example' })
  await sync(1, first, entry('a.example'), wrong, entry('z.example'))
  await sync(2, strict, entry('a.example'), wrong, entry('z.example'))
  expect((await testWorld.factsInForce()).join()).not.toContain('wrong')
  await sync(3, strict, entry('a.example'), { ...wrong, published: 'right.example' }, entry('z.example'))
  expect((await testWorld.rowsOf('signals')).map(signal => signal.event_type)).toEqual(['added_to_register'])
})

describe('a record that is removed in the run that also corrects', () => {
  const rereads = newer(2, reading =>
    reading.record === 'licensee' ? { ...reading, country: 'IE' } : upper(reading),
  )
  const unchanged = [
    licensee('A'),
    license('L0', 'A'),
    authorisation('stays.example'),
    entry('blocked.example'),
  ]
  const removed = {
    license: license('L1', 'A'),
    licensee: licensee('B'),
    authorisation: authorisation('removed.example'),
    blocklist_entry: entry('removed.example'),
  }

  test.each(Object.entries(removed))(
    'a removed record of kind %s returns when it is listed again after the correction',
    async (_, row) => {
      await sync(1, first, row, ...unchanged)
      expect(await sync(2, rereads, ...unchanged)).toMatchObject({ status: 'applied', corrected: true })
      await sync(3, rereads, row, ...unchanged)
      expect((await testWorld.rowsOf('signals')).map(signal => signal.event_type)).toEqual([
        'removed_from_register',
        'returned_to_register',
      ])
    },
  )

  test('a record removed beside an approved correction returns when it is listed again', async () => {
    const many = Array.from({ length: 20 }, (_, number) => license(`M${number}`, 'A'))
    const losing: Stream = {
      ...first,
      parserVersion: 2,
      async *read(files) {
        for await (const reading of first.read(files))
          if (reading.record !== 'license' || !reading.recordKey.startsWith('M')) yield reading
      },
    }
    const all = [removed.license, ...unchanged, ...many]
    await sync(1, first, ...all)
    const { status, snapshot_ref } = await sync(2, losing, ...unchanged, ...many)
    expect(status).toBe('held')
    const approved = await approveSnapshot(testWorld.world, {
      snapshotRef: snapshot_ref as string,
      reason: 'our correction',
      findStream: async () => losing,
      now: day(2),
    })
    expect(approved).toMatchObject({ status: 'applied', signals: 0 })
    await sync(2, losing, ...unchanged, ...many)
    await sync(3, losing, ...all)
    expect((await testWorld.rowsOf('signals')).map(signal => [signal.event_type, signal.record_key])).toEqual(
      [
        ['removed_from_register', 'L1'],
        ['returned_to_register', 'L1'],
      ],
    )
  })
})

test('a snapshot is quarantined if a newer parser loses most rows', async () => {
  const many = Array.from({ length: 60 }, (_, index) => entry(`n${index}.example`))
  await sync(1, first, ...many)
  const losing: Stream = {
    ...first,
    parserVersion: 2,
    async *read(files) {
      let count = 0
      for await (const reading of first.read(files)) {
        count += 1
        if (count % 3 === 0) yield reading
      }
    },
  }
  expect(await sync(2, losing, ...many)).toMatchObject({ status: 'held', corrected: false, removed: 40 })
  expect(await testWorld.factsInForce()).toHaveLength(120)
})
