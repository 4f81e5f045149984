import { readFileSync } from 'node:fs'
import { fileOfBytes } from '@baize/tables'
import { describe, expect, test } from 'vitest'
import type { Stream } from '../stream.ts'
import { findStream } from '../streams.ts'
import { fixture, gather, rejectTexts } from './gather.ts'

const polandBlocklist = findStream('poland.blocklist') as Stream
const place = new URL('fixtures/polish-register.xml', import.meta.url)
const register = await gather(polandBlocklist.read([fixture(place)]))

test('Warsaw times become instants, and a deletion time ends the listing', () => {
  expect(
    register.blocklist_entry.map(row => [row.published, row.listedAt, row.delistedAt, row.listed]),
  ).toEqual([
    ['www.lucky-otter.example', '2026-07-02T09:32:03.000Z', null, true],
    ['złota-czapla.example', '2026-01-01T23:30:00.000Z', null, true],
    ['www.lucky-otter.example', '2025-03-01T09:00:00.000Z', '2025-06-01T13:00:00.000Z', false],
  ])
})

test('a Polish name that is listed again is a new record', () => {
  expect(register.blocklist_entry.map(row => row.recordKey)).toEqual([
    'www.lucky-otter.example@2026-07-02T09:32:03.000Z',
    'xn--zota-czapla-t5b.example@2026-01-01T23:30:00.000Z',
    'www.lucky-otter.example@2025-03-01T09:00:00.000Z',
  ])
})

test('unreadable Polish rows are rejected, and unknown elements are reported', () => {
  expect(rejectTexts(register.reject)).toEqual(['not_a_domain kasyno & bar', 'bad_date wczoraj'])
  expect(register.notice.map(each => each.published)).toEqual(['Podstawa'])
})

describe('incomplete files of Poland', () => {
  const whole = readFileSync(place, 'utf8')
  test.each([
    [
      'cut off between positions',
      whole.slice(0, whole.indexOf('<PozycjaRejestru Lp="3"')),
      /not complete XML/,
    ],
    ['cut off inside one', whole.slice(0, 400), /not complete XML/],
    [
      'of another kind',
      '<Rejestry><Pozycja/></Rejestry>',
      /expected the root element "Rejestr", found "Rejestry"/,
    ],
    ['an error page', '<!doctype html><html></html>', /HTML page/],
  ])('an incomplete file of Poland is refused: %s', async (_what, content, message) => {
    await expect(gather(polandBlocklist.read([fileOfBytes('register.xml', content)]))).rejects.toThrow(
      message,
    )
  })
})

test('a plain list of Polish hosts is read without dates', async () => {
  const list = await gather(polandBlocklist.read([fileOfBytes('hosts.txt', 'a.example\nb.example\n')]))
  expect(list.blocklist_entry.map(row => [row.domain, row.listedAt])).toEqual([
    ['a.example', null],
    ['b.example', null],
  ])
})
