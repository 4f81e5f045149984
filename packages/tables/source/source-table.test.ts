import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileOfBytes } from './source-file.ts'
import { layoutOf, readDelimited, type TableForm } from './source-table.ts'

const form: TableForm = { encoding: 'utf-8', delimiter: ';' }
const layout = {
  site: { headers: ['Site', 'Web page'] },
  listed: { headers: ['Listed on'] },
  note: { headers: ['Note'], optional: true },
} as const

const read = (content: string) =>
  Array.fromAsync(readDelimited(fileOfBytes('table.csv', content, 5), form, layout))

describe('columns of delimited tables', () => {
  test('columns are found by name in any order, and unknown ones are reported', async () => {
    const rows = await read('List of sites\n\nlisted  ON;Ground;web page\n1.1.2020;a;x.example\n')
    expect(rows).toEqual([
      { kind: 'unknown_column', name: 'Ground' },
      { kind: 'row', line: 4, cells: { site: 'x.example', listed: '1.1.2020', note: '' } },
    ])
  })

  test('a cell of a delimited table may contain the delimiter and a line end', async () => {
    const [row] = await read('Site;Listed on;Note\nx.example;1.1.2020;"a;\r\nb"\n')
    expect(row).toMatchObject({ cells: { note: 'a;\r\nb' } })
  })
})

test('rows are read the same with any kinds of line ends', async () => {
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r')
  const line = fc.record({ site: fc.constantFrom('a', 'b', '"c"', '"d\r\ne"'), end: lineEnd })
  const table = fc.record({
    headerEnd: lineEnd,
    lines: fc.array(line, { minLength: 1, maxLength: 9 }),
    pieceBytes: fc.integer({ min: 1, max: 9 }),
  })
  await fc.assert(
    fc.asyncProperty(table, async ({ headerEnd, lines, pieceBytes }) => {
      const content = `Site;Listed on${headerEnd}${lines.map(({ site, end }) => `${site};1.1.2020${end}`).join('')}`
      const file = fileOfBytes('table.csv', content, pieceBytes)
      const rows = await Array.fromAsync(readDelimited(file, form, layout))
      expect(rows).toEqual(
        lines.map(({ site }, index) => ({
          kind: 'row',
          line: index + 2,
          cells: { site: site.replaceAll('"', ''), listed: '1.1.2020', note: '' },
        })),
      )
    }),
  )
})

test('a misshapen row is reported; blank rows and trailing empty cells are ignored', async () => {
  const rows = await read('Site;Listed on\nx.example\n;\ny.example;1.1.2020;;\nz.example;1.1.2020;more\n')
  expect(rows.map(row => row.kind)).toEqual(['misshapen', 'row', 'misshapen'])
})

describe('tables that are refused', () => {
  test('a table with other columns is refused with the expected and the found ones', async () => {
    await expect(read('Site;Date\nx.example;1.1.2020\n')).rejects.toThrow(
      '"table.csv": expected the columns [Site | Listed on], found [Site | Date]',
    )
  })

  test('a table with the same column twice is refused', async () => {
    await expect(read('Site;Site;Listed on\n')).rejects.toThrow(/expected the columns/)
  })

  test('a table that is cut off inside a quoted cell is refused', async () => {
    await expect(read('Site;Listed on\nx.example;"1.1.2')).rejects.toThrow(/is not a table/)
  })

  test('a table with a row that never ends is refused', async () => {
    await expect(read(`Site;Listed on\nx.example;"${'a'.repeat(70_000)}"\n`)).rejects.toThrow(
      /is not a table/,
    )
  })
})

test('the layout whose columns are all present is detected', async () => {
  const layouts = { sites: layout, names: { name: { headers: ['Name'] } } }
  expect(await layoutOf(fileOfBytes('a', 'Name\nx\n'), form, layouts)).toBe('names')
  await expect(layoutOf(fileOfBytes('a', 'Brand\nx\n'), form, layouts)).rejects.toThrow(
    'or [Name], found [Brand]',
  )
})
