import { readFileSync } from 'node:fs'
import { editDistance } from '@baize/names'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  candidatesMax,
  comparedWordsMax,
  errorsAllowed,
  longerForms,
  longerFormsMax,
  misspellingsMax,
  misspelt,
  partsScannedMax,
  piecesOf,
  splitsOf,
  type WordPiece,
} from './similar-words.ts'

function fits(word: string, { where, text, lengthMin, lengthMax }: WordPiece): boolean {
  const { length } = [...word]
  if (length < lengthMin || length > lengthMax) return false
  if (where === 'beginning') return word.startsWith(text)
  return where === 'end' ? word.endsWith(text) : word.includes(text)
}

const letter = fc.constantFrom(...'abcdeé🎲')
const error = fc.record({
  at: fc.nat(),
  letter,
  kind: fc.constantFrom('extra', 'missing', 'other', 'exchanged'),
})

function misspell(
  letters: readonly string[],
  { at, letter: typed, kind }: { at: number; letter: string; kind: string },
) {
  const place = at % letters.length
  if (kind === 'extra') return letters.toSpliced(place, 0, typed)
  if (kind === 'missing') return letters.toSpliced(place, 1)
  if (kind === 'other') return letters.toSpliced(place, 1, typed)
  return letters.toSpliced(place, 2, ...letters.slice(place, place + 2).reverse())
}

describe('a misspelt word', () => {
  test.each([
    ['bet', 0],
    ['bwin', 1],
    ['otter', 1],
    ['ottermoo', 1],
    ['ottermoor', 2],
    ['🎲🎲🎲🎲🎲', 1],
  ])('the word %s may be misspelt by %d errors', (word, errors) => {
    expect(errorsAllowed(word)).toBe(errors)
  })

  test('a misspelt word has a piece in common with every word that it may stand for', () => {
    const word = fc.array(letter, { minLength: 4, maxLength: 14 })
    fc.assert(
      fc.property(word, fc.array(error, { minLength: 1, maxLength: 2 }), (meant, errors) => {
        const typed = errors.reduce(misspell, meant).join('')
        const distance = editDistance([...typed], meant, 2)
        fc.pre(distance <= errorsAllowed(typed) && typed !== meant.join(''))
        expect(piecesOf(typed).some(piece => fits(meant.join(''), piece))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a misspelt word matches the nearest words, always in the same order', () => {
    const vocabulary = ['otter', 'utter', 'otters', 'ottermoor', 'potter', 'otter']
    expect(misspelt('ottre', vocabulary)).toEqual(['otter'])
    expect(misspelt('otter', vocabulary)).toEqual(['otters', 'potter', 'utter'])
  })
})

test.each([
  ['vegas', 'vegas', 'vegas'],
  ['veg', 'veg', null],
  ['ve', null, null],
  ['365', '365', '365'],
  ['36', null, null],
  ['東京都', '東京都', '東京都'],
  ['東京', null, null],
])(
  'words beginning with %s are looked up by %s, and words that contain it by %s',
  (word, beginning, part) => {
    expect(longerForms(word)).toEqual({ beginning, part })
  },
)

test('the limits of similar words are those in docs/search.md', () => {
  const docs = readFileSync(new URL('../../../../docs/search.md', import.meta.url), 'utf8')
  expect(docs).toContain(`the ${misspellingsMax} nearest`)
  expect(docs).toContain(`the ${longerFormsMax} shortest`)
  expect(docs).toContain(`more than ${comparedWordsMax} words`)
  expect(docs).toContain(`${candidatesMax.toLocaleString('en')} words with the same beginning`)
  expect(docs).toContain(`${partsScannedMax.toLocaleString('en')} words are searched`)
})

test('a word may be read as any two words of at least two letters', () => {
  expect(splitsOf('redkite')).toEqual([
    ['re', 'dkite'],
    ['red', 'kite'],
    ['redk', 'ite'],
    ['redki', 'te'],
  ])
  expect(splitsOf('bet')).toEqual([])
})
