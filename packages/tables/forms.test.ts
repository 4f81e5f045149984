/** Tests tables that are printed for people: merged headers, groups, several pages, remarks in cells. */
import { describe, expect, test } from 'vitest'
import { workbook } from './test/make-files.ts'
import { problemsOf, read, readFiles } from './test/read.ts'

const holderAndSite = { holder: { headers: ['Company'] }, site: { headers: ['Site'] } }

describe('headers of two rows', () => {
  const grouped = {
    file: { format: 'csv', delimiter: 'semicolon', header_rows: 2 },
    columns: { holder: { headers: ['Company'] }, site: { headers: ['Websites / Casino'] } },
  }

  test('a column below a merged header is named by both header rows', async () => {
    const content =
      'Register;;;\nCompany;Websites;;Since\n;Betting;Casino;\nOtter;bet.example;casino.example;2024\n'
    const list = await read(grouped, content)
    expect(list.rows).toEqual([{ holder: 'Otter', site: 'casino.example' }])
    expect(list.unknown).toEqual(['Websites / Betting', 'Since'])
  })

  test('a header of two rows is refused if the description has one row', async () => {
    const one = { ...grouped, file: { ...grouped.file, header_rows: 1 } }
    await expect(
      read(one, 'Company;Websites;\n;Betting;Casino\nOtter;a.example;b.example\n'),
    ).rejects.toThrow('expected the columns [Company | Websites / Casino], found [Company | Websites | ]')
  })

  test('spanning cells of an HTML header of two rows name each column below', async () => {
    const page = {
      file: { format: 'html', header_rows: 2 },
      columns: { holder: { headers: ['Company'] }, site: { headers: ['Websites / Casino'] } },
    }
    const list = await read(
      page,
      '<table><tr><th rowspan=2>Company<th colspan=2>Websites<tr><th>Betting<th>Casino<tr><td>Otter<td>a.example<td>b.example</table>',
    )
    expect(list.rows).toEqual([{ holder: 'Otter', site: 'b.example' }])
  })

  test('a merged cell in a header of two rows names every column below it', async () => {
    const sheet = {
      file: { format: 'xlsx', header_rows: 2 },
      columns: { holder: { headers: ['Company'] }, site: { headers: ['Websites / Casino'] } },
    }
    const cell = (place: string, value: string) =>
      `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
    const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`
    const list = await read(
      sheet,
      workbook({
        Register: [
          row(1, cell('A1', 'Company') + cell('B1', 'Websites')),
          row(2, cell('B2', 'Betting') + cell('C2', 'Casino')),
          row(3, cell('A3', 'Otter') + cell('B3', 'a.example') + cell('C3', 'b.example')),
        ].join(''),
      }),
    )
    expect(list.rows).toEqual([{ holder: 'Otter', site: 'b.example' }])
  })
})

test('a header that is repeated within a table is not read as a row', async () => {
  const list = await read(
    { file: { format: 'csv' }, columns: holderAndSite },
    'Company,Site\nOtter,otter.example\n Company , SITE\nHeron,heron.example\n',
  )
  expect(list.rows.map(row => row.holder)).toEqual(['Otter', 'Heron'])
  expect(list.misshapen).toEqual([])
})

describe('groups of rows', () => {
  const groups = {
    file: { format: 'csv', delimiter: 'semicolon' },
    columns: { ...holderAndSite, number: { headers: ['Number'] } },
    fill_down: ['number', 'holder'],
    leave_out: { column: 'number', words: ['Total'] },
  }

  test("a row that fills none of a group's columns continues the group above it", async () => {
    const content =
      'Number;Company;Site\n1;Otter;a.example\n;;b.example\n2;Heron;c.example\nTotal;3;\n;;d.example\n'
    const list = await read(groups, content)
    expect(list.rows.map(row => [row.holder, row.site])).toEqual([
      ['Otter', 'a.example'],
      ['Otter', 'b.example'],
      ['Heron', 'c.example'],
      ['Heron', 'd.example'],
    ])
    expect(list.leftOut).toEqual(['5 3 | Total'])
  })

  test("a row that fills some of a group's columns begins another group", async () => {
    const list = await read(groups, 'Number;Company;Site\n1;Otter;a.example\n2;;b.example\n;;c.example\n')
    expect(list.rows.map(row => [row.holder, row.number])).toEqual([
      ['Otter', '1'],
      ['', '2'],
      ['', '2'],
    ])
  })
})

