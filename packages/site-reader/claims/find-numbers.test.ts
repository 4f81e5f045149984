import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../test/harness/time.ts'
import { readRuleFile } from '../read-rule-file.ts'
import { findNumbers } from './find-numbers.ts'
import { numberRules } from './number-rules.ts'

type Fixture = { positive: [text: string, number: string]; negative: string }
const fixtures = readRuleFile<Record<string, Fixture[]>>('fixtures/license-numbers')
const examples = Object.entries(fixtures).flatMap(([market, ofMarket]) =>
  ofMarket.map((fixture, shape) => ({ market, shape, ...fixture })),
)

test('every form of a license number has a positive and a negative fixture', () => {
  const names = examples.map(({ market, shape }) => `${market} ${shape}`)
  expect(names).toEqual(numberRules.rules.map(({ market, index }) => `${market} ${index}`))
})

describe.each(examples)('form $shape of $market', ({ market, shape, positive, negative }) => {
  test('a form of numbers matches its positive fixture', () => {
    const [text, number] = positive
    expect(findNumbers(text)).toContainEqual(expect.objectContaining({ market, shape, number }))
  })
  test('a form of numbers does not match its negative fixture', () => {
    expect(findNumbers(negative).filter(({ shape }) => shape >= 0)).toEqual([])
  })
})

const numbersIn = (text: string) => findNumbers(text).map(({ market, number }) => `${market} ${number}`)

test('a number without letters belongs to the regulator named before it', () => {
  const text =
    'Licensed by the Gambling Commission under account number 39170, by the Revenue ' +
    'Commissioners of Ireland with reference number 1012345, by the Alderney ' +
    'Gambling Control Commission (License Number: 136C1).'
  expect(numbersIn(text)).toEqual(['ukgc 39170', 'ireland 1012345', 'alderney 136 C1'])
})

test('several license numbers after one phrase are all found', () => {
  const text = 'Licensed by the Gambling Commission under account numbers 39225, 39226 and 2396.'
  expect(numbersIn(text)).toEqual(['ukgc 39225', 'ukgc 39226', 'ukgc 2396'])
})

test('a company number in a text with a regulator is not a license number', () => {
  const text =
    'Alpha Limited (company number 57342) is licensed by the Gambling Commission, account no. 54743.'
  expect(numbersIn(text)).toEqual(['ukgc 54743'])
})

test.each(['MGA/B2C/', '1-', '365/JAZ ', 'A 1 ', '000030-', 'GC 12345 '])(
  'a text is searched for numbers in linear time: %j',
  piece => {
    expect(processorMs(() => findNumbers(piece.repeat(20_000)))).toBeLessThan(2_000)
  },
)

test('a number of an unknown form is found by the words before it, with the named market', () => {
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
