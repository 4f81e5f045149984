/** Tests that a workbook is read as a person sees it: its sheets, merged cells and numbers. */
import { describe, expect, test } from 'vitest'
import { workbook, workbookParts, zipParts } from './test/make-files.ts'
import { read } from './test/read.ts'

const description = {
  file: { format: 'xlsx' },
  columns: { holder: { headers: ['Company'] }, number: { headers: ['No.'] }, site: { headers: ['Site'] } },
}
const withFile = (keys: object) => ({ ...description, file: { ...description.file, ...keys } })

const place = (row: number, column: number) => `${'ABCDEFG'[column]}${row}`
const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
const rowOf = (number: number, cells: readonly string[]) =>
  `<row r="${number}">${cells.map((cell, column) => (cell === '' ? '' : text(place(number, column), cell))).join('')}</row>`
const header = ['Company', 'No.', 'Site']
const sheetOf = (...rows: (readonly string[])[]) =>
  rows.map((cells, index) => rowOf(index + 1, cells)).join('')
const otters = sheetOf(header, ['Otter', 'L-1', 'otter.example'])
const herons = sheetOf(header, ['Heron', 'L-2', 'heron.example'])

/** Replaces a text in one part of a workbook. */
function changed(file: Map<string, Buffer>, part: string, from: string | RegExp, to: string): Buffer {
  const before = file.get(part)?.toString() ?? ''
  const after = before.replace(from, to)
  expect(after).not.toBe(before)
  return zipParts(new Map([...file, [part, Buffer.from(after)]]))
}

const hidden = (state: string, sheets: Record<string, string>) =>
  changed(workbookParts(sheets), 'xl/workbook.xml', 'sheetId="1"', `sheetId="1" state="${state}"`)

describe('the chosen sheet of a workbook', () => {
  test.each(['hidden', 'veryHidden'])(
    'the first visible sheet is read, even after one that is %s',
    async state => {
      const list = await read(description, hidden(state, { Archive: otters, Register: herons, Note: '' }))
      expect(list.rows.map(row => row.holder)).toEqual(['Heron'])
      expect(list.notices).toEqual(['another sheet with these columns is not read: "Archive" (hidden)'])
    },
  )

  test('each further sheet with the same columns is reported by its name', async () => {
    const list = await read(
      description,
      workbook({ A: otters, B: herons, Help: sheetOf(['Help']), D: herons }),
    )
    expect(list.rows.map(row => row.holder)).toEqual(['Otter'])
    expect(list.notices).toEqual([
      'another sheet with these columns is not read: "B"',
      'another sheet with these columns is not read: "D"',
    ])
  })

  test('the number of a sheet counts only visible sheets', async () => {
    const list = await read(withFile({ sheet: 2 }), hidden('hidden', { A: '', B: otters, C: herons }))
    expect(list.rows.map(row => row.holder)).toEqual(['Heron'])
  })

  test('a hidden sheet is not found by its name', async () => {
    await expect(read(withFile({ sheet: 'A' }), hidden('hidden', { A: otters, B: herons }))).rejects.toThrow(
      '"file": expected the sheet "A", found "A" (hidden), "B"',
    )
  })

  test('a workbook whose sheets are all hidden is refused', async () => {
    await expect(read(description, hidden('hidden', { A: otters }))).rejects.toThrow(
      '"file": expected the sheet 1, found "A" (hidden)',
    )
  })

  test('hidden rows are read, and their number is reported', async () => {
    const rows = otters + rowOf(3, ['Heron', 'L-2', 'heron.example']).replace('r="3"', 'r="3" hidden="1"')
    const list = await read(description, workbook({ A: rows }))
    expect(list.rows.map(row => row.holder)).toEqual(['Otter', 'Heron'])
    expect(list.notices).toEqual(['hidden rows of the sheet are read: 1'])
  })
})

