import { expect, test } from 'vitest'
import { mostCommonName } from './most-common-name.ts'

test.each([
  ['Otter Ltd', ['Otter Ltd']],
  ['Otter Ltd', ['Otter Ltd', 'Heron Ltd', 'Otter Ltd']],
  ['Heron Ltd', ['Otter Ltd', 'Heron Ltd']],
  ['Otter Ltd', ['OTTER LTD', 'Otter Ltd']],
  ['OTTER LTD', ['OTTER LTD', 'Otter Ltd', 'OTTER LTD']],
  ['Otter Ltd', ['otter LTD', 'Otter Ltd']],
  ['Otter Ltd', ['Heron Ltd', 'OTTER LTD', 'Otter Ltd']],
])('the most common name is %j among %j, in either order', (expected, names) => {
  expect([mostCommonName(names), mostCommonName(names.toReversed())]).toEqual([expected, expected])
})
