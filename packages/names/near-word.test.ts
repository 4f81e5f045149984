import { expect, test } from 'vitest'
import { nearWord, suggestWord } from './near-word.ts'

test.each<[string, unknown, string[], string | undefined]>([
  ['two letters exchanged', 'cvs', ['xlsx', 'csv', 'json'], 'csv'],
  ['another case', ' Operater ', ['operator', 'supplier'], 'operator'],
  ['as it is spelt where it is known', 'revokd', ['Active', 'Revoked'], 'Revoked'],
  ['the nearest of several', 'activ', ['inactive', 'active'], 'active'],
  ['a word that is far from all', 'wizardry', ['operator', 'supplier'], undefined],
  ['a short word, near to anything', 'xy', ['mga', 'uk'], undefined],
  ['a word of great length', 'operator'.repeat(8), ['operator'], undefined],
  ['an empty word', ' ', ['q', 'uk'], undefined],
  ['no word at all', 7, ['operator'], undefined],
  ['nothing known', 'operator', [], undefined],
])('nearWord returns the nearest known word, or nothing if no word is near: %s', (_, word, known, meant) => {
  expect(nearWord(word, known)).toBe(meant)
})

test('the suffix of an error message asks about the nearest accepted word, or is a full stop', () => {
  expect(suggestWord('cvs', ['csv'])).toEqual({ suffix: '; did you mean "csv"?', did_you_mean: 'csv' })
  expect(suggestWord('wizardry', ['csv'])).toEqual({ suffix: '.', did_you_mean: null })
})
