import { expect, test } from 'vitest'
import { missingPositions, type Position } from './replica-watch.ts'

const at = (atMs: number, wal: number): Position => ({ atMs, wal })
const unknown = Number.NEGATIVE_INFINITY

function after(...looks: [atMs: number, wal: number, replayed: number][]): Position[] {
  return looks.reduce<Position[]>(
    (known, [atMs, wal, replayed]) => missingPositions(known, at(atMs, wal), replayed),
    [],
  )
}

test('a replica that has replayed everything misses only the latest position', () => {
  expect(after([0, 10, 10], [1, 20, 25])).toEqual([at(1, 20)])
})

test('the oldest position that is not replayed determines the lag', () => {
  expect(after([0, 10, 10], [1, 20, 10], [2, 30, 19])).toEqual([at(1, 20), at(2, 30)])
  expect(after([0, 10, 10], [1, 20, 10], [2, 30, 20])).toEqual([at(2, 30)])
})

test('an unreachable replica falls behind as well', () => {
  expect(after([0, 10, 10], [1, 20, 0], [2, 30, 0], [3, 30, 10])).toEqual([at(1, 20), at(2, 30), at(3, 30)])
})

test('the lag before the first check is unknown', () => {
  expect(after([0, 10, 5], [1, 20, 9])).toEqual([at(unknown, 10), at(1, 20)])
  expect(after([0, 10, 5], [1, 20, 10])).toEqual([at(1, 20)])
})

test('a WAL that restarts, on another primary, is followed from there', () => {
  expect(after([0, 10, 10], [1, 50, 10], [2, 40, 35])).toEqual([at(unknown, 40)])
})
