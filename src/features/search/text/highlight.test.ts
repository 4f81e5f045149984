import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeMarkup, highlightWords } from './highlight.ts'

const hasAny =
  (...words: string[]) =>
  (folded: readonly string[]) =>
    folded.some(word => words.includes(word))

test('matching words of a text are marked, and everything else is escaped', () => {
  const rows: [text: string, words: string[], shown: string | null][] = [
    ['Lucky Otter Ltd', ['otter'], 'Lucky <em>Otter</em> Ltd'],
    ['Havmåge Spil', ['havmage'], '<em>Havmåge</em> Spil'],
    ['Pebble & Pike', ['pike'], 'Pebble &amp; <em>Pike</em>'],
    ['<b>Otter</b>', ['otter'], '&lt;b&gt;<em>Otter</em>&lt;/b&gt;'],
    ['"Otter" O’Neill', ['oneill'], '&quot;Otter&quot; <em>O’Neill</em>'],
    ['B.V. Otter', ['bv'], '<em>B.V</em>. Otter'],
    ['Red-Kite', ['kite'], 'Red-<em>Kite</em>'],
    ['Fun+ Games', ['fun'], '<em>Fun</em>+ Games'],
    ['🎰 Palace', ['🎰'], '<em>🎰</em> Palace'],
    ['A / S Otter', ['a/s'], '<em>A / S Otter</em>'],
    ['Otter', ['ott'], null],
  ]
  const shown = rows.map(([text, words]) => [text, words, highlightWords(text, hasAny(...words))])
  expect(shown).toEqual(rows)
})

test('a highlight is the escaped text with emphasis, and nothing else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), text => {
      const shown = highlightWords(text, () => true)
      expect((shown ?? escapeMarkup(text)).replaceAll(/<\/?em>/g, '')).toBe(escapeMarkup(text))
      expect((shown ?? '').replaceAll(/<\/?em>/g, '')).not.toMatch(/[<>]/)
    }),
    { numRuns: 300 },
  )
})
