import { workbook } from '@baize/tables/test/make-files'
import { describe, expect, test } from 'vitest'
import { described, fixtureBytes, fixtureText, inPieces, jsonDescription, read } from '../test/described.ts'
import type { Gathered } from '../test/gather.ts'
import { gather, rejectTexts } from '../test/gather.ts'

const ofFixture = (name: string, extension: string, pieceBytes = 7) =>
  gather(described(fixtureText(`${name}.yaml`)).read([inPieces(`${name}.${extension}`, pieceBytes)]))

const notices = (gathered: Gathered) => gathered.notice.map(each => `${each.notice}: ${each.published}`)
const day = (instant: string | null) => instant?.slice(0, 10) ?? null

describe('CSV in windows-1250, below titles', async () => {
  const list = await ofFixture('croatia-blocklist', 'csv')

  test('each site of a CSV cell is an entry, and a status word ends a listing', () => {
    expect(list.blocklist_entry.map(row => [row.recordKey, row.listed, day(row.delistedAt)])).toEqual([
      ['lucky-otter.example|26.7.2024', true, null],
      ['www.otter-palace.example|26.7.2024', true, null],
      ['xn--crvena-lia-yhb39h.example/promo|1.2.2025', true, null],
      ['golden-heron.example|3.4.2023', false, '2024-06-05'],
      ['golden-heron.example|7.8.2025', true, null],
    ])
    expect(list.blocklist_entry[2]).toMatchObject({
      published: 'crvena-lišća.example/promo',
      scope: 'path',
      domain: 'xn--crvena-lia-yhb39h.example',
      listedAt: '2025-02-01T00:00:00.000Z',
    })
  })

  test('unreadable CSV rows are rejected with their line', () => {
    expect(list.reject.map(each => `${each.line} ${each.reason} ${each.published}`)).toEqual([
      '8 duplicate lucky-otter.example',
      '9 unknown_status mirovanje',
      '10 bad_date 31.2.2025',
      '11 bad_date soon',
      '12 empty blokirano 1.1.2025',
    ])
  })

  test('unknown CSV columns, and rows that are left out, are reported', () => {
    expect(notices(list)).toEqual([
      'unknown column: Napomena',
      'left out, as the description says: Svega | Ukupno',
      'no record reads the column: ground',
    ])
  })
})

describe('TSV', async () => {
  const list = await ofFixture('latvia-operators', 'tsv')

  test('each TSV row is a licensee with its authorised domains', () => {
    expect(list.licensee.map(row => [row.recordKey, row.legalName, row.country, row.tradingNames])).toEqual([
      ['Otter Gaming Limited', 'Otter Gaming Limited', 'MT', []],
      ['Heron Halls SIA', 'Heron Halls SIA', 'LV', []],
      ['Fox Games Ltd', 'Fox Games Ltd', null, []],
    ])
    expect(list.authorisation.map(row => [row.recordKey, row.domain, row.licenseeKey, row.counts])).toEqual([
      ['Otter Gaming Limited|lucky-otter.example', 'lucky-otter.example', 'Otter Gaming Limited', true],
      ['Otter Gaming Limited|otter.example', 'otter.example', 'Otter Gaming Limited', true],
      ['Fox Games Ltd|red-fox.example', 'red-fox.example', 'Fox Games Ltd', true],
    ])
  })

  test('a holder without a site is accepted, and a page on a shared host is rejected', () => {
    expect(rejectTexts(list.reject)).toEqual([
      'duplicate www.lucky-otter.example',
      'shared_host facebook.com/redfox',
      'empty Malta nobody.example',
    ])
    expect(notices(list)).toEqual(['unknown country "Atlantis": Fox Games Ltd'])
  })
})

describe('XML', async () => {
  const list = await ofFixture('bulgaria-blocklist', 'xml')

  test('a repeated XML element is a row, and its children of one name are values of one cell', () => {
    expect(
      list.blocklist_entry.map(row => [row.recordKey, row.listedAt, row.delistedAt, row.listed]),
    ).toEqual([
      ['lucky-otter.example', '2026-07-02T08:32:03.000Z', null, true],
      ['www.otter-palace.example', '2026-07-02T08:32:03.000Z', null, true],
      ['golden-heron.example/?a=1&b=2', '2026-01-01T22:30:00.000Z', null, true],
      ['red-fox.example', '2025-03-01T08:00:00.000Z', '2025-06-01T12:00:00.000Z', false],
    ])
  })

  test('a rejected XML row has the line of its element, and an unknown name is reported once', () => {
    expect(list.reject.map(each => [each.line, each.reason])).toEqual([[20, 'ip_address']])
    expect(notices(list)).toEqual([
      'unknown column: Address/@kind',
      'unknown column: Ground',
      'no record reads the column: number',
    ])
  })
})

