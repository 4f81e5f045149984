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

describe('folded names', () => {
  test.each(oneKey)('spellings that differ in %s have one name key', (_what, ...names) => {
    expect([...new Set(names.map(name => foldName(name).key))]).toHaveLength(1)
  })

  test.each(oneWhenJoined)('names that differ in %s are equal when joined', (_what, ...names) => {
    expect([...new Set(names.map(name => foldName(name).joined))]).toHaveLength(1)
  })

  test('a folded name has its legal form apart from its words', () => {
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
  ])('a name without letters and digits is not folded: %s', (_what, text, words) => {
    expect(foldName(text).words).toEqual(words)
  })

  test.each([
    ['nothing', ''],
    ['blanks', '  \t'],
    ['NUL', '\0\0'],
    ['half of a character', '\ud83c'],
  ])('a name of %s has no words', (_what, text) => {
    expect(foldName(text)).toMatchObject({ words: [], key: '', joined: '' })
  })

  test('the fast path for English letters gives the same words as the full folding', () => {
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

  test('letters of mathematical alphabets fold as the letters that they show', () => {
    expect(foldName('𝚨𝚩').key).toBe(foldName('ΑΒ').key)
  })

  test('a character of private use in a name is no slash', () => {
    expect(foldName('A\u{e000}S Otter').key).toBe(foldName('A S Otter').key)
  })

  test('a folded name folds to itself, and PostgreSQL can store it', () => {
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
])('the domain %s is folded to the name %s', (domain, joined, words) => {
  expect(foldDomain(domain)).toMatchObject({ joined, words })
})

test.each([
  ['Pigeon-Pay', 'pigeon pay'],
  ['PAYSAFECARD', 'paysafecard'],
  ['Trustly®', 'trustly®'],
  ['+', '+'],
])('the filter value %s is compared as %s', (value, folded) => {
  expect(foldValue(value)).toBe(folded)
})

describe('license numbers', () => {
  test.each([
    ['MGA/B2C/183/2010', 'mga b2c 183 2010'],
    ['000-039483-R-319313-004', '000039483R319313004'],
    ['RGL 9901', 'rgl9901'],
  ])('a license number is compared by its letters and digits only: %s', (one, other) => {
    expect(foldNumber(one)).toBe(foldNumber(other))
  })

  test.each([
    ['039483-R-319313-004', '039483r319313'],
    ['039483-r-319313 - 1', '039483r319313'],
    ['039483-R-319313', null],
    ['MGA/B2C/183/2010', null],
  ])('the license number %s without its version counter is %s', (number, key) => {
    expect(foldNumberWithoutVersion(number)).toBe(key)
  })
})

test('a long text is cut between characters', () => {
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
