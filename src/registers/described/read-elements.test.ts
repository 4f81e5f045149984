import { describe, expect, test } from 'vitest'
import { Refusal } from '../stream.ts'
import { jsonDescription, problemsOf, read } from './fixture.ts'

const sites = (parts: object) => JSON.stringify({ ...jsonDescription, ...parts })

/** An accordion: the holder names itself in the title, its permits and their sites are inside. */
const accordion = sites({
  file: { format: 'html', rows_at: 'ul#list > li .site' },
  columns: {
    holder: { headers: ['a.title'], within: 'li' },
    kind: { headers: ['h3'], within: '.permit' },
    site: { headers: ['.name'] },
    granted: { headers: ['.meta'], pattern: String.raw`granted: (?<value>\d\d\.\d\d\.\d{4})` },
  },
  publishes: { ...jsonDescription.publishes, dates: true, roles: false },
  source_claim: 'license',
  records: {
    licensee: { key: ['holder'], legal_name: { column: 'holder' } },
    license: {
      key: ['holder', 'kind'],
      license_number: { column: 'kind' },
      issued_at: { column: 'granted', date_forms: ['d.m.yyyy'] },
    },
    authorised_domains: { domain: { column: 'site' } },
  },
})

const item = (holder: string, ...permits: string[]) =>
  `<li><a class="title" href="#">${holder}</a><div class="content">${permits.join('')}</div></li>`
const permit = (kind: string, ...names: string[]) =>
  `<div class="permit"><h3>${kind}</h3>${names
    .map(
      name =>
        `<div class="site"><div class="name">${name}</div><div class="meta">First granted: 01.02.2024, Renewed: 03.04.2026</div></div>`,
    )
    .join('')}</div>`
const page = (...items: string[]) =>
  `<!doctype html><nav><li><a class="title">Menu</a></li></nav><ul id="list">${items.join('')}</ul>`

