import { fileOfBytes } from '@baize/tables'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Stream } from '../stream.ts'
import { findStream } from '../streams.ts'
import { fixture, gather, rejectTexts } from './gather.ts'

/** The first stream reads an official list, the second one a mirror's list of a page. */
const { read: readBlocklist } = findStream('romania.blocklist') as Stream
const { read: readAuthorisedSites } = findStream('us_new_jersey.sites') as Stream

const place = (name: string) => new URL(`fixtures/${name}`, import.meta.url)

test('a blocklist stores each printed host once, with its scope', async () => {
  const list = await gather(readBlocklist([fixture(place('host-blocklist.txt'))]))
  expect(list.blocklist_entry.map(row => [row.recordKey, row.scope, row.domain])).toEqual([
    ['lucky-otter.example', 'domain', 'lucky-otter.example'],
    ['golden-heron.example', 'domain', 'golden-heron.example'],
    ['www.golden-heron.example', 'domain', 'golden-heron.example'],
    ['red-fox.example', 'domain', 'red-fox.example'],
    ['lobby.red-fox.example/lobby', 'path', 'red-fox.example'],
    ['facebook.com/otter.casino', 'shared_host', null],
    ['buttercup.wordpress.com', 'shared_host', null],
  ])
  expect(rejectTexts(list.reject)).toEqual([
    'duplicate golden-heron.example.',
    'no_dot www',
    'ip_address 184.168.126.69',
  ])
})

test('an authorised list licenses the site of each page, and never a shared host', async () => {
  const list = await gather(readAuthorisedSites([fixture(place('host-sites.txt'))]))
  expect(list.authorisation.map(row => [row.recordKey, row.domain, row.counts, row.status])).toEqual([
    ['lucky-otter.example', 'lucky-otter.example', true, null],
    ['nj.golden-heron.example', 'golden-heron.example', true, null],
    ['red-fox.example', 'red-fox.example', true, null],
  ])
  expect(rejectTexts(list.reject)).toEqual([
    'duplicate nj.golden-heron.example/?page=casino',
    'duplicate red-fox.example/',
    'shared_host play.google.com/store/apps/details?id=example.otter',
    'not_a_domain App: Otter',
  ])
})

test('every row of a host list becomes one record or one reject, with unique keys', async () => {
  const line = fc.oneof(
    fc.domain(),
    fc.webUrl(),
    fc.constantFrom('a.example', 'A.example/', 'www', 't.me/x', '0.0.0.0 b.example'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1 }), async lines => {
      for (const read of [readBlocklist, readAuthorisedSites]) {
        const { blocklist_entry, authorisation, reject } = await gather(
          read([fileOfBytes('list.txt', lines.join('\n'))]),
        )
        const keys = [...blocklist_entry, ...authorisation].map(row => row.recordKey)
        expect(keys.length + reject.length).toBe(lines.length)
        expect(new Set(keys).size).toBe(keys.length)
      }
    }),
    { numRuns: 50 },
  )
})

describe('lists without rows', () => {
  test.each([
    ['a stamp alone', '20260401 13:06\n'],
    ['comments alone', '# nothing today\n'],
  ])('a list without rows is refused: %s', async (_what, content) => {
    await expect(gather(readBlocklist([fileOfBytes('list.txt', content)]))).rejects.toThrow(
      '"list.txt" has no rows',
    )
  })
})

test('a hosts file is read without addresses, comments and blank lines', async () => {
  const list = await gather(readBlocklist([fixture(place('hosts-file.txt'))]))
  expect(list.blocklist_entry.map(row => [row.published, row.domain])).toEqual([
    ['lucky-otter.example', 'lucky-otter.example'],
    ['www.golden-heron.example', 'golden-heron.example'],
    ['Casino.Red-Fox.example', 'red-fox.example'],
  ])
  expect(rejectTexts(list.reject)).toEqual(['no_dot localhost'])
  expect(list.reject[0]?.line).toBe(6)
})
