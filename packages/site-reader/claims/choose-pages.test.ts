import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { choosePages, findLegalPages } from './choose-pages.ts'
import { linkOf, pageOf } from './fixture.ts'

const chosen = (...links: [url: string, text?: string][]) =>
  choosePages(
    findLegalPages(pageOf({ links: links.map(([url, text]) => linkOf(url, text)) }), 'luckyotter.example'),
  ).map(page => `${page.page_type} ${page.url.replace('https://luckyotter.example', '')}`)

test('a check reads six legal pages, starting with the most useful type', () => {
  expect(
    chosen(
      ['/cookies', 'Cookie policy'],
      ['/contact', 'Contact us'],
      ['/bonus', 'Bonus terms and conditions'],
      ['/privacy', 'Privacy Policy'],
      ['/rg', 'Responsible Gambling'],
      ['/pay', 'Payment methods'],
      ['/about', 'About us'],
      ['/terms', 'Terms & Conditions'],
      ['/license', 'License'],
    ),
  ).toEqual([
    'licence /license',
    'terms /terms',
    'about /about',
    'payments /pay',
    'responsible_gambling /rg',
    'privacy /privacy',
  ])
})

test.each([
  ['another site', 'https://other.example/terms'],
  ['another port', 'https://luckyotter.example:8443/terms'],
  ['an address for mail', 'mailto:terms@luckyotter.example'],
  ['a script', 'javascript:terms()'],
  ['a PDF', '/legal/terms.pdf'],
  ['the end of a session', '/logout?next=terms'],
  ['a place on the root', '/#terms'],
  ['a user name in the URL', 'https://other@luckyotter.example/terms'],
])('a check does not read %s', (_what, url) => {
  expect(chosen([url, 'Terms and conditions'])).toEqual([])
})

test('a check reads legal pages on a subdomain and in another language', () => {
  expect(chosen(['https://www.luckyotter.example/fi/ehdot', 'Käyttöehdot'])).toEqual([
    'terms https://www.luckyotter.example/fi/ehdot',
  ])
})

test('a link without a text is chosen by the words in its path', () => {
  expect(chosen(['/en/terms-and-conditions.html'], ['/fi/saannot-ehdot/'])).toEqual([
    'terms /en/terms-and-conditions.html',
  ])
})

test('a legal page that is linked twice is read once', () => {
  expect(chosen(['/legal', 'Terms'], ['/legal#privacy', 'Privacy'], ['/legal#top', 'Imprint'])).toEqual([
    'imprint /legal',
  ])
})

test('the longest phrase decides the type of a page: "bonus terms" is not "terms"', () => {
  expect(chosen(['/b', 'Bonus terms'], ['/t', 'General terms'])).toEqual(['terms /t', 'bonus_terms /b'])
})

test('all legal pages that the home page links are listed', () => {
  const links = ['terms', 'privacy', 'cookies', 'contact', 'about', 'imprint', 'licence', 'payments'].map(
    path => linkOf(`/${path}`),
  )
  expect(findLegalPages(pageOf({ links }), 'luckyotter.example')).toHaveLength(8)
})

test('link texts of legal pages are recognised in 26 languages', () => {
  const rules = readFileSync(new URL('../rules/legal-pages.yaml', import.meta.url), 'utf8')
  const languages = Map.groupBy([...rules.matchAll(/# ([a-z]{2})$/gm)], match => match[1])
  const types = Object.keys(load(rules) as object)
  expect(languages.size).toBe(26)
  for (const [language, lines] of languages)
    expect([language, lines.length]).toEqual([language, types.length])
})
