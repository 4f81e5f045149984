import { expect, test } from 'vitest'
import type { View } from '../page.ts'
import { facts, forDevelopers } from './index.ts'

const domains = Array.from({ length: 10_000 }, (_, index) => ({ domain: `n${index}.example`, geo: null }))

test('a page shows the first 100 of 10,000 rows, and the number of all rows', () => {
  const { text } = facts({ domains, names: domains.map(each => each.domain) })
  expect(text.match(/<tr>/g)).toHaveLength(101)
  expect(text.match(/<li>/g)).toHaveLength(100)
  expect(text.match(/And 9,900 more\./g)).toHaveLength(2)
})

test('a page omits an answer that is too long, and shows the command that prints it', () => {
  const view = { baseUrl: 'http://baize.test' } as View
  const { text } = forDevelopers(view, { path: '/v1/x', query: { q: "it's" }, response: { domains } })
  expect(text.length).toBeLessThan(60_000)
  expect(text).toContain('too many for a page')
  expect(text).toContain('q=it%27s')
})

test('lists of words, and of records with a domain, are written in the cell of a table', () => {
  const { text } = facts([
    { license: '7', brands: ['A', 'B'], domains: [{ domain: 'a.example', geo: 'MT' }] },
  ])
  expect(text).toContain('<ul class="words"><li>A</li><li>B</li></ul>')
  expect(text).toContain('<li><a href="/dashboard/domains/a.example">a.example</a></li>')
  expect(text).not.toContain('class="facts"')
})
