import { expect, test } from 'vitest'
import { pageSource } from './fixture.ts'
import { readPage } from './read-page.ts'
import { ownDomainsOf, readPageInThread } from './read-page-in-thread.ts'

test('a page is read in a thread as in the process', async () => {
  const source = pageSource('<title>Lucky Otter</title><p>Visa')
  expect(await readPageInThread(source, 'luckyotter.example')).toEqual(
    readPage({ source, domain: 'luckyotter.example', pageType: null }),
  )
})

test('domains of suppliers and content networks are not a site’s own', async () => {
  const domains = ['luckyotter-sister.example', 'evolution.com', 'cloudfront.net']
  expect(await ownDomainsOf(domains)).toEqual(['luckyotter-sister.example'])
})
