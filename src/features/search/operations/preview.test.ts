import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { estimateCosts, maskName, suggestPaidSearch } from './preview.ts'

describe('a masked name', () => {
  test.each([
    ['Ottermoor Gaming', 'Ot***'],
    ['P&P Bookmakers', 'P&***'],
    ['Bet', 'Be***'],
    ['AB', 'A***'],
    ['X', '***'],
    ['e\u0301toile', 'e\u0301t***'],
    ['👩‍👩‍👧🎰 Casino', '👩‍👩‍👧🎰***'],
    [null, null],
  ])('the masked name of %j is %j', (name, masked) => {
    expect(maskName(name)).toBe(masked)
  })

  test('a masked name shows at most two letters, and not the length of the name', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-ascii', minLength: 3 }),
        fc.string({ unit: 'grapheme-ascii' }),
        (name, more) => {
          expect(maskName(name + more)).toBe(maskName(name))
        },
      ),
    )
  })
})

test('a preview estimates the cost of a first page of the requested size', () => {
  expect(estimateCosts('company.search_row', 0)).toEqual({ 10: 0, 25: 0, 50: 0, 100: 0 })
  expect(estimateCosts('company.search_row', 42)).toEqual({ 10: 10, 25: 25, 50: 42, 100: 42 })
  expect(estimateCosts('license.search_row', 1_000)).toEqual({ 10: 10, 25: 25, 50: 50, 100: 100 })
})

describe('the suggested paid search', () => {
  test('the suggested paid search requests at most 10 rows, and its max_credits is their cost', () => {
    expect(suggestPaidSearch('/v1/companies/search', 'company.search_row', { role: 'operator' }, 42)).toEqual(
      {
        type: 'paid_search',
        method: 'GET',
        href: '/v1/companies/search?role=operator&page_size=10&max_credits=10',
        estimated_credits: 10,
      },
    )
    expect(suggestPaidSearch('/v1/companies/search', 'company.search_row', {}, 0)).toBeNull()
  })

  test('the suggested paid search repeats every filter unchanged, in any script', () => {
    const value = fc.oneof(fc.string({ unit: 'grapheme' }), fc.boolean())
    fc.assert(
      fc.property(value, value, fc.integer({ min: 1, max: 30 }), (q, geo, total) => {
        const next = suggestPaidSearch('/v1/x', 'company.search_row', { q, geo, role: undefined }, total)
        const { pathname, searchParams } = new URL(next?.href ?? '', 'http://baize.test')
        const rows = String(Math.min(10, total))
        expect([pathname, Object.fromEntries(searchParams)]).toEqual([
          '/v1/x',
          { q: String(q), geo: String(geo), page_size: rows, max_credits: rows },
        ])
      }),
    )
  })
})
