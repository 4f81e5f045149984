import { describe, expect, test } from 'vitest'
import { findFileLinks } from './find-link.ts'
import { Unresolved } from './unresolved.ts'

const url = 'https://regulator.example/lists/index.html'
const link = (href: string, text: string) => `<li><a href="${href}">${text}</a></li>`
const page = (...links: string[]) =>
  `<!doctype html><html><head><title>Blocked sites</title></head>
   <body><div id="menu">${link('/old.csv', 'CSV')}</div>
   <main class="content wide"><ul>${links.join('\n')}</ul></main></body></html>`

const findAll = (html: string, choice: Parameters<typeof findFileLinks>[1], language = 'en') =>
  findFileLinks({ url, html, language }, choice)
const find = (...given: Parameters<typeof findAll>) => findAll(...given)[0]

describe('the current file of a page', () => {
  test('the current file is the first link whose address matches, made absolute', () => {
    const html = page(link('a.pdf', 'PDF'), link('files/b.csv?v=2#top', 'List'), link('c.csv', 'List'))
    expect(find(html, { href: '/?b.*\\.csv' })).toBe('https://regulator.example/lists/files/b.csv?v=2')
  })

  test('the current file is found by its text when each publication has another address', () => {
    const publication = (id: string) =>
      page(link(`/documents/20182/elenco.txt/${id}`, 'Elenco dei siti - TXT'), link('/x', 'Altro'))
    const choice = { text: 'elenco dei siti.*txt' }
    expect(find(publication('4615c98e'), choice)).toBe(
      'https://regulator.example/documents/20182/elenco.txt/4615c98e',
    )
    expect(find(publication('06a494fd'), choice)).toMatch(/06a494fd$/)
  })

  test('the current file is looked for only within the named element', () => {
    const html = page(link('/new.csv', 'CSV'))
    expect(find(html, { within: '.wide', text: 'csv' })).toMatch(/new\.csv$/)
    expect(find(html, { within: '#menu', text: 'csv' })).toMatch(/old\.csv$/)
    expect(find(html, { within: 'main', text: 'csv' })).toMatch(/new\.csv$/)
  })

  test('the address of the current file is relative to the base of the page', () => {
    const html = page(link('b.csv', 'List')).replace('<head>', '<head><base href="/files/">')
    expect(find(html, { href: '^b' })).toBe('https://regulator.example/files/b.csv')
  })

  test.each([
    ['en', '12 July 2026', '3 October 2025'],
    ['en', 'July 12th, 2026', 'October 3rd, 2025'],
    ['en-US', '10/03/2026', '03/10/2026'],
    ['fr', '12 juillet 2026', '3 octobre 2025'],
    ['it', 'aggiornato al 12 luglio 2026', 'aggiornato al 3 ottobre 2025'],
    ['pl', '12 lipca 2026', '3 października 2025'],
    ['cs', '12. července 2026', '3. října 2025'],
    ['el', '12 Ιουλίου 2026', '3 Οκτωβρίου 2025'],
    ['pt-BR', '12 de julho de 2026', '3 de outubro de 2025'],
    ['sv', '2026-07-12', '2025-10-03'],
    ['de', '12.07.2026', '03.10.2026 (alt: 1.1.2020)'.replace('2026', '2025')],
  ])('the current file has the latest date in its text (%s: %s)', (language, later, earlier) => {
    const html = page(link('/one.csv', `List of ${earlier}`), link('/two.csv', `List of ${later}`))
    const choice = { within: 'main', href: 'csv', newest: 'latest_date' as const }
    expect(find(html, choice, language)).toMatch(/two\.csv$/)
  })

  test('the current file has the latest date in its address, if the text has none', () => {
    const html = page(
      link('/list-20260712.csv', 'List'),
      link('/list_2026_10_01.csv', 'List'),
      link('/list-20261399.csv', 'List'),
      link('/list.csv', 'List'),
    )
    expect(find(html, { href: 'list', newest: 'latest_date' })).toMatch(/2026_10_01\.csv$/)
  })

  test('the current file is the last matching link if the description says so', () => {
    const html = page(link('/one.csv', 'List'), link('/two.csv', 'List'))
    expect(find(html, { within: 'main', href: 'csv', newest: 'last' })).toMatch(/two\.csv$/)
  })
})