describe('JSON', async () => {
  const list = await ofFixture('isle-of-man-licences', 'json')

  test('nested JSON members are cells, and rows of one license are combined', () => {
    expect(list.license).toEqual([
      {
        record: 'license',
        recordKey: 'OG-1',
        licenseNumber: 'OG-1',
        licenseType: 'Bingo; Casino, 7',
        status: 'active',
        licenseeKey: 'C 1',
        issuedAt: '2023-01-01T00:00:00.000Z',
        expiresAt: null,
        sourceUrl: 'https://regulator.example/licences/OG-1',
        role: 'operator',
      },
      {
        record: 'license',
        recordKey: 'OG-2',
        licenseNumber: 'OG-2',
        licenseType: 'Software',
        status: 'revoked',
        licenseeKey: 'C 2',
        issuedAt: '2022-05-17T00:00:00.000Z',
        expiresAt: null,
        sourceUrl: null,
        role: 'supplier',
      },
    ])
    expect(list.licensee.map(row => [row.recordKey, row.registrationNumber, row.country])).toEqual([
      ['C 1', 'C 1', 'IM'],
      ['C 2', 'C 2', 'IM'],
    ])
  })

  test('domains of a revoked license are stored and do not count', () => {
    expect(list.authorisation.map(row => [row.domain, row.licenseKey, row.status, row.counts])).toEqual([
      ['lucky-otter.example', 'OG-1', 'active', true],
      ['otter-palace.example', 'OG-1', 'active', true],
      ['golden-heron.example', 'OG-2', 'revoked', false],
    ])
  })

  test('an unknown status licenses nothing, and an unreadable date or address is reported', () => {
    expect(list.reject.map(each => `${each.line} ${each.reason} ${each.published}`)).toEqual([
      '3 unknown_status Resting',
      '4 unparsable OG-4',
    ])
    expect(notices(list)).toEqual([
      'unknown column: contact/mail',
      'unreadable date "someday": OG-2',
      'unreadable address "javascript:alert(1)": OG-2',
    ])
  })
})

