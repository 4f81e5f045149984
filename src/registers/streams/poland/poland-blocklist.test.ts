import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { syncRegister } from '../../apply/sync-register.ts'
import { day, openTestWorld, type TestWorld } from '../../fixture.ts'
import { fileOfBytes } from '../../source/file-of-bytes.ts'
import { fixture, gather, rejectTexts } from '../fixture.ts'
import { polandBlocklist } from './poland-blocklist.ts'

const place = new URL('fixtures/register.xml', import.meta.url)
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

test('a name listed again is a new record', () => {
  expect(register.blocklist_entry.map(row => row.recordKey)).toEqual([
    'www.lucky-otter.example@2026-07-02T09:32:03.000Z',
    'xn--zota-czapla-t5b.example@2026-01-01T23:30:00.000Z',
    'www.lucky-otter.example@2025-03-01T09:00:00.000Z',
  ])
})

test('unreadable rows are rejected, unknown elements are reported', () => {
  expect(rejectTexts(register.reject)).toEqual(['not_a_domain kasyno & bar', 'bad_date red-fox.example'])
  expect(register.notice.map(each => each.published)).toEqual(['Podstawa'])
})

describe('an incomplete file is refused', () => {
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
  ])('%s', async (_what, content, message) => {
    await expect(gather(polandBlocklist.read([fileOfBytes('register.xml', content)]))).rejects.toThrow(
      message,
    )
  })
})

test('a plain list of hosts is read too, without dates', async () => {
  const list = await gather(polandBlocklist.read([fileOfBytes('hosts.txt', 'a.example\nb.example\n')]))
  expect(list.blocklist_entry.map(row => [row.domain, row.listedAt])).toEqual([
    ['a.example', null],
    ['b.example', null],
  ])
})

describe('an entry printed with and without a deletion', () => {
  let testWorld: TestWorld
  beforeAll(async () => {
    testWorld = await openTestWorld()
  })
  afterAll(() => testWorld.close())

  test('blocks, in any order', async () => {
    const position = (deletion: string) =>
      `<PozycjaRejestru><AdresDomeny>a.example</AdresDomeny><DataWpisu>2026-01-02T10:00:00</DataWpisu>${deletion}</PozycjaRejestru>`
    const positions = [
      position('<DataWykreslenia>2026-01-03T10:00:00</DataWykreslenia>'),
      position(''),
      position('<DataWykreslenia>2026-01-04T10:00:00</DataWykreslenia>'),
    ]
    for (const [index, order] of [positions, positions.toReversed()].entries()) {
      const file = fileOfBytes('register.xml', `<Rejestr>${order.join('')}</Rejestr>`)
      const at = { takenAt: day(10 + index), now: day(10 + index) }
      const report = await syncRegister(testWorld.world, polandBlocklist, [file], at)
      expect(report).toMatchObject({ added: index === 0 ? 1 : 0, removed: 0, changed: 0, reasons: [] })
      expect(await testWorld.verdictOf('a.example')).toContain('blocklisted')
    }
  })
})
