import { expect, test } from 'vitest'
import { pageSource } from './fixture.ts'
import { readPage } from './read-page.ts'
import { openPageReader } from './read-page-in-thread.ts'

test('a page is read in a thread with the same result as in the process', async () => {
  const source = pageSource('<title>Lucky Otter</title><p>Visa')
  expect(await openPageReader().readPage(source, 'luckyotter.example')).toEqual(
    readPage({ source, domain: 'luckyotter.example', pageType: null }),
  )
})

test('a home page that is read twice, for links and for findings, is parsed once', () => {
  const reader = openPageReader()
  const source = pageSource('<title>Lucky Otter</title>')
  const again = { ...source, headers: { ...source.headers } }
  expect(reader.readPage(again, 'luckyotter.example')).toBe(reader.readPage(source, 'luckyotter.example'))
})

test('ownDomainsOf removes the domains of suppliers and content networks', async () => {
  const domains = ['luckyotter-sister.example', 'evolution.com', 'cloudfront.net']
  expect(await openPageReader().ownDomainsOf(domains)).toEqual(['luckyotter-sister.example'])
})
