import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.ts'

const distance = (left: string, right: string, max = 9) => editDistance([...left], [...right], max)

test.each([
  ['otter', 'otter', 0],
  ['oter', 'otter', 1],
  ['ottter', 'otter', 1],
  ['ottir', 'otter', 1],
  ['ottre', 'otter', 1],
  ['tootr', 'otter', 3],
  ['', 'otter', 5],
  ['betfiar', 'betfair', 1],
  ['kasino', 'casino', 1],
  ['🎰🎲', '🎲🎰', 1],
])('the edit distance of %s and %s is %d', (left, right, errors) => {
  expect(distance(left, right)).toBe(errors)
})

/** Computes the distance by the recursive definition from textbooks. */
function slowly(left: string[], right: string[]): number {
  if (left.length === 0 || right.length === 0) return left.length + right.length
  const [one, other] = [left.slice(0, -1), right.slice(0, -1)]
  const same = left.at(-1) === right.at(-1) ? 0 : 1
  const found = [slowly(one, right) + 1, slowly(left, other) + 1, slowly(one, other) + same]
  if (left.length > 1 && right.length > 1 && left.at(-1) === right.at(-2) && left.at(-2) === right.at(-1))
    found.push(slowly(left.slice(0, -2), right.slice(0, -2)) + 1)
  return Math.min(...found)
}

test('the edit distance follows its definition, and is at most the bound plus one', () => {
  const word = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 })
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (left, right, max) => {
      expect(editDistance(left, right, max)).toBe(Math.min(slowly(left, right), max + 1))
    }),
    { numRuns: 300 },
  )
})