describe('pages of one list', () => {
  const paged = {
    file: { format: 'html', pages_max: 3 },
    columns: { holder: { headers: ['Company'] }, site: { headers: ['Site@href'] } },
  }
  const page = (holder: string, ...sites: string[]) =>
    `<table><tr><th>Company<th>Site<th>Town</tr><tr><td><a href="/detail/1">${holder}</a><td>${sites
      .map(site => `<a href="https://${site}/">play</a>`)
      .join(' ')}<td>Ballybeg</table>`

  test('pages of one list are read in order, with the links of a described cell', async () => {
    const list = await readFiles(paged, [page('Otter', 'a.example', 'b.example'), page('Heron', 'c.example')])
    expect(list.rows).toEqual([
      { holder: 'Otter', site: 'https://a.example/\nhttps://b.example/' },
      { holder: 'Heron', site: 'https://c.example/' },
    ])
    expect(list.unknown).toEqual(['Town'])
  })

  test('more pages than the limit are refused', async () => {
    const four = ['a', 'b', 'c', 'd'].map(name => page(name, `${name}.example`))
    await expect(readFiles(paged, four)).rejects.toThrow('expected one to 3 files, found 4')
    const one = { ...paged, file: { format: 'html' } }
    await expect(readFiles(one, four)).rejects.toThrow('expected one file, found 4')
    await expect(readFiles(one, [])).rejects.toThrow('expected one file, found 0')
  })
})

test('all tables of a page that have the columns can be read', async () => {
  const all = { file: { format: 'html', table: 'all' }, columns: holderAndSite }
  const table = (header: string, holder: string) =>
    `<table><tr><th>${header}<th>Site<tr><td>${holder}<td>${holder}.example</table>`
  const list = await read(
    all,
    table('Company', 'otter') + table('Town', 'ballybeg') + table('Company', 'heron'),
  )
  expect(list.rows.map(row => row.site)).toEqual(['otter.example', 'heron.example'])
})

describe('patterns for a part of a cell', () => {
  const remarks = (pattern: string) => ({
    file: { format: 'csv', delimiter: 'pipe' },
    columns: { holder: { headers: ['Company'], pattern: '^[^,]+' }, site: { headers: ['Site'], pattern } },
  })

  test('a pattern for a part of a cell returns every match, one for each line', async () => {
    const list = await read(
      remarks(String.raw`(?:www\.)?[a-z0-9-]+\.example`),
      'Company|Site\nOtter Ltd, Ballybeg|Seat: Ballybeg 7. Domains: www.otter.example and OTTER-two.example; until 2027\nHeron|none\n',
    )
    expect(list.rows).toEqual([
      { holder: 'Otter Ltd', site: 'www.otter.example\nOTTER-two.example' },
      { holder: 'Heron', site: '' },
    ])
  })

  test('a cell pattern with catastrophic backtracking is stopped', async () => {
    await expect(read(remarks('^(?:a+)+$'), `Company|Site\nOtter|${'a'.repeat(60)}!\n`)).rejects.toThrow(
      /the pattern of the column site is not usable: it took longer than 2000 ms/,
    )
  })
})

test('lines that are not rows are ignored as described, and others are rejected', async () => {
  const lines = {
    file: { format: 'text', pattern: String.raw`\d+ (?<site>\S+)`, ignore: '(?:Page|List) .*' },
    columns: { site: { headers: ['site'] } },
  }
  const list = await read(lines, 'List of sites\n1 otter.example\nPage 1\n2 heron.example\nfox.example\n')
  expect(list.rows.map(row => row.site)).toEqual(['otter.example', 'heron.example'])
  expect(list.misshapen).toEqual(['5 fox.example'])
})

test('addresses, comments and a time stamp of a hosts file are ignored', async () => {
  const hosts = { file: { format: 'hosts' }, columns: { site: { headers: ['line'] } } }
  const list = await read(
    hosts,
    '20260401 13:06\notter.example\n\n0.0.0.0 fox.example # why\n# none\nhttps://a.example/#top\n',
  )
  expect(list.rows.map(row => row.site)).toEqual(['otter.example', 'fox.example', 'https://a.example/#top'])
  await expect(read(hosts, '# nothing today\n')).rejects.toThrow('"file" has no rows')
})

describe('columns of a table', () => {
  const file = { format: 'csv' }

  test('a column can be the one at a place, whatever its header', async () => {
    const columns = { operator: { headers: ['Operator'] }, site: { headers: ['Website', '#2'] } }
    const content = 'List of 2026,x,y\nOperator,Adresa,Game\nOtter,otter.example,casino\n'
    expect((await read({ file, columns }, content)).rows).toEqual([
      { operator: 'Otter', site: 'otter.example' },
    ])
    const few = read({ file, columns }, 'Operator\nOtter\n')
    await expect(few).rejects.toThrow(/expected the columns \[Operator \| Website\]/)
  })

  test('the first of several columns with one header is read only where the description says so', async () => {
    const columns = { brand: { headers: ['Brand'] }, site: { headers: ['Site'] } }
    const content = 'Brand,Site,Brand\nOtter,otter.example,Heron\n'
    await expect(read({ file, columns }, content)).rejects.toThrow(/expected the columns/)
    const first = { ...columns, brand: { headers: ['Brand'], first: true } }
    expect((await read({ file, columns: first }, content)).rows).toEqual([
      { brand: 'Otter', site: 'otter.example' },
    ])
  })

  test('a table without any header by name is refused as a description', () => {
    expect(problemsOf({ file, columns: { site: { headers: ['#1'] } } })).toEqual([
      expect.stringMatching(/columns need a header by its name/),
    ])
  })
})
