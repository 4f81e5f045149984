import { expect, test } from 'vitest'
import { fixture, gather, rejectTexts } from '../fixture.ts'
import { italyBlocklist } from './italy-blocklist.ts'

test('a hosts file is read without addresses, comments and blank lines', async () => {
  const list = await gather(italyBlocklist.read([fixture(new URL('fixtures/hosts.txt', import.meta.url))]))
  expect(list.blocklist_entry.map(row => [row.published, row.domain])).toEqual([
    ['lucky-otter.example', 'lucky-otter.example'],
    ['www.golden-heron.example', 'golden-heron.example'],
    ['Casino.Red-Fox.example', 'red-fox.example'],
  ])
  expect(rejectTexts(list.reject)).toEqual(['bare_suffix localhost'])
  expect(list.reject[0]?.line).toBe(6)
})
