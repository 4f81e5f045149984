import { expect, test } from 'vitest'
import type { DateForm } from '../description/shapes.ts'
import { readDate, readDay } from './read-date.ts'

const dates = [
  ['03.04.2026', ['d.m.yyyy'], '2026-04-03T00:00:00.000Z'],
  ['7. 7. 2025', ['d.m.yyyy'], '2025-07-07T00:00:00.000Z'],
  ['03/04/2026', ['d.m.yyyy'], null],
  ['03/04/2026', ['d.m.yyyy', 'd/m/yyyy'], '2026-04-03T00:00:00.000Z'],
  ['03/04/2026', ['m/d/yyyy'], '2026-03-04T00:00:00.000Z'],
  ['31/04/2026', ['d/m/yyyy'], null],
  ['2026-04-03', ['iso'], '2026-04-03T00:00:00.000Z'],
  ['2026-04-03', ['d.m.yyyy'], null],
  ['2026-04-03T00:00:00.000Z', ['d.m.yyyy'], '2026-04-03T00:00:00.000Z'],
  ['2026-07-02T11:32:03', ['local'], '2026-07-02T09:32:03.000Z'],
  ['decided on 3.4.2026 and 5.6.2026', ['prose'], '2026-04-03T00:00:00.000Z'],
] as const

const licenseDays = [
  ['2026-10-02T00:00', ['local'], '2026-10-02'],
  ['2026-10-02 23:59:59', ['local'], '2026-10-02'],
  ['2026-10-02T00:00:00+02:00', ['iso'], '2026-10-02'],
  ['2026-10-02T23:30:00-05:00', ['local', 'iso'], '2026-10-02'],
  ['2026-10-02', ['local', 'iso'], '2026-10-02'],
  ['2026-10-02T00:00:00.000Z', ['d.m.yyyy'], '2026-10-02'],
  ['2.10.2026', ['d.m.yyyy'], '2026-10-02'],
  ['2025-01-01: in force since 2.10.2026', ['prose'], '2026-10-02'],
] as const

const formsOf = (forms: readonly DateForm[]) => ({ date_forms: [...forms], time_zone: 'Europe/Warsaw' })

test('a date is read in the first form that matches', () => {
  expect(dates.map(([text, forms]) => [text, forms, readDate(text, formsOf(forms))])).toEqual(dates)
})

test('the date of a license is the printed day, without time and zone', () => {
  const read = licenseDays.map(([text, forms]) => [text, forms, readDay(text, formsOf(forms))?.slice(0, 10)])
  expect(read).toEqual(licenseDays)
})

test.each([
  ['d-m-yyyy', '8-5-2025', '2025-05-08'],
  ['d-m-yyyy', '2025-05-08', null],
  ['yyyy.m.d', '2025. 05. 08.', '2025-05-08'],
  ['yyyy.m.d', '2025.5.8', '2025-05-08'],
  ['d month yyyy', '8 May 2025', '2025-05-08'],
  ['d month yyyy', '1st September, 2025', '2025-09-01'],
  ['d month yyyy', 'Sept. 1, 2025', '2025-09-01'],
  ['d month yyyy', '01 oktober 2026', '2026-10-01'],
  ['d month yyyy', '8 mei 2025', '2025-05-08'],
  ['d month yyyy', '3 maart 2025', '2025-03-03'],
  ['d month yyyy', '8-May-2025', '2025-05-08'],
  ['d month yyyy', '31 April 2025', null],
  ['d month yyyy', '8 Smarch 2025', null],
  ['m/d/yyyy', '5/8/2025', '2025-05-08'],
] as const)('the date form %s reads the text %j', (form, printed, day) => {
  expect(readDate(printed, { date_forms: [form] })?.slice(0, 10) ?? null).toBe(day)
})
