/** Tests faults of official tables: no row may be misread as another fact. */

import { fileOfBytes, Refusal } from '@baize/tables'
import { pdfTable, workbook } from '@baize/tables/test/make-files'
import { describe, expect, test } from 'vitest'
import type { Stream } from '../stream.ts'
import { findStream } from '../streams.ts'
import { csvOf, pageOf, sheetOf, tableOf } from './answers/answer.ts'
import { gather, rejectTexts } from './gather.ts'

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

describe('France, a delimited table', () => {
  test('France: moved and added columns are found by their names, and reported', async () => {
    const moved = (cells: readonly string[]) => [cells[2], 'x', cells[1], cells[0]] as string[]
    const header = ['DATE DE LA DECISION', 'MOTIF', 'URL', 'SITE']
    expect(await read('france.blocklist', frenchFile([header, ...frenchRows.map(moved)]))).toEqual({
      rows: frenchSites,
      rejected: [],
      unknown: ['MOTIF'],
    })
  })

  test('France: a title, a second header, a footer and a total are not read as sites', async () => {
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

  test('France: a file without a column, or in another encoding, is refused', async () => {
    const lost = frenchFile([french, ...frenchRows].map(cells => cells.filter((_, column) => column !== 1)))
    expect(await refusal('france.blocklist', lost)).toBe(
      '"file": expected the columns [SITE | URL | DATE DE LA DECISION], found [SITE | DATE DE LA DECISION]',
    )
    const latin = Buffer.from(csvOf([french, ['CASINO ÉTÉ', 'ete.example', '13/06/2022']], ';'), 'latin1')
    expect(await refusal('france.blocklist', latin)).toMatch(/expected utf-8 text/)
  })

  test('France: a mirror with a doubly encoded byte order mark is read', async () => {
    const twice = Buffer.from(Buffer.from(frenchFile([french, ...frenchRows])).toString('latin1'))
    expect(await read('france.blocklist', twice)).toEqual({ rows: frenchSites, rejected: [], unknown: [] })
  })

  test('France: a date that does not exist is reported, and its site is read', async () => {
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

  test('Greece: titles in merged cells, a second header and totals are not read as sites', async () => {
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

  test('Greece: moved columns are found by their names, and a sheet without one is refused', async () => {
    const moved = (cells: readonly string[]) => [cells[3], '', cells[0], cells[1], cells[2]] as string[]
    expect((await read('greece.blocklist', sheet(moved(header), ...rows.map(moved)))).rows).toEqual(sites)
    const renamed = sheet(header.with(3, 'DOMAINS'), ...rows)
    expect(await refusal('greece.blocklist', renamed)).toBe(
      '"file": expected the columns [DOMAIN NAME], found [A/A | A/M | WEBSITE | DOMAINS]',
    )
  })

  test('Greece: a header over two rows is refused', async () => {
    const found = await refusal(
      'greece.blocklist',
      sheet(['A/A', 'SITES', ''], ['', 'WEBSITE', 'DOMAIN'], ...rows),
    )
    expect(found).toMatch(/expected the columns \[DOMAIN NAME\]/)
  })
})

test('Brazil: a header whose names are in two rows is refused', async () => {
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

describe('Sweden, the licenses of each holder', () => {
  const page = (...rows: (readonly [holder: string, kind: string, state: string, ...sites: string[]])[]) =>
    JSON.stringify(
      rows.map(([holder, kind, state, ...sites], index) => ({
        licenseId: index + 1,
        licenseHolder: { licenseHolderName: holder },
        licenseType: { licenseTypeName: kind },
        licenseStatus: { licenseStatusName: state },
        licenseFrom: '2024-01-01T00:00:00',
        licenseTo: '2028-12-31T00:00:00',
        licenseUrls: sites.map(licenseUrl => ({ licenseUrl })),
      })),
    )

  test('Sweden: an unknown state gives no record, and an inactive license authorises no site', async () => {
    const list = await gatherAll(
      'sweden.sites',
      page(
        ['Otter AB', 'Kommersiellt online', 'Aktiv', 'otter.example', 'App: Otter'],
        ['Heron AB', 'Kommersiellt online', 'Inaktiv', 'heron.example'],
        ['Fox AB', 'Kommersiellt vadhållning', 'Vilande', 'fox.example'],
        ['Föreningen Lodjuret', 'Allmännytta lotteri', 'Aktiv'],
      ),
    )
    expect(list.authorisation.map(row => [row.domain, row.counts])).toEqual([
      ['otter.example', true],
      ['heron.example', false],
    ])
    expect(rejectTexts(list.reject)).toEqual(['not_a_domain App: Otter', 'unknown_status Vilande'])
    expect(list.licensee.map(row => row.legalName)).not.toContain('Föreningen Lodjuret')
    expect(list.license.map(row => [row.issuedAt?.slice(0, 10), row.expiresAt?.slice(0, 10)])).toEqual([
      ['2024-01-01', '2028-12-31'],
      ['2024-01-01', '2028-12-31'],
    ])
  })

  test('Sweden: if a site has two licenses, the license in force decides, in any order', async () => {
    const rows = [
      ['Otter AB', 'Kommersiellt online', 'Inaktiv', 'otter.example'],
      ['Otter AB', 'Kommersiellt vadhållning', 'Aktiv', 'www.otter.example'],
    ] as const
    for (const order of [rows, rows.toReversed()]) {
      const list = await gatherAll('sweden.sites', page(...order))
      expect(list.authorisation.map(row => [row.recordKey, row.counts])).toEqual([['otter.example', true]])
    }
  })
})

describe('tables whose headers are known in part', () => {
  const site = (href: string, text: string) => `<a href="https://${href}/">${text}</a>`

  test('Colombia: the numbered rows are contracts, and the link counts where its text is a brand', async () => {
    const rows = [
      ['#', 'Razón social', 'Portal', 'N.º', 'Contacto'],
      ['1.', '<strong>O</strong><strong>tter S.A.S.</strong>', site('www.otter.co', 'Otter.co'), 'C1', ''],
      ['2', 'Heron S.A.S.', site('heron.com.co', 'Heron'), 'C2', site('mail.example', 'mail')],
      ['', 'Total', '', '', ''],
    ]
    const list = await gatherAll('colombia.operators', pageOf('Operadores', tableOf(['x'], rows)))
    expect(list.authorisation.map(row => [row.published, row.licenseeKey, row.licenseKey])).toEqual([
      ['Otter.co', 'Otter S.A.S.', 'C1'],
      ['https://heron.com.co/', 'Heron S.A.S.', 'C2'],
    ])
    expect(list.reject).toEqual([])
  })

  test('Hungary and the Northern Territory: columns without a known header are read by their place', async () => {
    const hungary = tableOf(
      ['Online kaszinó engedélyezett honlapjának címe', 'A', 'B', 'C'],
      [['otter.hu', 'Otter Zrt., 1000 Budapest, Fő u. 1.', '2028.12.31.', 'IGEN']],
    )
    const list = await gatherAll('hungary.operators', pageOf('Nyilvántartás', hungary))
    expect(list.authorisation.map(row => [row.domain, row.licenseeKey, row.status])).toEqual([
      ['otter.hu', 'Otter Zrt.', 'suspended'],
    ])
    const territory = tableOf(
      ['', 'A', 'Trading as', 'B', 'C'],
      [
        ['1', 'Otter Pty Ltd', 'OtterBet', site('otter.com.au', 'Visit'), ''],
        ['2', 'Heron Pty Ltd', 'HeronBet', '', 'Not currently trading'],
      ],
    )
    const operators = await gatherAll('au_northern_territory.sites', pageOf('Operators', territory))
    expect(operators.authorisation.map(row => [row.domain, row.licenseeKey])).toEqual([
      ['otter.com.au', 'Otter Pty Ltd'],
    ])
    expect(operators.licensee.map(row => row.tradingNames)).toEqual([['OtterBet'], ['HeronBet']])
  })

  test('Kahnawake: every link of a cell is a site, and text counts where a cell has no link', async () => {
    const table = tableOf(
      ['OPERATOR', 'URL'],
      [
        ['Otter Ltd', `${site('otter.example', 'Otter')} ${site('www.otter-two.example', 'Two')}`],
        ['Heron Ltd', 'heron.example, heron-two.example'],
      ],
    )
    const list = await gatherAll('kahnawake.operators', pageOf('Permit holders', table))
    expect(list.authorisation.map(row => row.domain)).toEqual([
      'otter.example',
      'otter-two.example',
      'heron.example',
      'heron-two.example',
    ])
  })
})

describe('tables of pages', () => {
  test('Belgium: headers, dates, remarks and spanning cells are not read as sites', async () => {
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

  test('Romania: only addresses after the label are read as sites', async () => {
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

  test('Denmark: a moved column is found, and a page without one is refused', async () => {
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

  test('Michigan: words beside an address are no sites, and a cell can have several', async () => {
    const header = ['Casino', 'Tribe', 'Associated Platform Provider', 'Gaming Type(s) Offered']
    const found = await read(
      'us_michigan.sites',
      workbook({
        Providers: sheetOf([
          ['Authorized providers'],
          [...header, 'Website Address'],
          ['Otter Hall', '', 'Otter', 'Internet Casino Games', 'MI.Otter.example/play and fox.example'],
          ['Carp Hall', '', 'Carp', 'Internet Poker', 'https://apps.apple.com/us/app/carp/id123'],
          ['Lynx Hall', 'Band of Lynxes', 'Lynx', 'Internet Sports Betting', 'to be announced'],
        ]),
      }),
    )
    expect(found.rows).toEqual(['MI.Otter.example/play', 'fox.example'])
    expect(found.rejected).toEqual(['shared_host https://apps.apple.com/us/app/carp/id123', 'empty '])
  })
})

describe('Estonia, a PDF', () => {
  test('Estonia: titles, footers and page numbers are no sites, and a broken line is rejected', async () => {
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

test('Australia: lists of strings and of objects are read, and other JSON is refused', async () => {
  expect((await read('australia.blocklist', '["otter.example","heron.example"]')).rows).toHaveLength(2)
  expect((await read('australia.blocklist', '[{"id":1,"Domain":"otter.example"}]')).rows).toEqual([
    'otter.example',
  ])
  expect(await refusal('australia.blocklist', '[{"id":1,"host":"otter.example"}]')).toBe(
    '"file": expected the members [domain], found [id | host]',
  )
})
