import { describe, expect, test } from 'vitest'
import type { RecordKind } from '../stream.ts'
import type { Differences, DifferencesByKind } from './differences.ts'
import type { SnapshotFigures } from './figures.ts'
import { type GuardInput, quarantineReasons } from './guard.ts'

const noRecords: Record<RecordKind, number> = {
  licensee: 0,
  license: 0,
  authorisation: 0,
  blocklist_entry: 0,
}
const nothing: Differences = { added: 0, removed: 0, changed: 0, filled: 0, restated: 0 }
const noDifferences: DifferencesByKind = {
  licensee: nothing,
  license: nothing,
  authorisation: nothing,
  blocklist_entry: nothing,
}

function figures(entries: number, fields: Partial<SnapshotFigures> = {}): SnapshotFigures {
  return {
    records: { ...noRecords, blocklist_entry: entries },
    rows: entries,
    unusable: 0,
    repeated: 0,
    filled: {},
    unknownColumns: [],
    lastKeys: {},
    ...fields,
  }
}

/** The bound is 5 % for each of these entries. */
const removedBefore = (removed: number) => ({
  snapshots: 7,
  largest: { blocklist_entry: { removed, of: 80 } },
})

function reasons(fields: Partial<GuardInput>): string[] {
  return quarantineReasons({
    figures: figures(100),
    last: figures(100),
    differences: noDifferences,
    inForce: { ...noRecords, blocklist_entry: 100 },
    missingTails: [],
    authorisedBlocked: { sites: 0, of: 0 },
    blockedAuthorised: { sites: 0, of: 0 },
    isCorrection: false,
    isOtherForm: false,
    isWhole: false,
    removals: removedBefore(3),
    baseline: null,
    ...fields,
  })
}

const removing = (removed: number) => ({ ...noDifferences, blocklist_entry: { ...nothing, removed } })
const removingOf = (removed: number, records: number): Partial<GuardInput> => ({
  differences: removing(removed),
  inForce: { ...noRecords, blocklist_entry: records },
})
const tooMany = (removed: number, records: number, bound: number, before = 3) =>
  `${removed} of ${records} entries would be removed; the bound is ${bound} (${before * 5} %, four times ` +
  `the ${before} of 80 that one of 7 earlier changes removed; of a short list 10, at most a third)`

test('the guard accepts a snapshot with the same figures as the last snapshot', () => {
  expect(reasons({})).toEqual([])
})

test('growth alone is never a reason for a quarantine, because real lists double', () => {
  expect(reasons({ figures: figures(100_000), last: figures(100) })).toEqual([])
})

test('the guard quarantines a snapshot beyond any of its bounds, with a minimum for small lists', () => {
  const table: [what: string, input: Partial<GuardInput>, expected: string[]][] = [
    ['far fewer records', { figures: figures(69) }, ['69 entries after 100']],
    ['just enough records', { figures: figures(70) }, []],
    ['a small list that loses a third', { figures: figures(20), last: figures(30) }, []],
    ['too many removals', { differences: removing(16) }, [tooMany(16, 100, 15)]],
    ['as many removals as the share allows', { differences: removing(15) }, []],
    [
      'as many as a lower share allows',
      { differences: removing(11), removals: removedBefore(1) },
      [tooMany(11, 100, 10, 1)],
    ],
    ['ten removals from a list of thirty', removingOf(10, 30), []],
    ['eleven removals from a list of thirty', removingOf(11, 30), [tooMany(11, 30, 10)]],
    ['six removals from a list of seventeen', removingOf(6, 17), [tooMany(6, 17, 5)]],
    ['two removals from a list of three', removingOf(2, 3), []],
    ['three removals from a list of four', removingOf(3, 4), [tooMany(3, 4, 2)]],
    [
      'authorised sites that turn blocked',
      { authorisedBlocked: { sites: 6, of: 50 } },
      ['6 of 50 sites authorised in this market would be blocked in it'],
    ],
    ['five authorised sites that turn blocked', { authorisedBlocked: { sites: 5, of: 6 } }, []],
    [
      'rows that cannot be read',
      { figures: figures(100, { unusable: 20, rows: 120 }) },
      ['20 of 120 rows cannot be read, after 0 of 100'],
    ],
    [
      'ten rows that cannot be read',
      { figures: figures(10, { unusable: 10, rows: 20 }), last: figures(10) },
      [],
    ],
    [
      'repeated records',
      { figures: figures(100, { repeated: 30, rows: 130 }) },
      ['30 of 130 rows repeat a record, after 0 of 100'],
    ],
    [
      'a new unknown column',
      { figures: figures(100, { unknownColumns: ['Nové'] }) },
      ['unknown columns: Nové'],
    ],
    [
      'a column that was unknown before',
      { figures: figures(100, { unknownColumns: ['x'] }), last: figures(100, { unknownColumns: ['x'] }) },
      [],
    ],
    [
      'a field that is no longer filled',
      {
        figures: figures(100, { filled: { 'blocklist_entry.listed_at': 12 } }),
        last: figures(100, { filled: { 'blocklist_entry.listed_at': 90 } }),
      },
      ['blocklist_entry.listed_at is filled in 12 of 100 records, after 90 of 100'],
    ],
    [
      'the end of the last order missing',
      { missingTails: [{ kind: 'blocklist_entry', missing: 1, run: 1 }] },
      ['missing entries: 1, all of them at the end of the last file (cut off?)'],
    ],
    [
      'a long end missing beside true removals',
      { missingTails: [{ kind: 'blocklist_entry', missing: 94, run: 11 }] },
      ['missing entries: 94, 11 of them at the end of the last file (cut off?)'],
    ],
    [
      'several removals, one of them at the end',
      { missingTails: [{ kind: 'blocklist_entry', missing: 3, run: 1 }] },
      [],
    ],
    [
      'blocked sites that turn authorised',
      { blockedAuthorised: { sites: 6, of: 50 } },
      ['6 sites blocked in this market would be authorised in it, where 50 are now'],
    ],
    [
      'most records changed',
      { differences: { ...noDifferences, blocklist_entry: { ...nothing, changed: 51 } } },
      ['51 of 100 entries would change'],
    ],
  ]
  expect(table.map(([what, input]) => [what, reasons(input)])).toEqual(
    table.map(([what, , expected]) => [what, expected]),
  )
})

