import { expect, test } from 'vitest'
import { missingPositions, type ReplicaPosition } from './replica-watch.ts'

const at = (atMs: number, wal: number): ReplicaPosition => ({ atMs, wal })
const unknown = Number.NEGATIVE_INFINITY

function after(...looks: [atMs: number, wal: number, replayed: number][]): ReplicaPosition[] {
  return looks.reduce<ReplicaPosition[]>(
    (known, [atMs, wal, replayed]) => missingPositions(known, at(atMs, wal), replayed),
    [],
  )
}

test('a replica that has replayed everything misses only the latest position', () => {
  expect(after([0, 10, 10], [1, 20, 25])).toEqual([at(1, 20)])
})

test('the lag is the age of the oldest position that the replica has not replayed', () => {
  expect(after([0, 10, 10], [1, 20, 10], [2, 30, 19])).toEqual([at(1, 20), at(2, 30)])
  expect(after([0, 10, 10], [1, 20, 10], [2, 30, 20])).toEqual([at(2, 30)])
})

test('the lag of an unreachable replica grows', () => {
  expect(after([0, 10, 10], [1, 20, 0], [2, 30, 0], [3, 30, 10])).toEqual([at(1, 20), at(2, 30), at(3, 30)])
})

test('the lag before the first check is unknown', () => {
  expect(after([0, 10, 5], [1, 20, 9])).toEqual([at(unknown, 10), at(1, 20)])
  expect(after([0, 10, 5], [1, 20, 10])).toEqual([at(1, 20)])
})

test('a WAL that restarts, on another primary, is followed from its new start', () => {
  expect(after([0, 10, 10], [1, 50, 10], [2, 40, 35])).toEqual([at(unknown, 40)])
})
