import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  foldDomain,
  foldName,
  foldNumber,
  foldNumberWithoutVersion,
  foldValue,
  truncateKey,
} from './search-text.ts'

const oneKey: [what: string, ...names: string[]][] = [
  ['case', 'Lucky Otter', 'LUCKY OTTER', 'lucky otter'],
  ['accents', 'Havmåge Spil', 'Havmage Spil'],
  ['punctuation', 'Lucky-Otter!', 'Lucky Otter'],
  ['the spelling of a form', 'Otter Ltd', 'Otter Limited', 'OTTER LTD.'],
  ['a form in full', 'Alpha AB', 'Alpha Aktiebolag'],
  ['a form with a word within', 'Otter S.à r.l.', 'Otter Sàrl', 'otter s a r l'],
  ['an ampersand', 'Pebble & Pike', 'Pebble and Pike'],
  ['width', 'Ｏｔｔｅｒ', 'Otter'],
]

const oneWhenJoined: [what: string, ...names: string[]][] = [
  ['blanks', 'Lucky Otter', 'LuckyOtter', 'Luck yotter'],
  ['a form left out', 'Lucky Otter Ltd', 'Lucky Otter', 'Lucky Otter plc'],
  ['symbols', 'Fun+ Games', 'Fun Games', 'Fun+Games'],
]

describe('a name', () => {
  test.each(oneKey)('has one key whatever its %s', (_what, ...names) => {
    expect([...new Set(names.map(name => foldName(name).key))]).toHaveLength(1)
  })

  test.each(oneWhenJoined)('is one when joined whatever its %s', (_what, ...names) => {
    expect([...new Set(names.map(name => foldName(name).joined))]).toHaveLength(1)
  })

  test('has its legal form apart from its words', () => {
    expect(foldName('Ottermoor Gaming Limited')).toEqual({
      words: ['ottermoor', 'gaming'],
      form: 'ltd',
      key: 'ottermoor gaming ltd',
      joined: 'ottermoorgaming',
    })
  })

  test.each([
    ['a form by itself', 'AB', ['ab']],
    ['ampersands', '&&', ['&&']],
    ['an emoji', '🎰', ['🎰']],
    ['joined emoji', '👩‍🚀 🎲', ['👩🚀', '🎲']],
    ['question marks', '???', ['???']],
  ])('without letters and digits is left as it is: %s', (_what, text, words) => {
    expect(foldName(text).words).toEqual(words)
  })

  test.each([
    ['nothing', ''],
    ['blanks', '  \t'],
    ['NUL', '\0\0'],
    ['half of a character', '\ud83c'],
  ])('of %s has no words', (_what, text) => {
    expect(foldName(text)).toMatchObject({ words: [], key: '', joined: '' })
  })

  test('has the same words on the fast path for English letters', () => {
    const simple = fc
      .string({ unit: fc.constantFrom(...'abzABZ019 '), maxLength: 30 })
      .map(text => `a${text}`)
    fc.assert(
      fc.property(simple, text => {
        expect(foldName(text)).toEqual(foldName(`${text}\u0301`))
      }),
      { numRuns: 500 },
    )
  })

  test('is folded idempotently, to text that PostgreSQL can store', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
        const { words, key, joined } = foldName(text)
        expect(foldName(key).joined).toBe(joined)
        for (const word of [...words, key]) expect(word).not.toMatch(/\0/)
        expect(Buffer.from(key).toString()).toBe(key)
      }),
      { numRuns: 500 },
    )
  })
})

test.each([
  ['red-kite.co.uk', 'redkite', ['red', 'kite']],
  ['luckyotter.example', 'luckyotter', ['luckyotter']],
  ['xn--havmge-lua.example', 'havmage', ['havmage']],
])('the domain %s is called %s', (domain, joined, words) => {
  expect(foldDomain(domain)).toMatchObject({ joined, words })
})

test.each([
  ['Pigeon-Pay', 'pigeon pay'],
  ['PAYSAFECARD', 'paysafecard'],
  ['Trustly®', 'trustly®'],
  ['+', '+'],
])('the value %s is compared as %s', (value, folded) => {
  expect(foldValue(value)).toBe(folded)
})

describe('a license number', () => {
  test.each([
    ['MGA/B2C/183/2010', 'mga b2c 183 2010'],
    ['000-039483-R-319313-004', '000039483R319313004'],
    ['RGL 9901', 'rgl9901'],
  ])('ignores everything but letters and digits: %s', (one, other) => {
    expect(foldNumber(one)).toBe(foldNumber(other))
  })

  test.each([
    ['039483-R-319313-004', '039483r319313'],
    ['039483-r-319313 - 1', '039483r319313'],
    ['039483-R-319313', null],
    ['MGA/B2C/183/2010', null],
  ])('%s without its version counter is %s', (number, key) => {
    expect(foldNumberWithoutVersion(number)).toBe(key)
  })
})

test('a text that is cut is cut between characters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 4, max: 40 }),
      (text, bytes) => {
        const cut = truncateKey(text, bytes)
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes)
        expect(text.startsWith(cut)).toBe(true)
      },
    ),
  )
})
