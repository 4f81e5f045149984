import { describe, expect, test } from 'vitest'
import { Refusal } from '../index.ts'
import { problemsOf, read } from '../test/read.ts'

/** Describes an accordion: the title names the holder, and the content has its permits and their sites. */
const accordion = {
  file: { format: 'html', rows_at: 'ul#list > li .site' },
  columns: {
    holder: { headers: ['a.title'], within: 'li' },
    kind: { headers: ['h3'], within: '.permit' },
    site: { headers: ['.name'] },
    granted: { headers: ['.meta'], pattern: String.raw`granted: (?<value>\d\d\.\d\d\.\d{4})` },
  },
}

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

async function refusalOf(text: object, content: string): Promise<string> {
  try {
    await read(text, content, 'page.html')
    return 'read'
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

describe('accordions', () => {
  const content = page(
    item(
      'Otter Ltd',
      permit('Slots', 'otter.example', 'otter-slots.example'),
      permit('Poker', 'otter.example'),
    ),
    item('Heron &amp; Sons', permit('Slots', 'www.heron.example')),
  )

  test('an accordion gives a row for each site, with the holder and permit around it', async () => {
    const list = await read(accordion, content)
    expect(list.rows.map(row => Object.values(row))).toEqual([
      ['Otter Ltd', 'Slots', 'otter.example', '01.02.2024'],
      ['Otter Ltd', 'Slots', 'otter-slots.example', '01.02.2024'],
      ['Otter Ltd', 'Poker', 'otter.example', '01.02.2024'],
      ['Heron & Sons', 'Slots', 'www.heron.example', '01.02.2024'],
    ])
  })

  test("an accordion's item without a title has no holder", async () => {
    const list = await read(
      accordion,
      page(item('Otter Ltd', permit('Slots', 'otter.example')), item('', permit('Slots', 'fox.example'))),
    )
    expect(list.rows.map(row => [row.holder, row.site])).toEqual([
      ['Otter Ltd', 'otter.example'],
      ['', 'fox.example'],
    ])
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
  const cards = {
    file: { format: 'html', rows_at: 'li.card' },
    columns: {
      holder: { headers: ['h2'], above: true },
      site: { headers: ['a.play@href'] },
      brand: { headers: ['img@alt'], optional: true },
    },
  }

  test('a card has the heading above it, and the addresses of its links', async () => {
    const card = (site: string, brand: string) =>
      `<li class="card"><a class="play" href="${site}"><img alt="${brand}"></a></li>`
    const content = `<h2>Otter Ltd</h2><ul>${card('https://otter.example/?ref=1', 'Otter')}${card('https://fox.example', 'Fox')}</ul>
      <h2>Heron plc</h2><ul>${card(' https://heron.example/ ', 'Heron')}</ul>`
    const list = await read(cards, content)
    expect(list.rows.map(row => Object.values(row))).toEqual([
      ['Otter Ltd', 'https://otter.example/?ref=1', 'Otter'],
      ['Otter Ltd', 'https://fox.example', 'Fox'],
      ['Heron plc', 'https://heron.example/', 'Heron'],
    ])
  })
})

test("a value beside a label is found by the label's text", async () => {
  const panels = {
    file: { format: 'html', rows_at: '.panel' },
    columns: {
      name: { headers: ['.company'] },
      site: { headers: ['tr:has(> th:contains("Website")) > td'] },
    },
  }
  const panel = (name: string, site: string) =>
    `<div class="panel"><b class="company">${name}</b><table><tr><th>Town</th><td>Ballybeg</td></tr><tr><th>Website:</th><td>${site}</td></tr></table></div>`
  const list = await read(panels, panel('Otter', 'otter.example') + panel('Heron', 'heron.example'))
  expect(list.rows).toEqual([
    { name: 'Otter', site: 'otter.example' },
    { name: 'Heron', site: 'heron.example' },
  ])
})

test('an element without its column gives no row, and an empty column uses its fallback', async () => {
  const links = {
    file: { format: 'html', rows_at: 'table a', rows_with: 'site' },
    columns: {
      site: { headers: ['.'], pattern: String.raw`^\S+\.example$`, else: 'link' },
      link: { headers: ['.@href'], pattern: String.raw`^https?://\S+` },
    },
  }
  const wrapped =
    'https://gcc02.safelinks.protection.outlook.com/?url=https%3A%2F%2Ffox.example%2Fen&amp;data=05'
  const list = await read(
    links,
    `<table><tr><td><a href="${wrapped}">otter.example</a><a href="${wrapped}">Fox</a><a href="mailto:x@y.example">Help</a></td></table>`,
  )
  expect(list.rows.map(row => row.site)).toEqual(['otter.example', 'https://fox.example/en'])
  expect(list.notices).toEqual(['no site found: Help', 'no site found: mailto:x@y.example'])
  expect(await refusalOf(links, '<table><tr><td><a href="#">Top</a></td></table>')).toBe(
    '"page.html": expected rows with the column site, found none',
  )
})

test('an element without its column is reported with what else it has', async () => {
  const list = await read(
    {
      file: { format: 'html', rows_at: 'li', rows_with: 'number' },
      columns: { name: { headers: ['b'] }, number: { headers: ['i'] } },
    },
    '<ul><li><b>Otter</b><i>1</i></li><li><b>Fox</b></li><li></li></ul>',
  )
  expect([list.rows.length, list.notices]).toEqual([1, ['an element without "number" is no row: Fox']])
})

test('a page that is cut off inside its list is refused, even if its rows have no end tags', async () => {
  const rows = { file: { format: 'html', rows_at: 'tr' }, columns: { site: { headers: ['td'] } } }
  const table = '<table><tr><td>otter.example<tr><td>fox.example'
  expect(await refusalOf(rows, `${table}</table>`)).toBe('read')
  expect(await refusalOf(rows, table)).toBe('"page.html" ends inside its table: it is incomplete')
})

test("selectors that visit a page's elements too often are stopped", async () => {
  const costly = {
    file: { format: 'html', rows_at: 'b' },
    columns: { site: { headers: ['b:has(b b b b)'], within: 'html' } },
  }
  expect(await refusalOf(costly, '<b>x</b>'.repeat(10_000))).toMatch(/visit more than 10000000 elements/)
})

test('unusable selectors and options are reported with their line and column', () => {
  const problems = (file: object, column: object) =>
    problemsOf({ file, columns: { site: column } }).map(problem => problem.replace(/^\d+:\d+ /, ''))
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
  expect(problems({ format: 'csv' }, { headers: ['Site'], above: true })).toEqual([
    'columns.site.above needs html',
  ])
  expect(problems({ format: 'html' }, { headers: ['h2['], above: true })).toEqual([
    expect.stringMatching(/^columns\.site\.headers\.0 must be a CSS selector: /),
  ])
  expect(problems({ format: 'html' }, { headers: ['Site'], within: 'li' })).toEqual([
    'columns.site.within needs html with file.rows_at',
  ])
  expect(problems({ format: 'csv' }, { headers: ['Site'], pattern: '(' })).toEqual([
    expect.stringMatching(/^columns\.site\.pattern must be a regular expression: /),
  ])
})

describe('pages that state how many rows they have', () => {
  const cards = (count: number, ...sites: string[]) =>
    `<!doctype html><body><p>Sites: ${count}</p><ul>${sites.map(site => `<li class="card">${site}</li>`).join('')}` +
    '<li>New: fox.example</li><li><b></b></li></ul></body>'
  const description = (file: object) => ({
    file: { format: 'html', rows_at: 'li.card', ...file },
    columns: { site: { headers: ['.'] } },
  })

  test('elements beside the rows that are no rows are reported, unless they are ignored', async () => {
    const content = cards(1, 'otter.example')
    expect((await read(description({}), content)).notices).toEqual([
      'beside the rows, not read: New: fox.example',
    ])
    const ignored = { ignore: 'li:not(.card)' }
    expect((await read(description(ignored), content)).notices).toEqual([])
  })

  test('a page with fewer rows than it states is reported with both numbers', async () => {
    const file = { ignore: 'li:not(.card)', count: String.raw`Sites: (?<value>\d+)` }
    expect((await read(description(file), cards(1, 'otter.example'))).notices).toEqual([])
    expect((await read(description(file), cards(84, 'otter.example'))).notices).toEqual([
      'fewer rows than the file states: the file states 84, 1 were read',
    ])
    const other = { ...file, count: String.raw`Operators: (?<value>\d+)` }
    expect((await read(description(other), cards(1, 'otter.example'))).notices).toEqual([
      'the file does not state its number of rows: ',
    ])
  })

  test('letters that look like Latin ones are read as these where the description says so', async () => {
    const columns = { site: { headers: ['.'], letters: 'latin', pattern: 'HE [0-9]+' } }
    const file = { format: 'html', rows_at: 'li.card', ignore: 'li:not(.card)' }
    expect((await read({ file, columns }, cards(1, 'ΗΕ 399558'))).rows).toEqual([{ site: 'HE 399558' }])
  })

  test('an ignored element, a printed number and their expressions are checked', () => {
    expect(problemsOf({ ...description({ ignore: 'li[', count: '(' }) })).toEqual([
      expect.stringContaining('file.ignore must be a CSS selector'),
      expect.stringContaining('file.count must be a regular expression'),
    ])
  })
})
