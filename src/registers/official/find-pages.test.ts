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
])('finds all pages of a list %s', (_what, hrefs, numbers) => {
  expect(findPages({ url, html: links(...hrefs) }, 'page')).toEqual([
    url,
    ...numbers.map(number => `${url}&page=${number}`),
  ])
})

test('a pager without end is refused', () => {
  expect(() => findPages({ url, html: links('?page=1', '?page=9999') }, 'page')).toThrow(Unresolved)
})
