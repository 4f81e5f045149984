import { expect, test } from 'vitest'
import { fileOfBytes, firstCharacter } from './source-file.ts'

test.each([
  ['<', '\ufeff\r\n  <Rejestr>'],
  ['{', '{"records": []}'],
  ['ž', '   žába'],
  ['', ' \n '],
  ['', ''],
])('the first character "%s" of %j is found in pieces of any size', async (character, content) => {
  for (const pieceBytes of [1, 2, 3, 64])
    expect(await firstCharacter(fileOfBytes('file', content, pieceBytes))).toBe(character)
})
