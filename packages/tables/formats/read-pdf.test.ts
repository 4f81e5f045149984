import { describe, expect, test } from 'vitest'
import { Refusal } from '../index.ts'
import { pdfOf, pdfTable } from '../test/make-files.ts'
import { read } from '../test/read.ts'

const dated = {
  file: {
    format: 'pdf',
    pattern: String.raw`(?<site>\S+)\s+(?<day>\d\d\.\d\d\.\d{4})`,
    ignore: String.raw`www\.regulator\.example.*`,
  },
  columns: { site: { headers: ['site'] }, day: { headers: ['day'] } },
}

const day = (index: number) => `${String((index % 28) + 1).padStart(2, '0')}.09.2026`
const listed = Array.from({ length: 100 }, (_, index) => [`otter-${index}.example`, day(index)])
const withTitle = [
  ['List of blocked sites', ''],
  ['Domain', 'Listed on'],
  ...listed,
  ['www.regulator.example 3', ''],
]

async function refusalOf(text: object, content: Uint8Array | string): Promise<string> {
  try {
    await read(text, content, 'list.pdf')
    return 'read'
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

describe('lines of a PDF', () => {
  test('lines of all pages of a PDF are read, without titles and ignored lines', async () => {
    const list = await read(dated, pdfTable(withTitle, [60, 320]))
    expect(list.rows).toEqual(listed.map(([site, day]) => ({ site, day })))
    expect(list.misshapen).toEqual([])
  })

  test('a PDF line that may be a row and does not match the pattern is rejected', async () => {
    const list = await read(dated, pdfTable([['otter.example', 'soon'], ...listed], [60, 320]))
    expect(list.misshapen).toEqual(['1 otter.example soon'])
  })

  test('pieces of one word in a PDF are joined, and words stay apart', async () => {
    const pieces = [
      { text: 'otter-', left: 60, base: 700 },
      { text: 'palace.example', left: 83.4, base: 700 },
      { text: '01.09.2026', left: 300, base: 701 },
    ]
    const list = await read(dated, pdfOf([pieces]))
    expect(list.rows.map(row => row.site)).toEqual(['otter-palace.example'])
  })
})

describe('the table of a PDF', () => {
  const lefts = [60, 120, 300, 460]
  const header = ['No', 'Company', 'Site', 'Listed']
  const rows = Array.from({ length: 90 }, (_, index) => [
    `${index + 1}`,
    `Otter Games ${index} Ltd`,
    `otter-${index}.example`,
    day(index),
  ])
  const columns = {
    number: { headers: ['No'] },
    site: { headers: ['Site'] },
    day: { headers: ['Listed'] },
    company: { headers: ['Company'] },
  }
  const table = { file: { format: 'pdf', ignore: 'Page .*' }, columns }

  test("the table of a PDF is read by its columns' positions, with a header on each page", async () => {
    const printed = [
      ['Register of sites', '', '', ''],
      header,
      ...rows.slice(0, 38),
      header,
      ...rows.slice(38),
    ]
    const list = await read(table, pdfTable([...printed, ['Page 3 of 3', '', '', '']], lefts))
    expect(list.rows.map(row => row.site)).toEqual(rows.map(row => row[2]))
    expect(list.misshapen).toEqual([])
  })

  test('columns of a PDF in another order are found by their names', async () => {
    const moved = (cells: readonly string[]) => [cells[2], cells[0], cells[3], cells[1]] as string[]
    const list = await read(table, pdfTable([header, ...rows].map(moved), [60, 200, 260, 360]))
    expect(list.rows[7]).toMatchObject({ number: '8', site: 'otter-7.example', day: '08.09.2026' })
    expect(list.rows).toHaveLength(90)
  })

  test('a cell of several lines in a PDF belongs to the row that the named column begins', async () => {
    const wrapped = { file: { format: 'pdf', row_begins_with: 'number' }, columns }
    const printed = [
      header,
      ['1', 'Otter Games of the', 'otter.example', '01.09.2026'],
      ['', 'Northern Isles Ltd', 'fox.example', ''],
      ['2', 'Heron Ltd', 'heron.example', '02.09.2026'],
    ]
    const list = await read(wrapped, pdfTable(printed, lefts))
    expect(list.rows.map(row => [row.company, row.site, row.day])).toEqual([
      ['Otter Games of the\nNorthern Isles Ltd', 'otter.example\nfox.example', '01.09.2026'],
      ['Heron Ltd', 'heron.example', '02.09.2026'],
    ])
  })

  test('a PDF table without its columns is refused with the columns that were found', async () => {
    const other = pdfTable([['No', 'Name', 'Town', 'Since'], ...rows], lefts)
    expect(await refusalOf(table, other)).toMatch(
      /expected the columns \[No \| Site \| Listed \| Company\], found \[/,
    )
  })
})

describe('files that are no PDF with text', () => {
  const whole = pdfTable(withTitle, [60, 320])
  test.each([
    ['half a file', whole.subarray(0, whole.length / 2), /not a complete PDF/],
    ['nothing', '', /is empty/],
    ['an error page', '<!doctype html><title>503</title>', /expected a PDF, found "<!doctype html>/],
    ['a workbook', Uint8Array.of(0x50, 0x4b, 3, 4), /expected a PDF, found a zip archive/],
    ['a PDF without pages', '%PDF-1.7\n%%EOF\n', /is not a readable PDF/],
    ['pages that are pictures', pdfOf([[], []]), /has 2 pages without text, probably pictures of it/],
    ['too many pages', pdfOf(new Array(2_001).fill([])), /has 2001 pages; at most 2000 are accepted/],
  ])('a PDF is refused if it is %s', async (_what, content, message) => {
    expect(await refusalOf(dated, content)).toMatch(message)
  })
})
