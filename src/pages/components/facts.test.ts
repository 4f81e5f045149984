import { expect, test } from 'vitest'
import { facts } from './index.ts'

/** Returns the text that a reader sees. */
const textOf = (value: unknown) =>
  facts(value)
    .text.replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

test('null is written as the meaning that it has for its member', () => {
  expect(textOf({ platform: 'Sandbag', to: null })).toBe('Platform Sandbag To still running')
  expect(textOf({ current: true, superseded_at: null })).toBe('Current yes Superseded no')
  expect(textOf({ last_confirmed_at: null })).toBe('Last confirmed never')
  expect(textOf({ constructor: null, country: null })).toBe('Not stated: Constructor, Country.')
  expect(textOf({ city: 'Sliema', region: null })).toBe('City Sliema Not stated: Region.')
  expect(textOf([{ from: '2026', to: null }])).toContain('still running')
})

test('markets, words of the API and units are written out', () => {
  expect(textOf({ jurisdiction: 'mga' })).toBe('Jurisdiction Malta')
  expect(textOf({ country: 'MT', country_code: 'x' })).toBe('Country Malta Country x')
  expect(textOf({ category: 'open_banking' })).toBe('Category open banking')
  expect(textOf({ company_name: 'a_b' })).toBe('Company name a_b')
  expect(textOf({ duration_ms: 1200, aaaa: [] })).toBe('Time taken 1,200 ms IPv6 addresses none')
  expect(textOf([{ payment_categories: ['local_apm'] }])).toContain('local method')
})

test('a day is shown as a day, and another time with its zone', () => {
  expect(facts('2026-03-01').text).toBe('<time datetime="2026-03-01">1 Mar 2026</time>')
  expect(facts('2026-03-01T00:00:00.000Z').text).toBe('<time datetime="2026-03-01">1 Mar 2026</time>')
  expect(textOf('2026-03-01T14:05:00Z')).toBe('1 Mar 2026, 14:05 UTC')
  expect(textOf('2026-13-45')).toBe('2026-13-45')
})

test('an observed time is shown as its day, and refs lead to pages', () => {
  expect(textOf({ first_seen_at: '2026-03-01T14:05:00Z' })).toBe('First seen 1 Mar 2026')
  expect(facts({ license_ref: 'lic_2KJibaagCuCQ3Bvpggtp', domain_ref: 'dom_1' }).text).toBe(
    '<dl class="facts"><div><dt>License</dt>' +
      '<dd><a href="/dashboard/licenses/lic_2KJibaagCuCQ3Bvpggtp">The license</a></dd></div></dl>',
  )
  expect(textOf({ founded_year: 2012, company_size: [51, 200] })).toBe(
    'Founded year 2012 Company size 51 to 200',
  )
})

test('web addresses are links without a referrer, and addresses of other schemes are text', () => {
  expect(facts('https://a.example/?a=1&b="x"').text).toBe(
    '<a href="https://a.example/?a=1&amp;b=&quot;x&quot;" rel="noreferrer noopener">' +
      'https://a.example/?a=1&amp;b=&quot;x&quot;</a>',
  )
  for (const address of ['javascript:alert(1)', 'data:text/html,x', ' https://a.example', '//a.example'])
    expect(facts(address).text).not.toContain('<a')
})
