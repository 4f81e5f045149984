import { fileOfBytes } from '@baize/tables'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixture, gather, rejectTexts } from '../../test/gather.ts'
import { readUkraineSites } from './read-sites.ts'

const read = (name: string) =>
  gather(readUkraineSites([fixture(new URL(`fixtures/${name}`, import.meta.url))]))
const sites = await read('without-final-url.csv')

describe('the status column', () => {
  test('a legal site is authorised without a license, and a cancelled site is not', () => {
    const rows = sites.authorisation.map(row => [row.domain, row.status, row.counts, row.licenseKey])
    expect(rows).toEqual([
      ['golden-heron.example', 'active', true, null],
      ['old-heron.example', 'cancelled', false, null],
      ['both-ways.example', 'active', true, null],
    ])
  })

  test('blocked sites are entries with the scope of their address', () => {
    const rows = sites.blocklist_entry
      .filter(row => row.listed)
      .map(row => [row.recordKey, row.scope, row.domain])
    expect(rows).toEqual([
      ['blocked:lucky-otter1.example', 'domain', 'lucky-otter1.example'],
      ['blocked:fresh-fox.example', 'domain', 'fresh-fox.example'],
      ['blocked:silver-carp.example/promo', 'path', 'silver-carp.example'],
      ['blocked:t.me/silver_carp', 'shared_host', null],
      ['blocked:twice-seen.example', 'domain', 'twice-seen.example'],
      ['blocked:both-ways.example', 'domain', 'both-ways.example'],
    ])
  })

  test('a cancelled block is stored as an inactive entry', () => {
    const rows = sites.blocklist_entry.filter(row => !row.listed).map(row => row.recordKey)
    expect(rows).toEqual(['blocked:pardoned-owl.example'])
  })

  test('undecided, unknown and repeated rows are rejected with a reason', () => {
    expect(rejectTexts(sites.reject)).toEqual([
      'undecided coming-crane.example',
      'unknown_status odd-bird.example',
      'unknown_suffix cut-off.comua',
      'duplicate https://Lucky-Otter1.example/',
      'duplicate twice-seen.example',
    ])
  })
})

test('a repeated site is blocked since the earlier day, in any order of rows', async () => {
  const rows = [
    'a.example,Анульовано,від 01.01.2025 №3,від 02.02.2025 №4,2026',
    'a.example,Заблокований,від 25.12.2025 №1,,2026',
    'a.example,Заблокований,,,2026',
    'a.example,Заблокований,від 22.08.2025 №2,,2026',
  ]
  for (const order of [rows, rows.toReversed()]) {
    const csv = ['Домен,Статус,Рішення ПлейСіті,Рішення НКЕК,Останнє оновлення', ...order].join('\n')
    const list = await gather(readUkraineSites([fileOfBytes('x.csv', csv)]))
    expect(list.blocklist_entry.map(row => [row.listed, row.listedAt?.slice(0, 10)])).toEqual([
      [true, '2025-08-22'],
    ])
    expect(list.reject).toHaveLength(3)
  }
})

test('the listing date is the first date in the agency’s text', () => {
  const dates = sites.blocklist_entry.map(row => row.listedAt?.slice(0, 10))
  expect(dates.slice(0, 3)).toEqual(['2025-08-22', '2025-12-25', '2026-07-13'])
})

test.each([
  [
    'of several decisions the earliest',
    'від 12.05.2026 №182-Р та від 06.05.2026 №173-Р',
    'від 13.05.2026',
    '2026-05-06',
  ],
  [
    'that of the order, where the decision is dated behind it',
    'від 03.09.2026 №77-Р',
    'від 10.09.2025 №547',
    '2025-09-10',
  ],
  ['that of the order, where there is no other', '', 'від 10.09.2025 №547', '2025-09-10'],
])('the listing date of a Ukrainian site is %s', async (_what, decision, order, day) => {
  const csv = `Домен,Статус,Рішення ПлейСіті,Рішення НКЕК,Останнє оновлення\na.example,Заблокований,${decision},${order},2026`
  const list = await gather(readUkraineSites([fileOfBytes('x.csv', csv)]))
  expect(list.blocklist_entry.map(row => row.listedAt)).toEqual([`${day}T00:00:00.000Z`])
})

test('a missing column of redirect targets changes no record key', async () => {
  const earlier = await read('with-final-url.csv')
  expect(earlier.authorisation[0]?.recordKey).toBe(sites.authorisation[0]?.recordKey)
  expect(earlier.blocklist_entry[0]?.recordKey).toBe(sites.blocklist_entry[0]?.recordKey)
  expect(earlier.notice).toEqual([])
})

test('every published row becomes one record or one reject', async () => {
  const host = fc.constantFrom('a.example', 'A.example', 'b.example/x', 't.me/x', 'www', '', '1.2.3.4')
  const status = fc.constantFrom('Легальний', 'Заблокований', 'Анульовано', 'Перевірка', 'Опрацювання', '?')
  const order = fc.constantFrom('', 'від 27.08.2025 №523', 'від 22.08.2025 №71-Р')
  const row = fc.tuple(host, status, fc.constant('від 22.08.2025 №71-Р'), order, fc.constant('2026-01-01'))
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1 }), async rows => {
      const header = 'Домен,Статус,Рішення ПлейСіті,Рішення НКЕК,Останнє оновлення'
      const csv = [header, ...rows.map(cells => cells.join(','))].join('\n')
      const { authorisation, blocklist_entry, reject } = await gather(
        readUkraineSites([fileOfBytes('x.csv', csv)]),
      )
      const keys = [...authorisation, ...blocklist_entry].map(each => each.recordKey)
      expect(keys.length + reject.length).toBe(rows.length)
      expect(new Set(keys).size).toBe(keys.length)
    }),
    { numRuns: 50 },
  )
})
