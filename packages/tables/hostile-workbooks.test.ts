/** Reads workbooks that are broken, or made to exhaust the memory. */
import { expect, test } from 'vitest'
import { packedParts, packedZip, sheetRows, workbook, workbookParts } from './test/make-files.ts'
import { readOutcome } from './test/outcome.ts'
import { fixtureText } from './test/read.ts'

const outcomeOf = (content: Uint8Array) => readOutcome(fixtureText('hungary-licences.yaml'), content, 65_536)
const sheetPart = 'xl/worksheets/sheet1.xml'
const packed = (part: string, content: string) =>
  packedParts(new Map([...workbookParts({ Remote: sheetRows() }), [part, Buffer.from(content)]]))

const whole = workbook({ Remote: sheetRows() })

test.each([
  ['the same workbook again', Buffer.concat([whole, whole]), /two workbooks in one file/],
  ['another workbook', Buffer.concat([whole, workbook({ Halls: '' })]), /two workbooks|not a complete zip/],
  ['a line', Buffer.concat([whole, Buffer.from('\n')]), /is not a complete zip archive/],
  ['its own beginning', Buffer.concat([whole, whole.subarray(0, 900)]), /is not a complete zip archive/],
])('a workbook followed by %s is refused', async (_what, content, message) => {
  expect(await outcomeOf(content)).toMatch(message)
})

test('a part of a workbook is unpacked only up to its declared size', async () => {
  const bomb = packedZip('xl/workbook.xml', Buffer.alloc(50 * 1024 * 1024, ' '), { unpackedBytes: 1_000 })
  expect(bomb.length).toBeLessThan(100_000)
  expect(await outcomeOf(bomb)).toMatch(/has a broken part, xl\/workbook\.xml/)
})

test('a part of a workbook with a wrong checksum is refused', async () => {
  const bomb = packedZip('xl/workbook.xml', Buffer.from('<workbook/>'), { crc: 7 })
  expect(await outcomeOf(bomb)).toMatch(/has a broken part, xl\/workbook\.xml/)
})

test.each([
  [
    'a sheet of very many rows',
    sheetPart,
    `<sheet>${'<row/>'.repeat(5_000_001)}`,
    /more than 5000000 elements/,
  ],
  [
    'very many shared texts',
    'xl/sharedStrings.xml',
    `<sst>${'<si/>'.repeat(500_001)}</sst>`,
    /more than 500000 shared texts/,
  ],
  [
    'long shared texts',
    'xl/sharedStrings.xml',
    `<sst>${`<si><t>${'x'.repeat(1_000_000)}</t></si>`.repeat(17)}</sst>`,
    /more than 16777216 characters of shared texts/,
  ],
  ['a comment without end', sheetPart, `<sheet><!--${'x'.repeat(3_000_000)}`, /characters without a tag/],
  [
    'very many merged cells',
    sheetPart,
    `<worksheet>${'<mergeCell ref="A1:A2"/>'.repeat(100_001)}</worksheet>`,
    /more than 100000 merged cells/,
  ],
  [
    'merged cells that reach through all rows',
    sheetPart,
    `<worksheet>${sheetRows()}${range(2_000)
      .map(row => `<row r="${row + 30}"><c r="B${row + 30}"><v>1</v></c></row>`)
      .join('')}${'<mergeCell ref="A1:A1048576"/>'.repeat(9_000)}</worksheet>`,
    /reaches beyond 10000000 cells, which is the limit/,
  ],
])('a small workbook with %s is refused at a limit', async (_what, part, content, message) => {
  const bomb = packed(part, content)
  expect(bomb.length).toBeLessThan(222_000)
  expect(await outcomeOf(bomb)).toMatch(message)
})

test('a sheet that declares the largest size is read', async () => {
  const content = `<worksheet><dimension ref="A1:XFD1048576"/>${sheetRows()}</worksheet>`
  expect(await outcomeOf(packed(sheetPart, content))).toBe('read')
})

test.each([
  [
    'a cell at the other end of a sheet',
    '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    /row 1048576 has a value in column 16384; at most 1000 are accepted/,
  ],
  [
    'a cell beyond it',
    '<row r="1"><c r="ZZZ1"><v>1</v></c></row>',
    /row 1 has a cell at "ZZZ1", which is outside of a sheet/,
  ],
  ['a row beyond it', '<row r="1000000000"><c r="A1"><v>1</v></c></row>', /the row "1000000000"/],
  ['a row twice', '<row r="2"/><row r="2"/>', /whose row 2 is followed by the row "2"/],
  [
    'a text that is missing',
    '<row r="1"><c r="A1" t="s"><v>7</v></c></row>',
    /row 1 has a text that the workbook lacks/,
  ],
  [
    'a document type',
    '</sheetData></worksheet><!DOCTYPE a [<!ENTITY b "c">]>',
    /is not complete XML|document type/,
  ],
])('a sheet with %s is refused', async (_what, rows, message) => {
  expect(await outcomeOf(workbook({ Remote: rows }))).toMatch(message)
})

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}
