import { expect, test } from 'vitest'
import {
  dayFirstDate,
  earliestDateInProse,
  firstDateInProse,
  isoInstant,
  localInstant,
} from './printed-dates.ts'

test('dayFirstDate reads only days of the calendar', () => {
  const rows = [
    ['26.07.2017', '2017-07-26T00:00:00.000Z'],
    ['6.7.2017', '2017-07-06T00:00:00.000Z'],
    [' 26/07/2017 ', '2017-07-26T00:00:00.000Z'],
    ['29.02.2024', '2024-02-29T00:00:00.000Z'],
    ['29.02.2023', null],
    ['31.04.2020', null],
    ['07.26.2017', null],
    ['26.07.17', null],
    ['26.07.0217', null],
    ['', null],
  ] as const
  expect(rows.map(([text]) => [text, dayFirstDate(text)])).toEqual(rows)
})

test.each([
  ['від 03.04.2026 №99-Р та від 22.08.2025', '2026-04-03T00:00:00.000Z'],
  ['рішення 99.99.2025, потім 22.08.2025', '2025-08-22T00:00:00.000Z'],
  ['рішення № 12.34', null],
])('the first date in the text %j is %s', (text, expected) => expect(firstDateInProse(text)).toBe(expected))

test.each([
  [['від 12.05.2026 №182-Р та від 06.05.2026', 'від 08.05.2026'], '2026-05-06T00:00:00.000Z'],
  [['99.99.2025', 'від 22.08.2025'], '2025-08-22T00:00:00.000Z'],
  [['', 'рішення № 12.34'], null],
])('the earliest day in %j is %s', (texts, expected) => expect(earliestDateInProse(...texts)).toBe(expected))

test.each([
  ['2026-08-11T00:00:00.000Z', '2026-08-11T00:00:00.000Z'],
  ['2026-08-11', '2026-08-11T00:00:00.000Z'],
  ['2026-08-11T02:00:00+02:00', '2026-08-11T00:00:00.000Z'],
  ['2026-02-30T00:00:00Z', null],
  ['2026-08-11T00:00:00', null],
  ['soon', null],
])('the text %j is read as the instant %s', (text, expected) => expect(isoInstant(text)).toBe(expected))

test('localInstant converts local times of Warsaw', () => {
  const rows = [
    ['in summer', '2026-07-02T11:32:03', '2026-07-02T09:32:03.000Z'],
    ['in winter', '2026-01-02T00:30:00', '2026-01-01T23:30:00.000Z'],
    ['the last hour before summer', '2026-03-29T01:59:59', '2026-03-29T00:59:59.000Z'],
    ['in the hour that is skipped in spring', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
    ['the first hour of summer', '2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
    [
      'in the hour that is repeated in autumn, the first one',
      '2026-10-25T02:30:00',
      '2026-10-25T00:30:00.000Z',
    ],
    ['after it', '2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
    ['with a fraction of a second', '2026-07-02T11:32:03.123', '2026-07-02T09:32:03.000Z'],
    ['not a time', '2026-07-02T24:10:00', null],
    ['not a day', '2026-02-30T10:00:00', null],
    ['empty', '', null],
  ] as const
  expect(rows.map(([when, text]) => [when, text, localInstant(text, 'Europe/Warsaw')])).toEqual(rows)
})
