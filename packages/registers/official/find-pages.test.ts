import { expect, test } from 'vitest'
import { findPages } from './find-pages.ts'
import { Unresolved } from './unresolved.ts'

const url = 'https://regulator.example/operators?lang=en'
const links = (...hrefs: string[]) =>
  `<html><body>${hrefs.map(href => `<a href="${href}">·</a>`).join('')}</body></html>`

test.each([
  ['counted from 0', ['?lang=en&page=0', '?page=1', '?page=2', '/operators?page=3'], ['1', '2', '3']],
  ['counted from 1', ['?page=2', '?page=4'], ['2', '3', '4']],
  ['of other lists, and no numbers', ['/news?page=9', '?page=last', 'mailto:a@b.example', '#page=4'], []],
])('links to pages that are %s give the expected pages of a list', (_what, hrefs, numbers) => {
  expect(findPages({ url, html: links(...hrefs) }, { parameter: 'page' })).toEqual([
    url,
    ...numbers.map(number => `${url}&page=${number}`),
  ])
})

test('pages are found by links that print the parameter under another name', () => {
  const choice = { parameter: 'portlet_page', link_parameter: 'page' }
  expect(findPages({ url, html: links('?page=2', '?portlet_page=9') }, choice)).toEqual([
    url,
    `${url}&portlet_page=2`,
  ])
})

test('a list with endless pages is refused', () => {
  expect(() => findPages({ url, html: links('?page=1', '?page=9999') }, { parameter: 'page' })).toThrow(
    Unresolved,
  )
})