async function refusalOf(text: string, content: string): Promise<string> {
  try {
    await read(text, content, 'page.html')
    return 'read'
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

describe('an accordion', () => {
  const content = page(
    item(
      'Otter Ltd',
      permit('Slots', 'otter.example', 'otter-slots.example'),
      permit('Poker', 'otter.example'),
    ),
    item('Heron &amp; Sons', permit('Slots', 'www.heron.example')),
  )

  test('gives a row for each site, with what stands around it', async () => {
    const list = await read(accordion, content)
    expect(list.license.map(row => [row.licenseeKey, row.licenseNumber, row.issuedAt?.slice(0, 10)])).toEqual(
      [
        ['Otter Ltd', 'Slots', '2024-02-01'],
        ['Otter Ltd', 'Poker', '2024-02-01'],
        ['Heron & Sons', 'Slots', '2024-02-01'],
      ],
    )
    expect(list.authorisation.map(row => [row.domain, row.licenseKey])).toEqual([
      ['otter.example', 'Otter Ltd|Slots'],
      ['otter-slots.example', 'Otter Ltd|Slots'],
      ['otter.example', 'Otter Ltd|Poker'],
      ['heron.example', 'Heron & Sons|Slots'],
    ])
  })

  test('an item without a title has no holder, and not that of the item before', async () => {
    const list = await read(
      accordion,
      page(item('Otter Ltd', permit('Slots', 'otter.example')), item('', permit('Slots', 'fox.example'))),
    )
    expect(list.authorisation.map(row => row.domain)).toEqual(['otter.example'])
    expect(list.reject).toMatchObject([{ reason: 'empty' }])
  })

  test('a page without the elements, or without a part of them, is refused', async () => {
    expect(await refusalOf(accordion, '<html><p>Maintenance</p></html>')).toBe(
      '"page.html": expected elements ul#list > li .site, found none',
    )
    const renamed = content.replaceAll('class="name"', 'class="label"')
    expect(await refusalOf(accordion, renamed)).toBe(
      '"page.html": expected [.name] in ul#list > li .site, found none',
    )
  })
})

describe('cards below headings', () => {
  const cards = sites({
    file: { format: 'html', rows_at: 'li.card' },
    columns: {
      holder: { headers: ['h2'], above: true },
      site: { headers: ['a.play@href'] },
      brand: { headers: ['img@alt'], optional: true },
    },
    records: {
      licensee: { key: ['holder'], legal_name: { column: 'holder' }, trading_names: { column: 'brand' } },
      authorised_domains: { domain: { column: 'site' } },
    },
  })

  test('have the heading above them, and the addresses of their links', async () => {
    const card = (site: string, brand: string) =>
      `<li class="card"><a class="play" href="${site}"><img alt="${brand}"></a></li>`
    const content = `<h2>Otter Ltd</h2><ul>${card('https://otter.example/?ref=1', 'Otter')}${card('https://fox.example', 'Fox')}</ul>
      <h2>Heron plc</h2><ul>${card(' https://heron.example/ ', 'Heron')}</ul>`
    const list = await read(cards, content)
    expect(list.licensee.map(row => [row.legalName, row.tradingNames])).toEqual([
      ['Otter Ltd', ['Fox', 'Otter']],
      ['Heron plc', ['Heron']],
    ])
    expect(list.authorisation.map(row => [row.licenseeKey, row.domain])).toEqual([
      ['Otter Ltd', 'otter.example'],
      ['Otter Ltd', 'fox.example'],
      ['Heron plc', 'heron.example'],
    ])
  })

  test('can be read without holders in the keys, in any order of the page', async () => {
    const text = JSON.parse(cards)
    text.records.authorised_domains.key_without_holder = true
    const group = (holder: string) =>
      `<h2>${holder}</h2><li class="card"><a class="play" href="https://otter.example"></a></li>`
    for (const content of [group('Otter Ltd') + group('Fox Ltd'), group('Fox Ltd') + group('Otter Ltd')]) {
      const list = await read(JSON.stringify(text), `<main>${content}</main>`)
      expect(list.authorisation.map(row => [row.recordKey, row.licenseeKey])).toEqual([
        ['otter.example', 'Fox Ltd'],
      ])
      expect(list.reject).toMatchObject([{ reason: 'duplicate' }])
    }
  })
})

test('labels beside values are found by their text', async () => {
  const panels = sites({
    file: { format: 'html', rows_at: '.panel' },
    columns: {
      name: { headers: ['.company'] },
      site: { headers: ['tr:has(> th:contains("Website")) > td'] },
    },
    records: {
      licensee: { key: ['name'], legal_name: { column: 'name' } },
      authorised_domains: { domain: { column: 'site' } },
    },
  })
  const panel = (name: string, site: string) =>
    `<div class="panel"><b class="company">${name}</b><table><tr><th>Town</th><td>Ballybeg</td></tr><tr><th>Website:</th><td>${site}</td></tr></table></div>`
  const list = await read(panels, panel('Otter', 'otter.example') + panel('Heron', 'heron.example'))
  expect(list.authorisation.map(row => [row.licenseeKey, row.domain])).toEqual([
    ['Otter', 'otter.example'],
    ['Heron', 'heron.example'],
  ])
})

test('selectors that visit a page too often are stopped', async () => {
  const costly = sites({
    file: { format: 'html', rows_at: 'b' },
    columns: { site: { headers: ['b:has(b b b b)'], within: 'html' } },
  })
  expect(await refusalOf(costly, '<b>x</b>'.repeat(10_000))).toMatch(/visit more than 10000000 elements/)
})

test('unusable selectors and options are reported with their place', () => {
  const problems = (file: object, column: object) =>
    problemsOf(JSON.stringify({ ...jsonDescription, file, columns: { site: column } }, null, 1)).map(
      problem => problem.replace(/^\d+:\d+ /, ''),
    )
  const rows = { format: 'html', rows_at: 'li' }
  expect(problems({ format: 'html', rows_at: 'li[' }, { headers: ['a'] })).toEqual([
    expect.stringMatching(/^file\.rows_at must be a CSS selector: /),
  ])
  expect(problems(rows, { headers: ['a:unknown@href'] })).toEqual([
    expect.stringMatching(/^columns\.site\.headers\.0 must be a CSS selector: /),
  ])
  expect(problems(rows, { headers: ['a'], within: 'li', above: true })).toEqual([
    'columns.site has above and within; omit one of them',
  ])
  expect(problems({ ...rows, table: 2 }, { headers: ['a'] })).toEqual([
    'file.table is for a table; omit it, or file.rows_at',
  ])
  expect(problems({ format: 'html' }, { headers: ['Site'], above: true })).toEqual([
    'columns.site.above needs html with file.rows_at',
  ])
  expect(problems({ format: 'csv' }, { headers: ['Site'], pattern: '(' })).toEqual([
    expect.stringMatching(/^columns\.site\.pattern must be a regular expression: /),
  ])
})
