import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalCompanyNumber, canonicalLei } from './identifiers.ts'

/** Published examples of ISO 17442. */
const leis = ['529900T8BM49AURSDO55', '5493001KJTIIGC8Y1R12', '213800WSGIIZCXF1P572']

test.each(leis)('a Legal Entity Identifier is read in any case: %s', lei => {
  expect([canonicalLei(lei), canonicalLei(` ${lei.toLowerCase()} `)]).toEqual([lei, lei])
})

test('a Legal Entity Identifier with a wrong digit, or two that were swapped, is none', () => {
  fc.assert(
    fc.property(fc.constantFrom(...leis), fc.nat(18), fc.nat(9), (lei, place, digit) => {
      fc.pre(/^[0-9]{2}$/.test(lei.slice(place, place + 2)))
      const wrong = lei.slice(0, place) + digit + lei.slice(place + 1)
      const swapped = lei.slice(0, place) + lei[place + 1] + lei[place] + lei.slice(place + 2)
      for (const text of [wrong, swapped]) expect(canonicalLei(text)).toBe(text === lei ? lei : null)
    }),
  )
})

test.each(['', '529900T8BM49AURSDO5', '529900T8BM49AURSDO556', '529900T8BM49AURSDOXX', 'N/A'])(
  'a text of another form is no Legal Entity Identifier: %j',
  text => expect(canonicalLei(text)).toBeNull(),
)

test.each([
  ['C 109579', 'C109579'],
  ['c-109579', 'C109579'],
  ['556-12 34', '5561234'],
  ['N/A', null],
  ['0000', null],
  ['12', null],
])('a company number is its letters and digits: %s', (text, number) => {
  expect(canonicalCompanyNumber(text)).toBe(number)
})
