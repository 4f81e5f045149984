import { readFileSync } from 'node:fs'
import { fileOfBytes } from '@baize/tables'
import { describe, expect, test } from 'vitest'
import { fixture, gather, rejectTexts } from '../../test/gather.ts'
import { readCzechBlocklist } from './read-blocklist.ts'

const place = (name: string) => new URL(`fixtures/${name}`, import.meta.url)
const read = (name: string) => gather(readCzechBlocklist([fixture(place(name))]))
const cp1250Letters = new TextDecoder('windows-1250').decode(
  Uint8Array.from({ length: 256 }, (_, byte) => byte),
)
const cp1250 = (letter: string) => cp1250Letters.indexOf(letter)
const older = await read('site-and-account.csv')
const newer = await read('one-object.csv')

test('a row of the older layout has a site and an account, each with its own dates', () => {
  expect(older.blocklist_entry.slice(0, 2)).toEqual([
    {
      record: 'blocklist_entry',
      recordKey: 'site:lucky-otter.example@2017-07-26',
      published: 'lucky-otter.example',
      scope: 'domain',
      domain: 'lucky-otter.example',
      listedAs: 'lucky-otter.example',
      listedAt: '2017-07-26T00:00:00.000Z',
      delistedAt: '2023-01-04T00:00:00.000Z',
      listed: false,
    },
    {
      record: 'blocklist_entry',
      recordKey: 'account:1234567/0800@2017-07-26',
      published: '1234567/0800',
      scope: 'payment_account',
      domain: null,
      listedAs: null,
      listedAt: '2017-07-26T00:00:00.000Z',
      delistedAt: '2021-04-28T00:00:00.000Z',
      listed: false,
    },
  ])
})

describe('both layouts of the Czech blocklist', () => {
  test('a blocked object has the same key in both layouts', () => {
    const keys = (of: typeof older) => of.blocklist_entry.map(row => row.recordKey)
    expect(keys(newer)).toEqual(expect.arrayContaining(keys(older)))
  })

  test('a second row of a site that is still listed is a duplicate', () => {
    expect(rejectTexts(older.reject)).toEqual(['duplicate red-fox.example'])
  })

  test('the earliest listed row of a site wins in any order of the rows', async () => {
    const header =
      'Objekt blokace;Adresa internetové stránky;Název aplikace;Identifikátor aplikace;Jedinečný identifikátor platebního účtu;Důvody zápisu na Seznam;Datum zápisu a zveřejnění na Seznamu;Datum výmazu a zveřejnění na Seznamu'
    const row = (listed: string, deleted: string) => `internetová stránka;a.example;;;;;${listed};${deleted}`
    const rows = [
      row('2.2.2022', ''),
      row('1.1.2021', ''),
      row('1.1.2021', '5.5.2021'),
      row('1.1.2019', '4.4.2019'),
      row('1.1.2019', '3.3.2019'),
    ]
    for (const order of [rows, rows.toReversed()]) {
      const bytes = Buffer.from([...[header, ...order].join('\n')].map(letter => cp1250(letter)))
      const { blocklist_entry } = await gather(readCzechBlocklist([fileOfBytes('list.csv', bytes)]))
      const found = blocklist_entry.map(each => [
        each.recordKey.slice(-10),
        each.delistedAt?.slice(0, 10) ?? null,
      ])
      expect(found.toSorted()).toEqual([
        ['2019-01-01', '2019-03-03'],
        ['2021-01-01', null],
      ])
    }
  })

  test('a site listed again after its deletion is a new record', () => {
    const rows = newer.blocklist_entry.filter(row => row.domain === 'lucky-otter.example')
    expect(rows.map(row => [row.recordKey.slice(-10), row.listed])).toEqual([
      ['2017-07-26', false],
      ['2025-02-03', true],
    ])
  })
})

test('sites, pages, apps and accounts have different scopes', () => {
  const rows = newer.blocklist_entry.slice(-3).map(row => [row.scope, row.domain, row.published])
  expect(rows).toEqual([
    ['domain', 'xn--erven-lika-w4a63cq9a.example', 'červená-liška.example'],
    ['path', 'news.example', 'news.example/casino/cz'],
    ['app', null, 'abcdefgh; otter-app.example'],
  ])
})

test('an unreadable date or an unknown kind of object is rejected', () => {
  expect(newer.reject.map(row => row.reason)).toEqual(['bad_date', 'bad_date', 'unknown_kind'])
})

describe('downloads that are not the list', () => {
  test('a download in another encoding is refused by its header', async () => {
    const utf8 = new TextDecoder('windows-1250').decode(readFileSync(place('one-object.csv')))
    const reading = gather(readCzechBlocklist([fileOfBytes('list.csv', utf8)]))
    await expect(reading).rejects.toThrow(/expected the columns \[Adresa Internetové stránky .* found \[/)
  })

  test('a download of two files or of none is refused', async () => {
    const file = fixture(place('one-object.csv'))
    await expect(gather(readCzechBlocklist([]))).rejects.toThrow('expected one file, found 0')
    await expect(gather(readCzechBlocklist([file, file]))).rejects.toThrow('expected one file, found 2')
  })
})
