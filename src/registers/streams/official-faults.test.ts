/** Faults that arrive in official tables: no row is read as something that it does not say. */
import { describe, expect, test } from 'vitest'
import { pdfTable, workbook } from '../described/fixture.ts'
import { fileOfBytes } from '../source/file-of-bytes.ts'
import { Refusal, type Stream } from '../stream.ts'
import { gather, rejectTexts } from './fixture.ts'
import { findStream } from './index.ts'
import { csvOf, pageOf, sheetOf, tableOf } from './official-answer.ts'

const gatherAll = (key: string, content: Uint8Array | string) =>
  gather((findStream(key) as Stream).read([fileOfBytes('file', content, 997)]))

async function read(key: string, content: Uint8Array | string) {
  const list = await gatherAll(key, content)
  return {
    rows: [...list.blocklist_entry, ...list.authorisation].map(row => row.published),
    rejected: rejectTexts(list.reject),
    unknown: list.notice.map(each => each.published),
  }
}

async function refusal(key: string, content: Uint8Array | string): Promise<string> {
  try {
    return JSON.stringify(await read(key, content))
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

const french = ['SITE', 'URL', 'DATE DE LA DECISION']
const frenchRows = [
  ['OTTER', 'otter.example', '13/06/2022'],
  ['HERON', 'www.heron.example', '04/06/2026'],
]
const frenchFile = (rows: readonly (readonly string[])[]) => `\ufeff${csvOf(rows, ';')}`
const frenchSites = ['otter.example', 'www.heron.example']

describe('France, a table of separated values', () => {
  test('moved and added columns are found by their names, and reported', async () => {
    const moved = (cells: readonly string[]) => [cells[2], 'x', cells[1], cells[0]] as string[]
    const header = ['DATE DE LA DECISION', 'MOTIF', 'URL', 'SITE']
    expect(await read('france.blocklist', frenchFile([header, ...frenchRows.map(moved)]))).toEqual({
      rows: frenchSites,
      rejected: [],
      unknown: ['MOTIF'],
    })
  })

  test('a title, a second header, a footer and a total are no sites', async () => {
    const found = await read(
      'france.blocklist',
      frenchFile([
        ['Liste des sites bloqués', '', ''],
        french,
        ...frenchRows.slice(0, 1),
        french,
        ...frenchRows.slice(1),
        ['TOTAL', '2', ''],
        ['Source : registre', '', ''],
      ]),
    )
    expect(found).toEqual({
      rows: frenchSites,
      rejected: ['ip_address 2', 'empty Source : registre'],
      unknown: [],
    })
  })

  test('a lost column, and the bytes of another encoding, are refused', async () => {
    const lost = frenchFile([french, ...frenchRows].map(cells => cells.filter((_, column) => column !== 1)))
    expect(await refusal('france.blocklist', lost)).toBe(
      '"file": expected the columns [SITE | URL | DATE DE LA DECISION], found [SITE | DATE DE LA DECISION]',
    )
    const latin = Buffer.from(csvOf([french, ['CASINO ÉTÉ', 'ete.example', '13/06/2022']], ';'), 'latin1')
    expect(await refusal('france.blocklist', latin)).toMatch(/expected utf-8 text/)
  })

  test('a mirror that has encoded the byte order mark twice is read', async () => {
    const twice = Buffer.from(Buffer.from(frenchFile([french, ...frenchRows])).toString('latin1'))
    expect(await read('france.blocklist', twice)).toEqual({ rows: frenchSites, rejected: [], unknown: [] })
  })

  test('a date that does not exist is reported, and the site read', async () => {
    const found = await read(
      'france.blocklist',
      frenchFile([french, ['OTTER', 'otter.example', '31/02/2024']]),
    )
    expect([found.rows, found.unknown]).toEqual([['otter.example'], ['otter.example']])
  })
})

describe('Greece, a sheet', () => {
  const header = ['A/A', 'A/M', 'WEBSITE', 'DOMAIN NAME']
  const rows = ['otter', 'heron', 'fox'].map((name, index) => [
    `${index + 1}`,
    '4001',
    `www.${name}.example`,
    `${name}.example`,
  ])
  const sites = ['otter.example', 'heron.example', 'fox.example']
  const sheet = (...all: (readonly string[])[]) => workbook({ Blacklist: sheetOf(all) })

  test('titles in merged cells, a second header and totals are no sites', async () => {
    const found = await read(
      'greece.blocklist',
      sheet(
        ['CATALOG', '', '', ''],
        ['Updated 1.9.2026'],
        header,
        ...rows,
        header,
        ['TOTAL', '', '', '3'],
        ['', '', 'end', ''],
      ),
    )
    expect(found).toEqual({ rows: sites, rejected: ['ip_address 3', 'empty '], unknown: [] })
  })

  test('moved columns are found by their names; without the column the sheet is refused', async () => {
    const moved = (cells: readonly string[]) => [cells[3], '', cells[0], cells[1], cells[2]] as string[]
    expect((await read('greece.blocklist', sheet(moved(header), ...rows.map(moved)))).rows).toEqual(sites)
    const renamed = sheet(header.with(3, 'DOMAINS'), ...rows)
    expect(await refusal('greece.blocklist', renamed)).toBe(
      '"file": expected the columns [DOMAIN NAME], found [A/A | A/M | WEBSITE | DOMAINS]',
    )
  })

  test('a header over two rows is refused, and not guessed', async () => {
    const found = await refusal(
      'greece.blocklist',
      sheet(['A/A', 'SITES', ''], ['', 'WEBSITE', 'DOMAIN'], ...rows),
    )
    expect(found).toMatch(/expected the columns \[DOMAIN NAME\]/)
  })
})

test('Brazil: a header whose names stand in two rows is refused, and not guessed', async () => {
  const upper = ['', 'PORTARIA', 'DENOMINAÇÃO SOCIAL', 'CNPJ', 'MARCAS E DOMÍNIOS', '', 'REQUERIMENTO']
  const lower = ['', '', '', '', 'MARCAS', 'DOMÍNIOS', '']
  const row = [
    '1',
    'SPA/MF nº 900',
    'OTTER LTDA',
    '10.000.001/0001-01',
    'OTTER',
    'otter.example',
    '0001/2024',
  ]
  const file = workbook({ Autorizadas: sheetOf([upper, lower, row]) }, [], {
    Autorizadas: ['E1:F1', 'B1:B2', 'C1:C2', 'D1:D2', 'G1:G2'],
  })
  expect(await refusal('brazil.brands', file)).toMatch(/expected the columns \[Denominação social/)
})

describe('Sweden, a sheet of all licenses', () => {
  const header = ['Aktör', 'Licenstyp', 'Status', 'Webbadress']
  const sheet = (...rows: (readonly string[])[]) => workbook({ Register: sheetOf([header, ...rows]) })

  test('an unknown state gives nothing; an inactive license authorises nothing', async () => {
    const list = await gatherAll(
      'sweden.sites',
      sheet(
        ['Otter AB', 'Kommersiellt online', 'Aktiv', 'otter.example'],
        ['Heron AB', 'Kommersiellt online', 'Inaktiv', 'heron.example'],
        ['Fox AB', 'Kommersiellt vadhållning', 'Vilande', 'fox.example'],
        ['Föreningen Lodjuret', 'Allmännytta lotteri', 'Aktiv', ''],
      ),
    )
    expect(list.authorisation.map(row => [row.domain, row.counts])).toEqual([
      ['otter.example', true],
      ['heron.example', false],
    ])
    expect(rejectTexts(list.reject)).toEqual(['unknown_status Vilande'])
    expect(list.licensee.map(row => row.legalName)).not.toContain('Föreningen Lodjuret')
  })

  test('of two licenses of a site the one in force counts, in any order', async () => {
    const rows = [
      ['Otter AB', 'Kommersiellt online', 'Inaktiv', 'otter.example'],
      ['Otter AB', 'Kommersiellt vadhållning', 'Aktiv', 'www.otter.example'],
    ]
    for (const order of [rows, rows.toReversed()]) {
      const list = await gatherAll('sweden.sites', sheet(...order))
      expect(list.authorisation.map(row => [row.recordKey, row.counts])).toEqual([['otter.example', true]])
    }
  })
})

describe('tables of pages', () => {
  test('Belgium: headers, dates, remarks and spanning cells are no sites', async () => {
    const table = tableOf(
      ['Date', 'Site'],
      [
        ['12/05/2024', 'otter.example'],
        ['12.05.2024', 'www.heron.example/en'],
        ['', '<a href="https://fox.example/x">fox.example</a><br>fox-two.example'],
      ],
    ).replace(
      '</tbody>',
      '<tr><td colspan="2">Total: 3 sites. Mail us: info@regulator.example</td></tr></tbody>',
    )
    const found = await read('belgium.blocklist', pageOf('List', table))
    expect(found.rows).toEqual(['otter.example', 'www.heron.example/en', 'fox.example', 'fox-two.example'])
    expect(found.rejected).toEqual(['empty '])
  })

  test('Romania: only addresses behind the label are sites', async () => {
    const seat = 'str. Lungă nr.7, sect.2, e-mail office@otter.example, web otter-group.example'
    const table = tableOf(
      ['Nr. crt.', 'Sediu social, date de identificare'],
      [
        ['1', `${seat}<br>Domeniu: www.otter.example, bingo.otter.example`],
        ['2', `${seat}<br>Domenii : heron.example`],
        ['3', seat],
      ],
    )
    const found = await read('romania.sites', pageOf('Licențiați', table))
    expect(found.rows).toEqual(['www.otter.example', 'bingo.otter.example', 'heron.example'])
    expect(found.rejected).toEqual(['empty '])
  })

  test('Denmark: a column that moves, and one that is missing', async () => {
    const header = ['Domains', 'Operator', 'Licences', 'Licensed in Greenland', 'Address']
    const cells = [
      'otter.example heron.example/da',
      'Otter A/S',
      'Betting',
      'No',
      'Havnegade 1 8000 Aarhus C',
    ]
    expect((await read('denmark.operators', pageOf('List', tableOf(header, [cells])))).rows).toEqual([
      'otter.example',
      'heron.example/da',
    ])
    const lost = pageOf('List', tableOf(header.slice(1), [cells.slice(1)]))
    expect(await refusal('denmark.operators', lost)).toMatch(
      /expected the columns \[Operator \| Address \| Domains/,
    )
  })

  test('Michigan: mail addresses, stores and wrapped addresses', async () => {
    const wrapped = `https://nam12.safelinks.protection.outlook.com/?url=${encodeURIComponent('https://mi.fox.example/')}&amp;data=1`
    const found = await read(
      'us_michigan.sites',
      pageOf(
        'Providers',
        tableOf(
          ['Operator', 'Sites'],
          [
            [
              'Otter',
              '<a href="https://mi.otter.example/play">MI.Otter.example</a> <a href="mailto:a@otter.example">a@otter.example</a>',
            ],
            ['Fox', `<a href="${wrapped}">Fox Casino</a> <a href="#top">top</a>`],
            ['Carp', '<a href="https://apps.apple.com/us/app/carp/id123">App</a>'],
          ],
        ),
      ),
    )
    expect(found.rows).toEqual(['MI.Otter.example', 'https://mi.fox.example/'])
    expect(found.rejected).toEqual(['shared_host https://apps.apple.com/us/app/carp/id123'])
  })
})

describe('Estonia, a PDF', () => {
  test('titles, footers and page numbers are no sites; a broken line is rejected, not joined', async () => {
    const found = await read(
      'estonia.blocklist',
      pdfTable(
        [
          ['', 'Blokeeritud domeeninimed'],
          ['Nr', 'Domeeninimi'],
          ['1', 'otter.example'],
          ['2', 'a-very-long-name-of-a-heron-'],
          ['', 'casino.example'],
          ['3', 'fox.example'],
          ['', 'Lehekülg 1 / 1'],
        ],
        [60, 110],
      ),
    )
    expect(found.rows).toEqual(['otter.example', 'fox.example'])
    expect(found.rejected).toEqual(['no_dot a-very-long-name-of-a-heron-', 'unparsable casino.example'])
  })
})

test('Australia: a list of strings, of objects, and of something else', async () => {
  expect((await read('australia.blocklist', '["otter.example","heron.example"]')).rows).toHaveLength(2)
  expect((await read('australia.blocklist', '[{"id":1,"Domain":"otter.example"}]')).rows).toEqual([
    'otter.example',
  ])
  expect(await refusal('australia.blocklist', '[{"id":1,"host":"otter.example"}]')).toBe(
    '"file": expected the members [domain], found [id | host]',
  )
})