describe('places of cells', () => {
  test('cells and rows without references follow the previous one', async () => {
    const list = await read(description, workbook({ A: otters.replaceAll(/ r="\w+"/g, '') }))
    expect(list.rows).toEqual([{ holder: 'Otter', number: 'L-1', site: 'otter.example' }])
  })

  test('a cell without a reference is in the column after the previous cell', async () => {
    const rows = `${rowOf(1, ['', ...header])}<row>${text('B2', 'Otter')}${text('', 'L-1')}${text('', 'otter.example')}</row>`
    const list = await read(description, workbook({ A: rows.replaceAll(' r=""', '') }))
    expect(list.rows).toEqual([{ holder: 'Otter', number: 'L-1', site: 'otter.example' }])
  })

  test('a row of a sheet may end before its last columns', async () => {
    const list = await read(description, workbook({ A: sheetOf(header, ['Otter']) }))
    expect(list.rows).toEqual([{ holder: 'Otter', number: '', site: '' }])
  })

  test('a value of a sheet in a column without a header is ignored', async () => {
    const rows = sheetOf(header, ['Otter', 'L-1', 'otter.example', 'remark'])
    const list = await read(description, workbook({ A: rows }))
    expect(list.rows).toEqual([{ holder: 'Otter', number: 'L-1', site: 'otter.example' }])
    expect(list.misshapen).toEqual([])
  })

  test('a workbook may use any prefix for its namespace', async () => {
    const parts = workbookParts({ A: otters }, ['x'])
    const prefixed = [...parts].map(([name, part]): [string, Buffer] => [
      name,
      Buffer.from(part.toString().replaceAll(/<(\/?)([a-zA-Z])/g, '<$1any-1:$2')),
    ])
    expect((await read(description, zipParts(new Map(prefixed)))).rows).toHaveLength(1)
  })

  test('a workbook is found by its relations, in any folder and case', async () => {
    const parts = workbookParts({ A: otters })
    const moved = [...parts].map(([name, part]): [string, Buffer] => [
      name
        .replace('xl/workbook.xml', 'xl/workbook22.xml')
        .replace('workbook.xml.rels', 'workbook22.xml.rels'),
      Buffer.from(part.toString().replace('"worksheets/', '"/XL/worksheets/')),
    ])
    const relation = '<Relationship Id="a" Type="x/officeDocument" Target="xl/workbook22.xml"/>'
    const root: [string, Buffer] = ['_rels/.rels', Buffer.from(`<Relationships>${relation}</Relationships>`)]
    expect((await read(description, zipParts(new Map([...moved, root])))).rows).toHaveLength(1)
  })
})

describe('merged cells', () => {
  const merged = (rows: string, ...ranges: string[]) =>
    read(description, workbook({ A: rows }, [], { A: ranges }))

  test('a merged cell is repeated in each of its rows', async () => {
    const rows = sheetOf(
      header,
      ['Otter', 'L-1', 'a.example'],
      ['', '', 'b.example'],
      ['hidden below', 'L-2', 'c.example'],
      ['Heron', 'L-3', 'd.example'],
    )
    const list = await merged(rows, 'A2:A4', 'B2:B3')
    expect(list.rows.map(row => Object.values(row).join(' '))).toEqual([
      'Otter L-1 a.example',
      'Otter L-1 b.example',
      'Otter L-2 c.example',
      'Heron L-3 d.example',
    ])
    expect(list.misshapen).toEqual([])
  })

  test('a merged cell is repeated in each of its columns', async () => {
    const list = await merged(sheetOf(header, ['Otter', 'none', ''], ['Heron', 'L-1', 'a.example']), 'B2:C2')
    expect(list.rows.map(row => row.site)).toEqual(['none', 'a.example'])
  })

  test('a row that has only merged cells from above is left out', async () => {
    const list = await merged(sheetOf(header, ['Otter', 'L-1', 'a.example'], ['']), 'A2:A3', 'B2:B3', 'C2:C3')
    expect(list.rows).toHaveLength(1)
  })

  test('a merged cell over a whole row is read as a title', async () => {
    const rows = sheetOf(['Register'], header, ['Casinos'], ['Otter', 'L-1', 'a.example'])
    const list = await merged(rows, 'A1:XFD1', 'A3:C3')
    expect(list.rows.map(row => row.holder)).toEqual(['Otter'])
  })

  test('a header merged over two columns names the first of them', async () => {
    const rows = sheetOf(['Company', '', 'No.', 'Site'], ['Otter', 'Ltd', 'L-1', 'a.example'])
    const list = await merged(rows, 'A1:B1')
    expect(list.rows).toEqual([{ holder: 'Otter', number: 'L-1', site: 'a.example' }])
  })

  test('a header of three rows may have cells that span rows and columns', async () => {
    const rows = sheetOf(
      ['Company', 'Games', '', ''],
      ['', 'Betting', 'Casino', ''],
      ['', 'Site', 'Site', 'App'],
      ['Otter', 'a.example', 'b.example', 'c'],
    )
    const grouped = {
      file: { format: 'xlsx', header_rows: 3 },
      columns: { holder: { headers: ['Company'] }, site: { headers: ['Games / Casino / Site'] } },
    }
    const file = workbook({ A: rows }, [], { A: ['A1:A3', 'B1:D1', 'C2:D2'] })
    expect((await read(grouped, file)).rows).toEqual([{ holder: 'Otter', site: 'b.example' }])
  })
})

