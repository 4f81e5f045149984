import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileOfBytes, Refusal } from './source-file.ts'
import { readText, readTextLines, type TextEncoding, type TextForm } from './source-text.ts'

const lines = async (content: string | Uint8Array, pieceBytes: number, encoding: TextEncoding = 'utf-8') => {
  const file = fileOfBytes('list.txt', content, pieceBytes)
  return (await Array.fromAsync(readTextLines(file, { encoding, markup: 'none' }))).map(line => line.text)
}

const refusal = async (content: string | Uint8Array, form: TextForm) => {
  const reading = Array.fromAsync(readText(fileOfBytes('list.txt', content), form))
  return reading.then(
    () => 'accepted',
    error => (error instanceof Refusal ? error.message : `not a refusal: ${error}`),
  )
}

test('lines are the same for any size of the pieces and any kind of line end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      async (pieceBytes, end) => {
        expect(await lines(`\ufeffжаба${end}${end}otter${end}x`, pieceBytes)).toEqual([
          'жаба',
          '',
          'otter',
          'x',
        ])
      },
    ),
    { numRuns: 30 },
  )
})

test('lines of one file may end with LF, CRLF or CR', async () => {
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
  const texts = fc.array(fc.tuple(fc.constantFrom('жаба', 'otter', 'x'), lineEnd), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), texts, async (pieceBytes, written) => {
      const content = written.map(line => line.join('')).join('')
      expect(await lines(content, pieceBytes)).toEqual(written.map(([text]) => text))
    }),
  )
})

test('windows-1250 is decoded as declared', async () => {
  expect(await lines(Uint8Array.of(0xe8, 0x65, 0x72, 0x76, 0x65, 0x6e, 0xe1), 2, 'windows-1250')).toEqual([
    'červená',
  ])
})

describe('unexpected content', () => {
  const rows: TextForm = { encoding: 'utf-8', markup: 'none' }
  test('text of another kind or encoding is refused with the kind that was found', async () => {
    const contents: [what: string, content: string | Uint8Array<ArrayBuffer>, message: RegExp][] = [
      ['nothing', '', /is empty/],
      ['blanks', ' \r\n ', /is empty/],
      ['an error page', '<!doctype html>\n<title>500</title>', /HTML page.*found "<!doctype html>/],
      ['an error page behind a comment', '<!-- 13:42 -->\n<html lang="cs">', /HTML page/],
      ['markup', '<Rejestr>', /expected rows, found "<Rejestr>"/],
      ['a workbook', Uint8Array.of(0x50, 0x4b, 3, 4, 0), /xlsx workbook/],
      ['a PDF', '%PDF-1.7', /PDF/],
      ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x61, 0), /UTF-16/],
      ['another encoding', Uint8Array.of(0x61, 0xe8, 0x61), /expected utf-8/],
      ['a character cut off', Uint8Array.of(0x61, 0xc4), /expected utf-8/],
      ['zero bytes', 'a\0b', /zero bytes/],
    ]
    const found: [string, string][] = []
    for (const [what, content] of contents) found.push([what, await refusal(content, rows)])
    expect(found).toEqual(contents.map(([what, , message]) => [what, expect.stringMatching(message)]))
  })

  test('text in place of XML is refused with its beginning', async () => {
    expect(await refusal('a.example\n', { encoding: 'utf-8', markup: 'xml' })).toMatch(
      /expected XML, found "a.example/,
    )
  })

  test('a line longer than the limit is refused', async () => {
    await expect(lines('x'.repeat(70_000), 65_536)).rejects.toThrow(/line 1 is longer than 65536 characters/)
  })
})
