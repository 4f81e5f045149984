import { describe, expect, test } from 'vitest'
import type { PageType } from '../claims/choose-pages.ts'
import { readClaims } from '../claims/read-claims.ts'
import { loadRules } from '../page/load-rules.ts'
import { matchRules } from '../page/match-rules.ts'
import { parsePage } from '../page/parse-page.ts'
import { readFirmographicsSection } from './firmographics.ts'

const domain = 'luckyotter.example'

function membersOf(html: string, pageType: PageType | null = null): Record<string, unknown> {
  const { rules } = loadRules()
  const page = parsePage({
    url: `https://${domain}/`,
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: new TextEncoder().encode(html),
  })
  const matched = { domain, pageType, page, matches: matchRules(page, rules), rules }
  return Object.assign(
    {},
    ...readFirmographicsSection({ ...matched, claims: readClaims(page, matched) }).map(({ value }) => value),
  )
}

const ld = (object: object) =>
  `<script type="application/ld+json">${JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'Organization',
    url: `https://${domain}/`,
    ...object,
  })}</script>`

describe('an Organization of JSON-LD', () => {
  test('an Organization of JSON-LD gives the members of §2.5', () => {
    const html = ld({
      name: 'Lucky Otter',
      legalName: 'Ottermoor Gaming  Limited',
      description: 'Runs a casino.',
      foundingDate: '2012-03-01',
      numberOfEmployees: { '@type': 'QuantitativeValue', value: 148 },
      address: {
        '@type': 'PostalAddress',
        addressLocality: 'Sliema',
        addressCountry: { '@type': 'Country', name: 'MT' },
        postalCode: 'SLM 9901',
      },
      sameAs: ['https://x.example/otter', 'https://mt.linkedin.com/company/ottermoor/about/'],
    })
    expect(membersOf(html)).toEqual({
      name: 'Ottermoor Gaming Limited',
      description: 'Runs a casino.',
      founded_year: 2012,
      employee_count: 148,
      headquarters: { city: 'Sliema', region: null, country: 'MT', postal_code: 'SLM 9901' },
      website: `https://${domain}/`,
      linkedin_url: 'https://www.linkedin.com/company/ottermoor',
    })
  })

  test.each([
    ['a range as text', '51-200', { company_size: [51, 200] }],
    ['a range of values', { minValue: 51, maxValue: 200 }, { company_size: [51, 200] }],
    ['a number as text', '12', { employee_count: 12 }],
    ['a range that falls', '200-51', {}],
    ['none at all', { value: 'many' }, {}],
    ['a negative number', -3, {}],
    ['no whole number', 2.5, {}],
  ])('an Organization of JSON-LD has a headcount of %s', (_title, numberOfEmployees, expected) => {
    const { website: _, ...members } = membersOf(ld({ numberOfEmployees }))
    expect(members).toEqual(expected)
  })

  test.each([
    ['another site', { name: 'Gamesoft', url: 'https://gamesoft.example/' }],
    ['nobody in particular', { name: 'Gamesoft', url: undefined }],
    ['another kind of thing', { '@type': 'Product', name: 'Gamesoft' }],
  ])('an Organization of JSON-LD of %s is left out', (_title, object) => {
    expect(membersOf(ld(object))).toEqual({})
  })

  test('an Organization of JSON-LD with values of the wrong kind gives no firmographics', () => {
    const html = ld({
      url: `https://${domain}/`,
      name: { '@value': 'x' },
      description: ['x'],
      foundingDate: '12 March',
      address: 'Main Street 1, Sliema',
      sameAs: { a: 1 },
    })
    expect(membersOf(html)).toEqual({ website: `https://${domain}/` })
  })
})

test('the imprint gives the name of the company, and the home page does not', () => {
  const html = '<main><h1>Imprint</h1><p>This website is operated by Ottermoor Gaming Ltd.</p></main>'
  expect(membersOf(html, 'imprint')).toEqual({ name: 'Ottermoor Gaming Ltd' })
  expect(membersOf(html)).toEqual({})
})

test('a linked company page is the profile of the site if it is the only linked one', () => {
  const link = (slug: string) => `<a href="https://www.linkedin.com/company/${slug}/">profile</a>`
  const person = '<a href="https://www.linkedin.com/in/jane-otter">Jane</a>'
  expect(membersOf(link('ottermoor') + link('ottermoor') + person)).toEqual({
    linkedin_url: 'https://www.linkedin.com/company/ottermoor',
  })
  expect(membersOf(link('ottermoor') + link('other'))).toEqual({})
})