describe('numbers as they are shown', () => {
  const shown = async (format: string | number, value: string, is1904 = false) => {
    const cell = `<row r="2">${text('A2', 'Otter')}<c r="B2" s="1"><v>${value}</v></c></row>`
    const parts = workbookParts({ A: rowOf(1, header) + cell })
    const id = typeof format === 'number' ? format : 164
    const code = String(format).replaceAll('"', '&quot;')
    parts.set(
      'xl/styles.xml',
      Buffer.from(
        `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts>` +
          `<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf/><xf numFmtId="${id}"/></cellXfs></styleSheet>`,
      ),
    )
    const file = is1904
      ? changed(parts, 'xl/workbook.xml', '<sheets>', '<workbookPr date1904="1"/><sheets>')
      : zipParts(parts)
    return (await read(description, file)).rows[0]?.number
  }

  test.each([
    ['General', '1.5E3', '1500'],
    ['General', '0.1', '0.1'],
    ['General', '1.0000000000000001E-5', '0.00001'],
    ['General', '0.30000000000000004', '0.3'],
    ['General', '12345678901234567', '12345678901234567'],
    ['@', '1234567890123', '1234567890123'],
    ['00000000', '123456', '00123456'],
    ['000-000-0000', '5551234567', '555-123-4567'],
    ['"DGA/"0000', '17', 'DGA/0017'],
    ['0.00', '5', '5.00'],
    ['#,##0', '12345', '12,345'],
    [9, '0.5', '50%'],
    [';;;', '12345', ''],
    ['yyyy', '44197', '2021'],
    ['h:mm', '0.5', '12:00'],
    ['bogus"', '12345', '12345'],
  ])('the format %s shows the number %s as %j', async (format, value, expected) => {
    expect(await shown(format, value)).toBe(expected)
  })

  test.each([
    [14, '44197', '2021-01-01T00:00:00.000Z'],
    [31, '44197', '2021-01-01T00:00:00.000Z'],
    ['dd\\.mm\\.yyyy', '44197.9999', '2021-01-01T00:00:00.000Z'],
    ['[$-405]d. mmmm yyyy;@', '44197', '2021-01-01T00:00:00.000Z'],
    [22, '44197.53014', '2021-01-01T12:43:00.000Z'],
    ['yyyy-mm-dd hh:mm:ss', '44197.53', '2021-01-01T12:43:12.000Z'],
    [14, '3000000', '3000000'],
  ])('a date in the format %s is read in ISO 8601 with the shown precision', async (format, value, day) => {
    expect(await shown(format, value)).toBe(day)
  })

  test('dates of a workbook that counts from 1904 are converted', async () => {
    expect(await shown(14, '42735', true)).toBe('2021-01-01T00:00:00.000Z')
  })

  test('dates, flags, errors and texts in cells are read as they are shown', async () => {
    const cell = (at: string, type: string, value: string) => `<c r="${at}" t="${type}"><v>${value}</v></c>`
    const rows = [
      `<row r="2">${cell('A2', 'd', '2021-01-02T03:04:05')}${cell('B2', 'b', '1')}${cell('C2', 'e', '#N/A')}</row>`,
      `<row r="3">${cell('A3', 'str', 'Otter_x0020_Ltd')}${cell('B3', 's', '0')}${cell('C3', 's', '1')}</row>`,
    ]
    const strings = ['a<rPh><t>spoken</t></rPh>', 'x_x000D_']
    const parts = workbookParts({ A: rowOf(1, header) + rows.join('') }, strings)
    const file = changed(parts, 'xl/sharedStrings.xml', /<t>a(<rPh>.*?<\/rPh>)<\/t>/, '<t>a</t>$1')
    expect((await read(description, file)).rows.map(row => Object.values(row))).toEqual([
      ['2021-01-02T03:04:05.000Z', 'TRUE', ''],
      ['Otter Ltd', 'a', 'x'],
    ])
  })
})
