import { expect, test } from 'vitest'
import { fileOfBytes } from './file-of-bytes.ts'
import { firstCharacter } from './first-character.ts'

test.each([
  ['<', '\ufeff\r\n  <Rejestr>'],
  ['{', '{"records": []}'],
  ['ž', '   žába'],
  ['', ' \n '],
  ['', ''],
])('the first character is "%s" of %j, wherever the pieces are cut', async (character, content) => {
  for (const pieceBytes of [1, 2, 3, 64])
    expect(await firstCharacter(fileOfBytes('file', content, pieceBytes))).toBe(character)
})
