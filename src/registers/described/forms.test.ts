/** Forms of tables that registers print for people: merged headers, groups, several pages, remarks in cells. */
import { describe, expect, test } from 'vitest'
import { fileOfBytes } from '../source/file-of-bytes.ts'
import { gather } from '../streams/fixture.ts'
import { described, jsonDescription, read, workbook } from './fixture.ts'
import { readDate } from './read-date.ts'

const text = (parts: object) => JSON.stringify({ ...jsonDescription, ...parts })
const withHolder = {
  licensee: { key: ['holder'], legal_name: { column: 'holder' } },
  authorised_domains: { domain: { column: 'site' } },
}
const holderAndSite = { holder: { headers: ['Company'] }, site: { headers: ['Site'] } }

describe('a header of two rows', () => {
  const grouped = text({
    file: { format: 'csv', delimiter: 'semicolon', header_rows: 2 },
    columns: { holder: { headers: ['Company'] }, site: { headers: ['Websites / Casino'] } },
    records: withHolder,
  })

  test('names a column by both, a merged cell above several', async () => {
    const content =
      'Register;;;\nCompany;Websites;;Since\n;Betting;Casino;\nOtter;bet.example;casino.example;2024\n'
    const list = await read(grouped, content)
    expect(list.authorisation.map(row => [row.licenseeKey, row.domain])).toEqual([
      ['Otter', 'casino.example'],
    ])
    expect(list.notice.map(each => each.published)).toEqual(['Websites / Betting', 'Since'])
  })

  test('is refused where the description has one row', async () => {
    const one = grouped.replace('"header_rows":2', '"header_rows":1')
    await expect(
      read(one, 'Company;Websites;\n;Betting;Casino\nOtter;a.example;b.example\n'),
    ).rejects.toThrow('expected the columns [Company | Websites / Casino], found [Company | Websites | ]')
  })

  test('of a page has spanning cells', async () => {
    const page = text({
      file: { format: 'html', header_rows: 2 },
      columns: { holder: { headers: ['Company'] }, site: { headers: ['Websites / Casino'] } },
      records: withHolder,
    })
    const list = await read(
      page,
      '<table><tr><th rowspan=2>Company<th colspan=2>Websites<tr><th>Betting<th>Casino<tr><td>Otter<td>a.example<td>b.example</table>',
    )
    expect(list.authorisation.map(row => row.domain)).toEqual(['b.example'])
  })

  test('of a sheet has merged cells', async () => {
    const sheet = text({
      file: { format: 'xlsx', header_rows: 2 },
      columns: { holder: { headers: ['Company'] }, site: { headers: ['Websites / Casino'] } },
      records: withHolder,
    })
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
    expect(list.authorisation.map(each => each.domain)).toEqual(['b.example'])
  })
})

test('a header that is repeated within a table is no row', async () => {
  const list = await read(
    text({ file: { format: 'csv' }, columns: holderAndSite, records: withHolder }),
    'Company,Site\nOtter,otter.example\n Company , SITE\nHeron,heron.example\n',
  )
  expect(list.licensee.map(row => row.legalName)).toEqual(['Otter', 'Heron'])
  expect(list.reject).toEqual([])
})

describe('the further rows of a group', () => {
  const groups = text({
    file: { format: 'csv', delimiter: 'semicolon' },
    columns: { ...holderAndSite, number: { headers: ['Number'] } },
    fill_down: ['number', 'holder'],
    records: withHolder,
    leave_out: { column: 'number', words: ['Total'] },
  })

  test('continue it where none of its columns is filled', async () => {
    const content =
      'Number;Company;Site\n1;Otter;a.example\n;;b.example\n2;Heron;c.example\nTotal;3;\n;;d.example\n'
    const list = await read(groups, content)
    expect(list.authorisation.map(row => [row.licenseeKey, row.domain])).toEqual([
      ['Otter', 'a.example'],
      ['Otter', 'b.example'],
      ['Heron', 'c.example'],
      ['Heron', 'd.example'],
    ])
  })

  test('begin another one where some are: nothing is guessed', async () => {
    const list = await read(groups, 'Number;Company;Site\n1;Otter;a.example\n2;;b.example\n;;c.example\n')
    expect(list.authorisation.map(row => row.domain)).toEqual(['a.example'])
    expect(list.reject.map(each => `${each.line} ${each.reason}`)).toEqual(['3 empty', '4 empty'])
  })
})

