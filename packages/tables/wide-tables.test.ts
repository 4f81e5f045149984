/** Tests tables whose kind stands above them, or above each of their columns. */
import { describe, expect, test } from 'vitest'
import { problemsOf, read } from './test/read.ts'

const holderAndSite = { holder: { headers: ['Company'] }, site: { headers: ['Site'] } }

describe('tables below headings', () => {
  const sections = {
    file: { format: 'html', table: 'all' },
    columns: { ...holderAndSite, kind: { headers: ['button.title'], above: true } },
  }
  const section = (title: string, ...rows: string[]) =>
    `<div>${title}<table><tr><th>Company<th>Site${rows.join('')}</table></div>`
  const titled = (title: string) => `<button class="title">${title}</button>`

  test('each row of a table has the heading above it, also in rows of a spanning cell', async () => {
    const rows = [
      '<tr><td rowspan="2">otter<td>otter.example',
      '<tr><td>otter-two.example',
      '<tr><td>heron<td>heron.example',
    ]
    const casinos = section(titled('Casinos'), ...rows)
    const list = await read(sections, casinos + section(titled('Lotteries'), '<tr><td>fox<td>fox.example'))
    expect(list.rows.map(row => [row.kind, row.holder, row.site])).toEqual([
      ['Casinos', 'otter', 'otter.example'],
      ['Casinos', 'otter', 'otter-two.example'],
      ['Casinos', 'heron', 'heron.example'],
      ['Lotteries', 'fox', 'fox.example'],
    ])
  })

  test('a page whose tables have no heading is refused, unless headings are optional', async () => {
    const page = section('', '<tr><td>otter<td>otter.example')
    await expect(read(sections, page)).rejects.toThrow('expected [button.title] above a table, found none')
    const kind = { headers: ['button.title'], above: true, optional: true }
    const list = await read({ ...sections, columns: { ...holderAndSite, kind } }, page)
    expect(list.rows).toEqual([{ kind: '', holder: 'otter', site: 'otter.example' }])
  })
})

describe('tables with a column for each kind', () => {
  const wide = {
    file: { format: 'csv', delimiter: 'semicolon', header_rows: 2 },
    row_for_each: ['Betting / Shops', 'Betting / Online', 'Slots / Online'],
    columns: {
      holder: { headers: ['Company'] },
      kind: { headers: ['header'], each: true },
      since: { headers: ['cell'], each: true, pattern: String.raw`since (?<value>[\d.]+)` },
      site: { headers: ['cell'], each: true, pattern: String.raw`\S+\.example` },
    },
  }
  const content =
    'Company;Betting;;Slots\n;Shops;Online;Online\n' +
    'Otter;since 1.2.2024;since 3.4.2025 otter.example;since 5.6.2026 otter.example fox.example\n' +
    'Heron;;;\n'

  test('each filled cell is a row, and a row without any is not lost', async () => {
    const list = await read(wide, content)
    expect(list.rows.map(({ holder, kind, since, site }) => [holder, kind, since, site])).toEqual([
      ['Otter', 'Betting / Shops', '1.2.2024', ''],
      ['Otter', 'Betting / Online', '3.4.2025', 'otter.example'],
      ['Otter', 'Slots / Online', '5.6.2026', 'otter.example\nfox.example'],
      ['Heron', '', '', ''],
    ])
  })

  test('a file without one of the columns is refused', async () => {
    await expect(read(wide, content.replace('Slots', 'Poker'))).rejects.toThrow(
      'expected the columns [Company | Betting / Shops | Betting / Online | Slots / Online]',
    )
  })

  test('what cannot be read that way is reported', () => {
    const problems = (changes: object) =>
      problemsOf({ ...wide, ...changes }).map(problem => problem.replace(/^\d+:\d+ /, ''))
    expect(problems({ row_for_each: undefined })).toContain('columns.kind.each needs row_for_each')
    expect(problems({ row_for_each: ['Company'] })).toEqual(['the header "Company" is named twice'])
    expect(problems({ columns: { holder: { headers: ['Company'] } } })).toEqual([
      'row_for_each needs a column with each: true',
    ])
    const kind = { headers: ['Kind'], each: true }
    expect(problems({ columns: { holder: { headers: ['Company'] }, kind } })).toEqual([
      'columns.kind.headers must be [cell] or [header], because it has each',
    ])
    expect(problems({ file: { format: 'json' } })).toEqual([
      'row_for_each needs a table: csv, tsv, xlsx or html',
    ])
  })
})
