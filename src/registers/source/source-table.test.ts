import { describe, expect, test } from 'vitest'
import { listOf } from '../streams/fixture.ts'
import { fileOfBytes } from './file-of-bytes.ts'
import { layoutOf, readTable, type TableForm } from './source-table.ts'

const form: TableForm = { encoding: 'utf-8', delimiter: ';' }
const layout = {
  site: { names: ['Site', 'Web page'] },
  listed: { names: ['Listed on'] },
  note: { names: ['Note'], optional: true },
} as const

const read = (content: string) => listOf(readTable(fileOfBytes('table.csv', content, 5), form, layout))

describe('columns are found by name', () => {
  test('in any order, by any of their names, below a title; unknown ones are reported', async () => {
    const rows = await read('List of sites\n\nlisted  ON;Ground;web page\n1.1.2020;a;x.example\n')
    expect(rows).toEqual([
      { kind: 'unknown_column', name: 'Ground' },
      { kind: 'row', line: 4, cells: { site: 'x.example', listed: '1.1.2020', note: '' } },
    ])
  })

  test('a cell may contain the delimiter and a line end', async () => {
    const [row] = await read('Site;Listed on;Note\nx.example;1.1.2020;"a;\r\nb"\n')
    expect(row).toMatchObject({ cells: { note: 'a;\r\nb' } })
  })
})

test('a misshapen row is reported; blank rows and trailing empty cells are ignored', async () => {
  const rows = await read('Site;Listed on\nx.example\n;\ny.example;1.1.2020;;\nz.example;1.1.2020;more\n')
  expect(rows.map(row => row.kind)).toEqual(['misshapen', 'row', 'misshapen'])
})

describe('refuses another table,', () => {
  test('naming the expected and the found columns', async () => {
    await expect(read('Site;Date\nx.example;1.1.2020\n')).rejects.toThrow(
      '"table.csv": expected the columns [Site | Listed on], found [Site | Date]',
    )
  })

  test('with a column twice', async () => {
    await expect(read('Site;Site;Listed on\n')).rejects.toThrow(/expected the columns/)
  })

  test('cut off inside a quoted cell', async () => {
    await expect(read('Site;Listed on\nx.example;"1.1.2')).rejects.toThrow(/is not a table/)
  })

  test('with a row that never ends', async () => {
    await expect(read(`Site;Listed on\nx.example;"${'a'.repeat(70_000)}"\n`)).rejects.toThrow(
      /is not a table/,
    )
  })
})

test('detects the layout whose columns are all present', async () => {
  const layouts = { sites: layout, names: { name: { names: ['Name'] } } }
  expect(await layoutOf(fileOfBytes('a', 'Name\nx\n'), form, layouts)).toBe('names')
  await expect(layoutOf(fileOfBytes('a', 'Brand\nx\n'), form, layouts)).rejects.toThrow(
    'or [Name], found [Brand]',
  )
})
