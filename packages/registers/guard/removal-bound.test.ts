import { expect, test } from 'vitest'
import type { RecordKind } from '../stream.ts'
import { explainBound, noHistory, type RemovalHistory, removalBound } from './removal-bound.ts'

const removed = (number: number, of: number, kind: RecordKind = 'blocklist_entry'): RemovalHistory => ({
  snapshots: 17,
  largest: { [kind]: { removed: number, of } },
})

test.each<[what: string, RecordKind, number, RemovalHistory, bound: number, figures: string]>([
  [
    'a blocklist without a history may lose 2 %',
    'blocklist_entry',
    4_000,
    noHistory,
    80,
    '2 %, without an earlier change',
  ],
  [
    'a list of licenses without a history may lose 10 %',
    'license',
    4_000,
    noHistory,
    400,
    '10 %, without an earlier change',
  ],
  ['so may its domains', 'authorisation', 4_000, noHistory, 400, '10 %, without an earlier change'],
  [
    'a list that never lost a record may lose 1 %',
    'blocklist_entry',
    4_000,
    { snapshots: 1, largest: {} },
    40,
    '1 %, as 1 earlier change removed none',
  ],
  [
    'a list may lose four times the largest share that it lost before',
    'blocklist_entry',
    4_353,
    removed(7, 1_888),
    64,
    '1.48 %, four times the 7 of 1888 that one of 17 earlier changes removed',
  ],
  [
    'a list that lost little before may lose 1 %',
    'blocklist_entry',
    4_000,
    removed(2, 4_000),
    40,
    '1 %, as 17 earlier changes removed at most 2 of 4000',
  ],
  [
    'a list that lost most of its records before may lose 30 %, never all',
    'license',
    400,
    removed(60, 100, 'license'),
    120,
    '30 %, the most, as one of 17 earlier changes removed 60 of 100',
  ],
  [
    'removals of another kind are no evidence',
    'license',
    4_000,
    removed(60, 100),
    40,
    '1 %, as 17 earlier changes removed none',
  ],
  ['a share is not rounded down', 'license', 100, removed(29, 400, 'license'), 29, '29 %, four times'],
  [
    'a short list may lose ten records',
    'blocklist_entry',
    100,
    noHistory,
    10,
    '2 %, without an earlier change',
  ],
  ['a shorter list may lose a third', 'blocklist_entry', 17, noHistory, 5, '2 %, without an earlier change'],
  ['a list of three may lose two records', 'license', 3, noHistory, 2, '10 %, without an earlier change'],
])('%s', (_what, kind, records, history, bound, figures) => {
  const found = removalBound(kind, records, history)
  expect(found.bound).toBe(bound)
  expect(explainBound(found)).toContain(`the bound is ${bound} (${figures}`)
})
