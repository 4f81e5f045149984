import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinBody } from './answer.ts'

const sentOf = (pieces: readonly string[]) => Buffer.from(joinBody(pieces) as string, 'utf8')

test('a body has the same bytes as text and as a buffer', () => {
  const unit = fc.constantFrom('a', 'ž', 'Ö', '漢', '🎰', '\\u0000', '\\ud800', '"')
  const piece = fc.string({ unit, maxLength: 900 })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      expect(sentOf(pieces).equals(Buffer.from(pieces.join(''), 'utf8'))).toBe(true)
    }),
  )
})

test.each([4_095, 4_096, 4_097])('at the length from which bodies are buffers: %d characters', characters => {
  for (const character of ['x', 'ž', '漢']) {
    const pieces = ['[', character.repeat(characters - 2), ']']
    expect(sentOf(pieces).equals(Buffer.from(pieces.join('')))).toBe(true)
  }
})

test('a lone surrogate is replaced in both, with the length it was counted with', () => {
  const text = `"${'x'.repeat(5_000)}\ud83c"`
  expect(sentOf([text, '\udfb0']).equals(Buffer.from(`${text}\udfb0`))).toBe(true)
})
