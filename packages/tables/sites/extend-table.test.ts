import { expect, test } from 'vitest'
import { sheetRows, workbook } from '../test/make-files.ts'
import { extendTable } from './extend-table.ts'
import { readTableOfSites } from './read-sites.ts'

const extension = {
  titles: ['Verdict', 'Note'],
  cells: new Map([
    ['one.example', ['licensed', '']],
    ['otter0.example', ['blocklisted; "now"', '<&>']],
  ]),
}
const textOf = async (text: string, wanted?: string) => {
  const { bytes, isWorkbook } = await extendTable(Buffer.from(text), wanted, extension)
  expect(isWorkbook).toBe(false)
  return Buffer.from(bytes).toString()
}

test('a table keeps its cells, its delimiter and its byte order mark, and gets columns', async () => {
  const table = '\ufeffShop;Site\n"One; Ltd";https://www.one.example/x\nTwo;two.example\nThree;?\nFour;\n'
  expect(await textOf(table)).toBe(
    [
      '\ufeffShop;Site;Verdict;Note',
      '"One; Ltd";https://www.one.example/x;licensed;',
      'Two;two.example;;not screened yet',
      'Three;?;;not a site',
      'Four;;;no site',
      '',
    ].join('\r\n'),
  )
})

test('a list without titles gets some, and short rows are filled', async () => {
  expect(await textOf('one.example\n')).toBe('Column 1\tVerdict\tNote\r\none.example\tlicensed\t\r\n')
  expect(await textOf('a,Site\n1,one.example,x\n')).toContain(
    'a,Site,3,Verdict,Note\r\n1,one.example,x,licensed,',
  )
})

test('a workbook stays a workbook, with any text in its cells', async () => {
  const { bytes, isWorkbook } = await extendTable(workbook({ Shops: sheetRows() }), '4', extension)
  expect(isWorkbook).toBe(true)
  const { rows, columns } = await readTableOfSites(bytes)
  expect(columns).toEqual(['Holder', 'Number', 'Granted', 'Site', 'Verdict', 'Note'])
  expect(rows[1]).toEqual(['Otter 0', 'L-0', '1.1.2024', 'otter0.example', 'blocklisted; "now"', '<&>'])
  expect(rows).toHaveLength(21)
})
