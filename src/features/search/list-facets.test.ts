import { expect, test } from 'vitest'
import { listFacets } from './list-facets.ts'
import { countedField } from './rows/search-row.ts'

const rows = (field: string, ...values: [string, number][]) =>
  values.map(([value, count]) => ({ field: countedField(field), value, count }))

test('facet values are ordered by count, then by value, and a field without values is empty', () => {
  const counted = rows('role', ['b', 2], ['a', 2], ['c', 9])
  expect(listFacets(['role', 'geo'], counted)).toEqual([
    {
      field: 'role',
      values: [
        { value: 'c', count: 9 },
        { value: 'a', count: 2 },
        { value: 'b', count: 2 },
      ],
    },
    { field: 'geo', values: [] },
  ])
})

test('a facet lists the fifty most frequent values', () => {
  const values = Array.from({ length: 60 }, (_, index): [string, number] => [`value ${index}`, index])
  const [facet] = listFacets(['license_type'], rows('license_type', ...values))
  expect(facet?.values).toHaveLength(50)
  expect(facet?.values[0]).toEqual({ value: 'value 59', count: 59 })
})

test('a facet counts spellings of one value together, under the most frequent spelling', () => {
  const [facet] = listFacets(
    ['license_type'],
    rows('license_type', ['REMOTE CASINO', 2], ['Remote Casino', 5], ['remote cásino', 5], ['Bingo', 11]),
  )
  expect(facet?.values).toEqual([
    { value: 'Remote Casino', count: 12 },
    { value: 'Bingo', count: 11 },
  ])
})
