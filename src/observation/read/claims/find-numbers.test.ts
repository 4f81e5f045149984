import { describe, expect, test } from 'vitest'
import { findNumbers } from './find-numbers.ts'
import { numberRules, readClaimRules } from './number-rules.ts'

type Fixture = { positive: [text: string, number: string]; negative: string }
const fixtures = readClaimRules<Record<string, Fixture[]>>('fixtures/license-numbers.yaml')
const examples = Object.entries(fixtures).flatMap(([market, ofMarket]) =>
  ofMarket.map((fixture, shape) => ({ market, shape, ...fixture })),
)

test('every form of a license number has a positive and a negative fixture', () => {
  const names = examples.map(({ market, shape }) => `${market} ${shape}`)
  expect(names).toEqual(numberRules.rules.map(({ market, index }) => `${market} ${index}`))
})

describe.each(examples)('form $shape of $market', ({ market, shape, positive, negative }) => {
  test('is found in its positive fixture', () => {
    const [text, number] = positive
    expect(findNumbers(text)).toContainEqual(expect.objectContaining({ market, shape, number }))
  })
  test('is not found in its negative fixture', () => {
    expect(findNumbers(negative).filter(({ shape }) => shape >= 0)).toEqual([])
  })
})

const numbersIn = (text: string) => findNumbers(text).map(({ market, number }) => `${market} ${number}`)

test('a bare number belongs to the regulator named before it', () => {
  const text =
    'Licensed by the Gambling Commission under account number 39170, by the Revenue ' +
    'Commissioners of Ireland with reference number 1012345, by the Alderney ' +
    'Gambling Control Commission (License Number: 136C1).'
  expect(numbersIn(text)).toEqual(['ukgc 39170', 'ireland 1012345', 'alderney 136 C1'])
})

test('several numbers after one word are all found', () => {
  const text = 'Licensed by the Gambling Commission under account numbers 39225, 39226 and 2396.'
  expect(numbersIn(text)).toEqual(['ukgc 39225', 'ukgc 39226', 'ukgc 2396'])
})

test('the company number in a text that names a regulator is no license number', () => {
  const text =
    'Alpha Limited (company number 57342) is licensed by the Gambling Commission, account no. 54743.'
  expect(numbersIn(text)).toEqual(['ukgc 54743'])
})

test.each(['MGA/B2C/', '1-', '365/JAZ ', 'A 1 ', '000030-', 'GC 12345 '])(
  'a text of 2,000 characters is read in linear time: %j',
  piece => {
    const started = performance.now()
    findNumbers(piece.repeat(2_000))
    expect(performance.now() - started).toBeLessThan(500)
  },
)

test('a number of an unknown form is found after the words for it, with the market that is named', () => {
  const of = (text: string) => findNumbers(text).map(({ market, number }) => [market, number])
  expect(of('Heron Ltd is licensed by BCLB, licence number 0001144.')).toEqual([[null, '0001144']])
  expect(of('Heron Ltd, license no. X-44/2020 of the Malta Gaming Authority.')).toEqual([
    ['mga', 'X-44/2020'],
  ])
  for (const text of [
    'Licence of 12.03.2024',
    'Our licence 2024',
    'Heron Ltd, 0001144',
    'a licence for 12 sites',
  ])
    expect(of(text)).toEqual([])
})