test('the guard checks a correction for removals, but not for a truncated download', () => {
  const correction = {
    isCorrection: true,
    missingTails: [],
    differences: { ...noDifferences, blocklist_entry: { ...nothing, changed: 100, removed: 50 } },
  }
  expect(reasons(correction)).toEqual([`last snapshot's files, read again: ${tooMany(50, 100, 15)}`])
})

describe('the guard of a baseline', () => {
  test('a baseline is quarantined when most of it cannot be read', () => {
    expect(reasons({ last: null, figures: figures(10, { unusable: 90, rows: 100 }) })).toEqual([
      '90 of 100 rows cannot be read',
    ])
  })

  test('a first snapshot is not compared with figures of an earlier snapshot', () => {
    expect(reasons({ last: null, figures: figures(3, { unknownColumns: ['a'], repeated: 2 }) })).toEqual([])
  })
})

test('a newer parser may find more records in the same files, but may not lose a column', () => {
  const filled = (records: number, count: number) =>
    figures(100, {
      records: { ...noRecords, licensee: records },
      filled: { 'licensee.trading_names': count },
    })
  const rereading = (now: SnapshotFigures) =>
    reasons({ figures: now, last: filled(12, 12), isCorrection: true })
  expect(rereading(filled(43, 12))).toEqual([])
  expect(rereading(filled(43, 2))).toHaveLength(1)
  expect(reasons({ figures: filled(43, 12), last: filled(12, 12) })).toHaveLength(1)
})

test('the guard accepts a snapshot that fills an empty field in every record', () => {
  const changing = (filled: number): Partial<GuardInput> => ({
    differences: { ...noDifferences, blocklist_entry: { ...nothing, changed: 100, filled } },
  })
  expect(reasons(changing(0))).toEqual(['100 of 100 entries would change'])
  expect(reasons(changing(90))).toEqual([])
})

test('the guard checks a snapshot in another file format only for removals, changes and rows', () => {
  const other = { isOtherForm: true, figures: figures(60, { unknownColumns: ['Reason'] }) }
  expect(reasons(other)).toEqual([])
  expect(reasons({ ...other, differences: removing(40) })).toEqual([tooMany(40, 100, 15)])
})

test('the guard accepts the removal of the last record if the file is proved to be whole', () => {
  const last: Partial<GuardInput> = { missingTails: [{ kind: 'blocklist_entry', missing: 1, run: 1 }] }
  expect(reasons(last)).toEqual([expect.stringContaining('cut off?')])
  expect(reasons({ ...last, isWhole: true })).toEqual([])
  const many = { missingTails: [{ kind: 'blocklist_entry' as const, missing: 11, run: 11 }], isWhole: true }
  expect(reasons(many)).toEqual([expect.stringContaining('cut off?')])
})

test('a file with fewer rows than it states itself is quarantined, also the first one', () => {
  const incomplete = 'the file states 84, 83 were read'
  expect(reasons({ figures: figures(100, { incomplete }) })).toEqual([`incomplete: ${incomplete}`])
  expect(reasons({ figures: figures(100, { incomplete }), last: null })).toEqual([
    `incomplete: ${incomplete}`,
  ])
})

test('more elements beside the rows than last time are a reason, the same number is none', () => {
  const beside = (now: number, before: number | undefined) =>
    reasons({
      figures: figures(100, { besideRows: now }),
      last: figures(100, before === undefined ? {} : { besideRows: before }),
    })
  expect(beside(2, 1)).toEqual(['2 elements beside the rows not read, after 1'])
  expect(beside(1, 1)).toEqual([])
  expect(beside(1, undefined)).toEqual([])
})
