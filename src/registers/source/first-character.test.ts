import { expect, test } from 'vitest'
import { fileOfBytes } from './file-of-bytes.ts'
import { firstCharacter } from './first-character.ts'

test.each([
  ['<', '\ufeff\r\n  <Rejestr>'],
  ['{', '{"records": []}'],
  ['ž', '   žába'],
  ['', ' \n '],
  ['', ''],
])(
  'finds the first character "%s" of %j, however the file is split into pieces',
  async (character, content) => {
    for (const pieceBytes of [1, 2, 3, 64])
      expect(await firstCharacter(fileOfBytes('file', content, pieceBytes))).toBe(character)
  },
)
