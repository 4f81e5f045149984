import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeMonths } from './page-store.ts'

const examples = [
  ['2026-01-01', '2026-12-31', '2026-01-01', '2027-01-01'],
  ['2026-01-15', '2026-03-10', '2026-02-01', '2026-03-01'],
  ['2026-01-15', '2026-02-27', '2026-02-28', '2026-02-28'],
  ['2024-02-01', '2024-02-29', '2024-02-01', '2024-03-01'],
  ['2026-12-02', '2027-01-31', '2027-01-01', '2027-02-01'],
  ['2026-05-05', '2026-05-05', '2026-05-06', '2026-05-06'],
] as const

test('wholeMonths finds the whole months of a range, up to the first day after them', () => {
  const results = examples.map(([from, to]) => [from, to, ...Object.values(wholeMonths({ from, to }))])
  expect(results).toEqual(examples)
})

test('each day of a range is in one whole month, before the first, or after the last month', () => {
  const day = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2040-12-31'), noInvalidDate: true })
    .map(date => date.toISOString().slice(0, 10))
  fc.assert(
    fc.property(day, day, (one, other) => {
      const [from, to] = one < other ? [one, other] : [other, one]
      const { from: first, to: end } = wholeMonths({ from, to })
      const parts = (date: string) =>
        [date >= from && date < first, date >= first && date < end, date >= end && date <= to].filter(Boolean)
      for (const date of [from, to, first, end]) {
        expect(parts(date).length).toBe(date >= from && date <= to ? 1 : 0)
      }
      if (first < end) expect([first.slice(8), end.slice(8)]).toEqual(['01', '01'])
    }),
  )
})
