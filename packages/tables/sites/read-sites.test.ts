import { expect, test } from 'vitest'
import { sheetRows, workbook } from '../test/make-files.ts'
import { readSites } from './read-sites.ts'
import { readSitesApart } from './read-sites-apart.ts'

const read = (text: string, wanted?: string) => readSites(Buffer.from(text), wanted)
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

test.each([
  ['a list of lines', 'one.example\nhttps://two.example/x\n\n'],
  ['a list with a title', 'Site\none.example\nhttps://two.example/x'],
  [
    'a table with semicolons and a byte order mark',
    '\ufeffShop;Site\nOne;one.example\n"Two; Ltd";https://two.example/x\n',
  ],
  ['a table with tabs', 'Site\tShop\none.example\tOne\nhttps://two.example/x\tTwo\n'],
  ['a table with commas and no titles', '1,one.example\n2,https://two.example/x\n'],
])('the column of sites of %s is found', async (_, text) => {
  expect((await read(text)).sites).toEqual(['one.example', 'https://two.example/x'])
})

test('the column of sites is named, and another one can be chosen by title or number', async () => {
  const text = 'Shop;Site;Mirror\nOne;one.example;m.one.example\nTwo;two.example;\n'
  expect(await read(text)).toEqual({
    column: 'Site',
    columns: ['Shop', 'Site', 'Mirror'],
    number: 2,
    sites: ['one.example', 'two.example'],
  })
  for (const wanted of ['mirror', '3']) expect((await read(text, wanted)).sites).toEqual(['m.one.example'])
  await expect(read(text, 'Address')).rejects.toThrow(
    'There is no column "Address"; there are Shop, Site, Mirror.',
  )
})

test('the column of sites of a workbook is found on its first visible sheet', async () => {
  const { column, columns, sites } = await readSites(workbook({ Merchants: sheetRows() }))
  expect([column, columns]).toEqual(['Site', ['Holder', 'Number', 'Granted', 'Site']])
  expect([sites.length, sites[0]]).toEqual([20, 'otter0.example'])
})

test('a file in UTF-16 is read, also in a thread', async () => {
  const { column, sites } = await readSitesApart(utf16('Händler;Site\nÖ;one.example\n'))
  expect([column, sites]).toEqual(['Site', ['one.example']])
})

test('a file without sites, with too many rows or columns, or torn, is refused with the reason', async () => {
  await expect(read('Shop;Town\nOne;Bern\n')).rejects.toThrow('No column has domains; there are Shop, Town.')
  await expect(read('')).rejects.toThrow('The file has no rows.')
  await expect(read('a.example\n'.repeat(100_002))).rejects.toThrow('more than 100000 rows')
  await expect(read('a.example;'.repeat(60))).rejects.toThrow('more than 50 columns')
  await expect(readSitesApart(Buffer.from('PK\u0003\u0004torn'))).rejects.toThrow('xlsx')
})
