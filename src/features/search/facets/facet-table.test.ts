import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FacetTable } from './facet-table.ts'

const termOf = (id: number) => ({ field: `f${id % 3}`, value: `v${id}` })

function tableWith(terms: readonly number[], bytesMax?: number): FacetTable {
  const table = new FacetTable(bytesMax)
  for (const id of terms) table.addTerm(id, termOf(id))
  return table
}

const allTerms = Array.from({ length: 40 }, (_, index) => index * 7 + 1)
const row = fc.tuple(fc.integer({ min: 1, max: 3_000 }), fc.subarray(allTerms, { maxLength: 12 }))

test('facets count the latest terms of each row, however often rows change', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 400 }), rows => {
      const table = tableWith(allTerms)
      const stored = new Map<number, number[]>()
      for (const [id, terms] of rows) {
        expect(table.put(id, terms)).toBe(true)
        stored.set(id, terms)
      }
      const ids = [...stored.keys()].filter(id => id % 2 === 0)
      const counts = Map.groupBy(
        ids.flatMap(id => stored.get(id) ?? []),
        term => `v${term}`,
      )
      expect(new Map(table.count(ids)?.map(({ value, count }) => [value, count]))).toEqual(
        new Map([...counts].map(([value, of]) => [value, of.length])),
      )
    }),
    { numRuns: 50 },
  )
})

test('a row of the facet table that changes ten thousand times uses little memory', () => {
  const table = tableWith(allTerms)
  for (let round = 1; round <= 10_000; round += 1) {
    table.put(1, allTerms.slice(0, 1 + (round % allTerms.length)))
    table.put(2, allTerms.slice(0, 2))
  }
  expect(table.bytes).toBeLessThan(16_000)
  table.put(1, allTerms.slice(0, 3))
  expect(table.count([1, 2])?.map(({ count }) => count)).toEqual([2, 2, 1])
})

test('a row that the facet table lacks is reported, not counted as empty', () => {
  const table = tableWith(allTerms)
  table.put(5, [])
  expect(table.count([5])).toEqual([])
  expect(table.count([5, 6])).toBeNull()
  expect(table.count([1_000_000])).toBeNull()
})

test('the facet table uses 3 MB for 100,000 Companies, and 30 MB for 1,000,000', () => {
  const table = tableWith(allTerms)
  const put = (until: number, from: number) => {
    for (let id = from; id <= until; id += 1)
      if (!table.put(id, allTerms.slice(id % 5, 7 + (id % 5)))) return id
    return null
  }
  expect(put(100_000, 1)).toBeNull()
  expect(table.bytes).toBeLessThan(3_000_000)
  expect(put(1_000_000, 100_001)).toBeNull()
  expect(table.bytes).toBeLessThan(30_000_000)
})

test('the facet table refuses rows beyond its limit of memory', () => {
  const table = tableWith(allTerms, 100_000)
  let id = 1
  while (table.put(id, allTerms)) id += 1
  expect(id).toBeGreaterThan(300)
  expect(table.bytes).toBeLessThanOrEqual(100_000)
  expect(tableWith(allTerms, 100_000).put(50_000, [])).toBe(false)
})
