import { describe, expect, test } from 'vitest'
import { Refusal } from '../stream.ts'
import { jsonDescription, pdfOf, pdfTable, read } from './fixture.ts'

const blocklist = (file: object, columns: object, records: object) =>
  JSON.stringify({
    ...jsonDescription,
    key: 'jersey.blocklist',
    covers: ['blocklist'],
    source_claim: 'blocklist',
    publishes: { ...jsonDescription.publishes, dates: true },
    file: { format: 'pdf', ...file },
    columns,
    records: { blocklist_entries: records },
  })

const dated = blocklist(
  {
    pattern: String.raw`(?<site>\S+)\s+(?<day>\d\d\.\d\d\.\d{4})`,
    ignore: String.raw`www\.regulator\.example.*`,
  },
  { site: { headers: ['site'] }, day: { headers: ['day'] } },
  { domain: { column: 'site' }, listed_at: { column: 'day', date_forms: ['d.m.yyyy'] } },
)

const day = (index: number) => `${String((index % 28) + 1).padStart(2, '0')}.09.2026`
const listed = Array.from({ length: 100 }, (_, index) => [`otter-${index}.example`, day(index)])
const withTitle = [
  ['List of blocked sites', ''],
  ['Domain', 'Listed on'],
  ...listed,
  ['www.regulator.example 3', ''],
]

async function refusalOf(text: string, content: Uint8Array | string): Promise<string> {
  try {
    await read(text, content, 'list.pdf')
    return 'read'
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

describe('lines by a pattern', () => {
  test('of all pages are read, without titles and what the description ignores', async () => {
    const list = await read(dated, pdfTable(withTitle, [60, 320]))
    expect(list.blocklist_entry).toHaveLength(100)
    expect(list.blocklist_entry[99]).toMatchObject({
      published: 'otter-99.example',
      listedAt: '2026-09-16T00:00:00.000Z',
    })
    expect(list.reject).toEqual([])
  })

  test('a line that may be a row and does not match is rejected', async () => {
    const list = await read(dated, pdfTable([['otter.example', 'soon'], ...listed], [60, 320]))
    expect(list.reject).toMatchObject([{ reason: 'unparsable', line: 1, published: 'otter.example soon' }])
  })

  test('pieces of one word are joined, and words kept apart', async () => {
    const pieces = [
      { text: 'otter-', left: 60, base: 700 },
      { text: 'palace.example', left: 83.4, base: 700 },
      { text: '01.09.2026', left: 300, base: 701 },
    ]
    const list = await read(dated, pdfOf([pieces]))
    expect(list.blocklist_entry.map(row => row.published)).toEqual(['otter-palace.example'])
  })
})

describe('a table', () => {
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
  const records = { domain: { column: 'site' }, listed_at: { column: 'day', date_forms: ['d.m.yyyy'] } }
  const table = blocklist({ ignore: 'Page .*' }, columns, records)

  test('is read by the places of its columns, with a header on each page', async () => {
    const printed = [
      ['Register of sites', '', '', ''],
      header,
      ...rows.slice(0, 38),
      header,
      ...rows.slice(38),
    ]
    const list = await read(table, pdfTable([...printed, ['Page 3 of 3', '', '', '']], lefts))
    expect(list.blocklist_entry.map(row => row.published)).toEqual(rows.map(row => row[2]))
    expect(list.reject).toEqual([])
  })

  test('columns in another order are found by their names', async () => {
    const moved = (cells: readonly string[]) => [cells[2], cells[0], cells[3], cells[1]] as string[]
    const list = await read(table, pdfTable([header, ...rows].map(moved), [60, 200, 260, 360]))
    expect(list.blocklist_entry[7]).toMatchObject({ published: 'otter-7.example', listed: true })
    expect(list.blocklist_entry).toHaveLength(90)
  })

  test('a cell of several lines belongs to the row that the named column begins', async () => {
    const wrapped = blocklist({ row_begins_with: 'number' }, columns, records)
    const printed = [
      header,
      ['1', 'Otter Games of the', 'otter.example', '01.09.2026'],
      ['', 'Northern Isles Ltd', 'fox.example', ''],
      ['2', 'Heron Ltd', 'heron.example', '02.09.2026'],
    ]
    const list = await read(wrapped, pdfTable(printed, lefts))
    expect(list.blocklist_entry.map(row => [row.published, row.listedAt?.slice(0, 10)])).toEqual([
      ['otter.example', '2026-09-01'],
      ['fox.example', '2026-09-01'],
      ['heron.example', '2026-09-02'],
    ])
  })

  test('without its columns is refused, naming what was found', async () => {
    const other = pdfTable([['No', 'Name', 'Town', 'Since'], ...rows], lefts)
    expect(await refusalOf(table, other)).toMatch(
      /expected the columns \[No \| Site \| Listed \| Company\], found \[/,
    )
  })
})

describe('refused:', () => {
  const whole = pdfTable(withTitle, [60, 320])
  test.each([
    ['half a file', whole.subarray(0, whole.length / 2), /not a complete PDF/],
    ['nothing', '', /is empty/],
    ['an error page', '<!doctype html><title>503</title>', /expected a PDF, found "<!doctype html>/],
    ['a workbook', Uint8Array.of(0x50, 0x4b, 3, 4), /expected a PDF, found a zip archive/],
    ['a PDF without pages', '%PDF-1.7\n%%EOF\n', /is not a readable PDF/],
    ['pages that are pictures', pdfOf([[], []]), /has 2 pages without text, probably pictures of it/],
    ['too many pages', pdfOf(new Array(2_001).fill([])), /has 2001 pages; at most 2000 are accepted/],
  ])('%s', async (_what, content, message) => {
    expect(await refusalOf(dated, content)).toMatch(message)
  })
})
