import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDistance } from '../../../core/edit-distance.ts'
import { comparedWordsMax, longerFormsMax, misspellingsMax } from './similar-limits.ts'
import { errorsAllowed, longerForms, misspelt, type Piece, piecesOf, splitsOf } from './similar-words.ts'

function fits(word: string, { where, text, lengthMin, lengthMax }: Piece): boolean {
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
  ])('%s may have %d errors', (word, errors) => {
    expect(errorsAllowed(word)).toBe(errors)
  })

  test('shares a piece with every word within its allowed errors', () => {
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

  test('may be the nearest words, in one order', () => {
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
  'longer words that begin with %s are looked up by %s, those that contain it by %s',
  (word, beginning, part) => {
    expect(longerForms(word)).toEqual({ beginning, part })
  },
)

test('the limits are those of the docs', () => {
  const docs = readFileSync(new URL('../../../../docs/search.md', import.meta.url), 'utf8')
  expect(docs).toContain(`the ${misspellingsMax} nearest`)
  expect(docs).toContain(`the ${longerFormsMax} shortest`)
  expect(docs).toContain(`more than ${comparedWordsMax} words`)
})

test('a word may be any two words of at least two letters', () => {
  expect(splitsOf('redkite')).toEqual([
    ['re', 'dkite'],
    ['red', 'kite'],
    ['redk', 'ite'],
    ['redki', 'te'],
  ])
  expect(splitsOf('bet')).toEqual([])
})
