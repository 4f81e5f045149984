import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinBody } from './answer.ts'

const sentOf = (pieces: readonly string[]) => Buffer.from(joinBody(pieces) as string, 'utf8')

test('a body that is sent as text and as a buffer has the same bytes', () => {
  const unit = fc.constantFrom('a', 'ž', 'Ö', '漢', '🎰', '\\u0000', '\\ud800', '"')
  const piece = fc.string({ unit, maxLength: 900 })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      expect(sentOf(pieces).equals(Buffer.from(pieces.join(''), 'utf8'))).toBe(true)
    }),
  )
})

test.each([4_095, 4_096, 4_097])(
  'a body of %d characters, near the limit between text and buffer, is sent unchanged',
  characters => {
    for (const character of ['x', 'ž', '漢']) {
      const pieces = ['[', character.repeat(characters - 2), ']']
      expect(sentOf(pieces).equals(Buffer.from(pieces.join('')))).toBe(true)
    }
  },
)

test('a lone surrogate is replaced in texts and buffers, and the content length is correct', () => {
  const text = `"${'x'.repeat(5_000)}\ud83c"`
  expect(sentOf([text, '\udfb0']).equals(Buffer.from(`${text}\udfb0`))).toBe(true)
})