describe('a table of a web page', async () => {
  const list = await ofFixture('kahnawake-holders', 'html.txt')

  test('the table with the columns is read, and a cell over two rows is in both', () => {
    expect(list.license.map(row => [row.recordKey, row.licenseeKey, row.status, day(row.issuedAt)])).toEqual([
      ['P-1', 'Otter Gaming Limited', 'active', '2023-12-31'],
      ['P-2', 'Otter Gaming Limited', 'revoked', '2025-04-03'],
      ['P-3', 'Heron Halls', 'active', null],
    ])
    expect(list.authorisation.map(row => [row.domain, row.licenseKey, row.counts])).toEqual([
      ['lucky-otter.example', 'P-1', true],
      ['otter-palace.example', 'P-1', true],
      ['old-otter.example', 'P-2', false],
      ['older-otter.example', 'P-2', false],
    ])
  })

  test('rows of an HTML table have the line numbers of the page', () => {
    expect(list.reject.map(each => `${each.line} ${each.reason}`)).toEqual([
      '15 unknown_status',
      '16 unparsable',
    ])
    expect(notices(list)).toEqual([
      'unreadable date "Spring": P-3',
      'a table with other columns, not read: Home | Holders',
    ])
  })

  test('an HTML table is chosen by its number, and a missing number is refused', async () => {
    const numbered = (table: number) =>
      fixtureText('kahnawake-holders.yaml').replace('format: html', `format: html, table: ${table}`)
    const page = fixtureBytes('kahnawake-holders.html.txt')
    expect((await read(numbered(3), page)).license).toHaveLength(3)
    await expect(read(numbered(2), page)).rejects.toThrow(
      /expected the columns \[Permit holder .* found \[Home \| Holders\]/,
    )
    await expect(read(numbered(4), page)).rejects.toThrow('"file": expected table 4, found 3 tables')
    await expect(read(numbered(1), '<!doctype html><p>500')).rejects.toThrow(
      'expected table 1, found 0 tables',
    )
  })
})

describe('lines split by a pattern', async () => {
  const list = await ofFixture('cyprus-blocklist', 'txt')

  test('groups of a line pattern are cells, and lines without a match are rejected', () => {
    expect(list.blocklist_entry.map(row => [row.recordKey, day(row.listedAt)])).toEqual([
      ['lucky-otter.example', '2026-04-03'],
      ['golden-heron.example', null],
      ['red-fox.example', null],
      // The file lists this site twice, and the sync stores the row with a date.
      ['lucky-otter.example', null],
    ])
    expect(list.reject.map(each => `${each.line} ${each.reason}`)).toEqual(['8 unparsable'])
    expect(notices(list)).toEqual(['unreadable date "undated": red-fox.example'])
  })

  test('without a line pattern the whole line is the cell', async () => {
    const plain = fixtureText('cyprus-blocklist.yaml')
      .replace(/ {2}pattern: .*\n/, '')
      .replace('[site]', '[line]')
      .replace(/ {2}remark: .*\n/, '')
      .replace(/ {4}listed_at: .*\n/, '')
      .replace('dates: true', 'dates: false')
    const { blocklist_entry } = await read(plain, 'a\nb\nlucky-otter.example\n # none\n\nred-fox.example')
    expect(blocklist_entry.map(row => row.domain)).toEqual(['lucky-otter.example', 'red-fox.example'])
  })
})

describe('a sheet of a workbook', () => {
  const text = fixtureText('hungary-licences.yaml')
  const cell = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`
  const header = (row: number) =>
    `<row r="${row}">${['Holder', 'Number', 'Granted', 'Site'].map((name, index) => cell(`${'ABCD'[index]}${row}`, name)).join('')}</row>`
  const rows = `<row r="1">${cell('A1', 'Licences')}</row>${header(3)}
    <row r="4"><c r="A4" t="s"><v>0</v></c><c r="B4"><v>1.2E3</v></c><c r="C4" s="1"><v>45292</v></c>${cell('D4', 'lucky-otter.example; www.otter-palace.example')}</row>
    <row r="6"><c r="A6" t="s"><v>1</v></c><c r="B6"><v>00077</v></c>${cell('C6', '5.6.2021')}</row>`
  const strings = ['Otter Gaming Limited', 'Heron &amp; Sons']

  test('a sheet is found by its name, and dates, numbers and shared strings are read as printed', async () => {
    const list = await read(text, workbook({ Halls: header(1), Remote: rows }, strings))
    expect(list.license.map(row => [row.licenseNumber, row.licenseeKey, row.issuedAt, row.role])).toEqual([
      ['1200', 'Otter Gaming Limited', '2024-01-01T00:00:00.000Z', 'operator'],
      ['77', 'Heron & Sons', '2021-06-05T00:00:00.000Z', 'operator'],
    ])
    expect(list.authorisation.map(row => row.recordKey)).toEqual([
      'Otter Gaming Limited|1200|lucky-otter.example',
      'Otter Gaming Limited|1200|otter-palace.example',
    ])
    expect(list.reject).toEqual([])
  })

  test('rows of a sheet have its row numbers', async () => {
    const broken = rows.replace('<v>00077</v>', '')
    const list = await read(text, workbook({ Remote: broken }, strings))
    expect(list.reject.map(each => [each.line, each.reason])).toEqual([[6, 'empty']])
  })

  test('a missing sheet is refused with the names of the existing ones', async () => {
    await expect(read(text, workbook({ Halls: rows, 'Betting shops': rows }, strings))).rejects.toThrow(
      '"file": expected the sheet "Remote", found "Halls", "Betting shops"',
    )
  })
})

test('a snapshot of no file or of two files is refused', async () => {
  const stream = described(fixtureText('cyprus-blocklist.yaml'))
  const file = inPieces('cyprus-blocklist.txt', 64)
  await expect(gather(stream.read([]))).rejects.toThrow('expected one file, found 0')
  await expect(gather(stream.read([file, file]))).rejects.toThrow('expected one file, found 2')
})

test('a column that no record reads is reported, unless the layout declares it', async () => {
  const unread = {
    ...jsonDescription,
    columns: { site: { headers: ['Site'] }, until: { headers: ['Until'] }, note: { headers: ['Note'] } },
    layout: { columns: ['Site', 'Note'] },
  }
  const list = await read(JSON.stringify(unread), 'Site\tUntil\tNote\notter.example\t2030\tnone\n')
  expect(notices(list)).toEqual(['no record reads the column: until'])
})