describe('all files of a page', () => {
  const sheet = (id: string) => `https://docs.example/spreadsheets/d/${id}/edit?usp=sharing#gid=0`

  test('all matching links are the pages of one list, each once and in order', () => {
    const html = page(link('/b.csv', 'B'), link('/a.csv', 'A'), link('/b.csv#x', 'B again'), link('/c', 'C'))
    expect(findAll(html, { within: 'main', href: '\\.csv', all: true })).toEqual([
      'https://regulator.example/b.csv',
      'https://regulator.example/a.csv',
    ])
  })

  test('links to online spreadsheets lead to their workbooks', () => {
    const html = page(link(sheet('1AbC-x_9'), 'Casinos'), link(sheet('2AbC'), 'Poker'))
    const choice = { href: '/spreadsheets/d/', workbook: true }
    expect(findAll(html, { ...choice, all: true })).toEqual([
      'https://docs.example/spreadsheets/d/1AbC-x_9/export?format=xlsx',
      'https://docs.example/spreadsheets/d/2AbC/export?format=xlsx',
    ])
    expect(findAll(html, { ...choice, text: 'poker' })).toEqual([
      'https://docs.example/spreadsheets/d/2AbC/export?format=xlsx',
    ])
  })

  test('a link that leads to no spreadsheet is refused where a workbook is expected', () => {
    const html = page(link('/list.html', 'Casinos'))
    expect(() => findAll(html, { text: 'casinos', workbook: true })).toThrow(/not the address of a spreads/)
  })

  test('more than 200 links are refused, and not cut off', () => {
    const html = page(...Array.from({ length: 201 }, (_, index) => link(`/page-${index}`, 'Page')))
    expect(() => findAll(html, { href: 'page', all: true })).toThrow(/has 201 such links; at most 200/)
  })
})

describe('a page without the link to the file', () => {
  const reasonOf = (html: string, choice: Parameters<typeof find>[1] = { href: '\\.csv$' }) => {
    try {
      return find(html, choice)
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error
      return error.message
    }
  }
  const body = (html: string, title = 'Log in') =>
    `<!doctype html><title>${title}</title><body>${html}</body>`

  test.each([
    [
      'no such link',
      page(link('/a.pdf', 'PDF')).replace('/old.csv', '/old.pdf'),
      /\("Blocked sites"\) has 2 links, none with the address .*register watch --url/,
    ],
    ['no link at all', body('<p>Soon</p>', 'Maintenance'), /\("Maintenance"\) has 0 links/],
    [
      'a login',
      body('<form><input type="password"></form>'),
      /asks for a login \("Log in"\).*public address/,
    ],
    [
      'a captcha',
      body('<div class="g-recaptcha"></div>', 'One moment'),
      /checks whether its visitor is a person \("One moment"\).*register sync/,
    ],
    ['a browser check', body('', 'Just a moment...'), /checks whether its visitor is a person/],
  ])('a page with %s is refused with advice', (_what, html, reason) => {
    expect(reasonOf(html)).toMatch(reason)
  })

  test('a page without the element that should contain the link is refused with advice', () => {
    expect(reasonOf(page(), { within: '#downloads', href: 'x' })).toMatch(/has no element #downloads/)
  })

  test('a link to another scheme than http is refused with advice', () => {
    expect(reasonOf(page(link('javascript:open()', 'CSV list')), { text: 'csv list' })).toMatch(
      /leads to "javascript:open\(\)", which is no http address/,
    )
  })

  test('a page that opens elements without end is refused', () => {
    const many = Array.from({ length: 3_000 }, (_, number) => `<b id=${number}>`).join('')
    expect(() => find(`${many}${'<p>'.repeat(3_000)}`, { href: 'x' })).toThrow(/elements|nests/)
  })

  test('a link pattern that would take forever is refused', () => {
    const html = page(link(`/${'a'.repeat(60)}!`, 'x'))
    expect(reasonOf(html, { href: '(a+)+$' })).toMatch(/the pattern .* cannot be used: it took longer/)
  })
})
