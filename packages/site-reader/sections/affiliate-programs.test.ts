import { expect, test } from 'vitest'
import { loadRules } from '../page/load-rules.ts'
import { matchRules } from '../page/match-rules.ts'
import { parsePage } from '../page/parse-page.ts'
import { readAffiliatePrograms } from './affiliate-programs.ts'

const domain = 'luckyotter.example'

function programsOf(html: string): string[] {
  const { rules } = loadRules()
  const page = parsePage({
    url: `https://${domain}/`,
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: new TextEncoder().encode(html),
  })
  const matched = { domain, pageType: null, page, matches: matchRules(page, rules), rules }
  return [...new Set(readAffiliatePrograms(matched).map(({ valueKey }) => valueKey))]
}

test.each([
  ['on a known system', 'https://luckyotter.myaffiliates.com/signup', 'Work with us'],
  ['whose text says so', 'https://ottermoney.example/join', 'Affiliates'],
  ['whose host says so', 'https://partners.luckyotter.example/', 'More'],
])('a link %s is the site’s affiliate programme', (_title, url, text) => {
  expect(programsOf(`<a href="${url}">${text}</a>`)).toEqual([url])
})

test.each([
  ['by its path', 'https://go.myaffiliates.com/visit/?bta=35'],
  ['by its parameter', 'https://media.netrefer.com/landing?btag=a_1b_2'],
])('a link that counts clicks is not the affiliate programme: %s', (_title, url) => {
  expect(programsOf(`<a href="${url}">Play now</a>`)).toEqual([])
})

test('a site that links to the systems of several operators has no affiliate programme', () => {
  const links = ['https://a.myaffiliates.com/', 'https://www.bet365affiliates.com/', 'https://n1.partners/']
  expect(programsOf(links.map(url => `<a href="${url}">Join</a>`).join(''))).toEqual([])
})

test('the URL of a programme has no campaign parameters and no fragment', () => {
  expect(programsOf('<a href="https://x.affilka.com/?utm_source=a&lang=en#top">Partners</a>')).toEqual([
    'https://x.affilka.com/?lang=en',
  ])
})
