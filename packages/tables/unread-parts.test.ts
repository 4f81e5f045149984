/** Tests that everything in a file which is no row and no column is reported. */
import { describe, expect, test } from 'vitest'
import { sheetOf } from '../registers/test/answers/answer.ts'
import { pdfTable, workbook } from './test/make-files.ts'
import { read } from './test/read.ts'

const columns = { holder: { headers: ['Holder'] }, site: { headers: ['Site'] } }
const row = (cells: string) =>
  `<tr>${cells
    .split('|')
    .map(cell => `<td>${cell}</td>`)
    .join('')}</tr>`
const table = (...rows: string[]) => `<table>${rows.map(row).join('')}</table>`

describe('in a page', () => {
  const first = table('Holder|Site', 'Otter|otter.example')

  test.each([
    ['with the same columns', table('Holder|Site', 'Fox|fox.example'), 'Holder | Site'],
    ['with a renamed column', table('Holder|Web', 'Fox|fox.example'), 'Holder | Web'],
  ])('another table %s is reported', async (_what, other, header) => {
    const { rows, notices } = await read({ file: { format: 'html' }, columns }, first + other)
    expect(rows).toHaveLength(1)
    expect(notices).toEqual([`beside the rows, not read: ${header}`])
  })

  test('a table with a renamed column beside others is reported', async () => {
    const other = table('Holder|Web', 'Fox|fox.example')
    const { notices } = await read({ file: { format: 'html', table: 'all' }, columns }, first + other)
    expect(notices).toEqual(['beside the rows, not read: Holder | Web'])
  })

  test('a table of something else is reported as such, and a table around the list is not', async () => {
    const other = table('Day|Holiday', 'Monday|none')
    const page = `<table><tr><td>${first}</td></tr></table>${other}<table><tr><td> </td></tr></table>`
    const { rows, notices } = await read({ file: { format: 'html', table: 'all' }, columns }, page)
    expect([rows.length, notices]).toEqual([1, ['a table with other columns, not read: Day | Holiday']])
  })

  test('a cell across a row is reported', async () => {
    const total = '<tr><td colspan="2">Fox, fox.example</td></tr></table>'
    const { notices } = await read({ file: { format: 'html' }, columns }, first.replace('</table>', total))
    expect(notices).toEqual(['a cell across several columns is no row: Fox, fox.example'])
  })
})

test('values below no header are reported once for each column', async () => {
  const csv =
    'Holder,Site,\nOtter,otter.example,\nFox,fox.example,fox2.example\nCarp,carp.example,carp2.example\n'
  const { rows, notices } = await read({ file: { format: 'csv' }, columns }, csv)
  expect(rows).toHaveLength(3)
  expect(notices).toEqual(['values below no header, not read: fox2.example'])
  const sheet = [
    ['Holder', 'Site'],
    ['Otter', 'otter.example', 'otter2.example'],
  ]
  const found = await read({ file: { format: 'xlsx' }, columns }, workbook({ List: sheetOf(sheet) }))
  expect(found.notices).toEqual(['values below no header, not read: otter2.example'])
})

test('elements of XML beside the rows are reported', async () => {
  const xml = '<List><Row><Site>otter.example</Site></Row><Entry><Site>fox.example</Site></Entry></List>'
  const { rows, notices } = await read(
    { file: { format: 'xml', rows_at: 'List/Row' }, columns: { site: { headers: ['Site'] } } },
    xml,
  )
  expect([rows, notices]).toEqual([[{ site: 'otter.example' }], ['beside the rows, not read: Entry']])
})

test('lists of JSON beside the rows are reported', async () => {
  const json = { total: 2, data: { active: [{ site: 'otter.example' }], pending: [{ site: 'fox.example' }] } }
  const { notices } = await read(
    { file: { format: 'json', rows_at: 'data/active' }, columns: { site: { headers: ['site'] } } },
    JSON.stringify(json),
  )
  expect(notices).toEqual(['beside the rows, not read: pending'])
})

test('lines of a PDF that are no rows are reported', async () => {
  const { rows, notices } = await read(
    { file: { format: 'pdf', pattern: '\\d+ (?<site>\\S+)' }, columns: { site: { headers: ['site'] } } },
    pdfTable([['List of sites'], ['1', 'otter.example'], ['Lucky Fox Limited']], [40, 80]),
  )
  expect(rows).toEqual([{ site: 'otter.example' }])
  expect(notices).toEqual(['a line is no row: List of sites', 'a line is no row: Lucky Fox Limited'])
})

test('a cell without what its pattern looks for is reported, unless it may be missing', async () => {
  const pattern = '[a-z]+\\.example'
  const withPattern = (more: object) => ({
    file: { format: 'csv' },
    columns: { ...columns, site: { headers: ['Site'], pattern, ...more } },
  })
  const csv = 'Holder,Site\nOtter,see otter.example\nFox,soon\nCarp,\n'
  const found = await read(withPattern({}), csv)
  expect(found.rows.map(each => each.site)).toEqual(['otter.example', '', ''])
  expect(found.notices).toEqual(['no site found: soon'])
  expect((await read(withPattern({ optional: true }), csv)).notices).toEqual([])
})