describe('pages of one list', () => {
  const paged = text({
    file: { format: 'html', pages_max: 3 },
    columns: { holder: { headers: ['Company'] }, site: { headers: ['Site@href'] } },
    records: withHolder,
  })
  const page = (holder: string, ...sites: string[]) =>
    fileOfBytes(
      `${holder}.html`,
      `<table><tr><th>Company<th>Site<th>Town</tr><tr><td><a href="/detail/1">${holder}</a><td>${sites
        .map(site => `<a href="https://${site}/">play</a>`)
        .join(' ')}<td>Ballybeg</table>`,
    )

  test('are read in order; the links of a cell can be read instead of its text', async () => {
    const list = await gather(
      described(paged).read([page('Otter', 'a.example', 'b.example'), page('Heron', 'c.example')]),
    )
    expect(list.authorisation.map(row => [row.licenseeKey, row.domain])).toEqual([
      ['Otter', 'a.example'],
      ['Otter', 'b.example'],
      ['Heron', 'c.example'],
    ])
    expect(list.notice.map(each => each.published)).toEqual(['Town'])
  })

  test('are refused beyond their number', async () => {
    const four = ['a', 'b', 'c', 'd'].map(name => page(name, `${name}.example`))
    await expect(gather(described(paged).read(four))).rejects.toThrow('expected one to 3 files, found 4')
    const one = described(paged.replace('"pages_max":3', '"pages_max":1'))
    await expect(gather(one.read(four))).rejects.toThrow('expected one file, found 4')
  })
})

test('all tables of a page with the columns can be read', async () => {
  const all = text({ file: { format: 'html', table: 'all' }, columns: holderAndSite, records: withHolder })
  const table = (header: string, holder: string) =>
    `<table><tr><th>${header}<th>Site<tr><td>${holder}<td>${holder}.example</table>`
  const list = await read(
    all,
    table('Company', 'otter') + table('Town', 'ballybeg') + table('Company', 'heron'),
  )
  expect(list.authorisation.map(row => row.domain)).toEqual(['otter.example', 'heron.example'])
})

describe('a pattern for a part of a cell', () => {
  const remarks = (pattern: string) =>
    text({
      file: { format: 'csv', delimiter: 'pipe' },
      columns: { holder: { headers: ['Company'], pattern: '^[^,]+' }, site: { headers: ['Site'], pattern } },
      records: withHolder,
    })

  test('finds every match, a line for each', async () => {
    const list = await read(
      remarks(String.raw`(?:www\.)?[a-z0-9-]+\.example`),
      'Company|Site\nOtter Ltd, Ballybeg|Seat: Ballybeg 7. Domains: www.otter.example and OTTER-two.example; until 2027\nHeron|none\n',
    )
    expect(list.licensee.map(row => row.legalName)).toEqual(['Otter Ltd', 'Heron'])
    expect(list.authorisation.map(row => row.published)).toEqual(['www.otter.example', 'OTTER-two.example'])
  })

  test('with catastrophic backtracking is stopped', async () => {
    await expect(read(remarks('^(?:a+)+$'), `Company|Site\nOtter|${'a'.repeat(60)}!\n`)).rejects.toThrow(
      /the pattern of the column site is not usable: it took longer than 2000 ms/,
    )
  })
})

test('lines of a text that are no rows are ignored as described, others rejected', async () => {
  const lines = text({
    file: { format: 'text', pattern: String.raw`\d+ (?<site>\S+)`, ignore: '(?:Page|List) .*' },
    columns: { site: { headers: ['site'] } },
  })
  const list = await read(lines, 'List of sites\n1 otter.example\nPage 1\n2 heron.example\nfox.example\n')
  expect(list.authorisation.map(row => row.domain)).toEqual(['otter.example', 'heron.example'])
  expect(list.reject).toMatchObject([{ reason: 'unparsable', line: 5, published: 'fox.example' }])
})

test.each([
  ['d-m-yyyy', '8-5-2025', '2025-05-08'],
  ['d-m-yyyy', '2025-05-08', null],
  ['yyyy.m.d', '2025. 05. 08.', '2025-05-08'],
  ['yyyy.m.d', '2025.5.8', '2025-05-08'],
  ['d month yyyy', '8 May 2025', '2025-05-08'],
  ['d month yyyy', '1st September, 2025', '2025-09-01'],
  ['d month yyyy', 'Sept. 1, 2025', '2025-09-01'],
  ['d month yyyy', '8-May-2025', '2025-05-08'],
  ['d month yyyy', '31 April 2025', null],
  ['d month yyyy', '8 Smarch 2025', null],
  ['m/d/yyyy', '5/8/2025', '2025-05-08'],
] as const)('the date form %s reads %j', (form, printed, day) => {
  expect(readDate(printed, { date_forms: [form] })?.slice(0, 10) ?? null).toBe(day)
})
