import { expect, test } from 'vitest'
import type { DateForm } from './description-schema.ts'
import { readDate, readDay } from './read-date.ts'

const dates = [
  ['03.04.2026', ['d.m.yyyy'], '2026-04-03T00:00:00.000Z'],
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

test('a date is read by the first form that matches', () => {
  expect(dates.map(([text, forms]) => [text, forms, readDate(text, formsOf(forms))])).toEqual(dates)
})

test('a license stores the printed day, without time and zone', () => {
  const read = licenseDays.map(([text, forms]) => [text, forms, readDay(text, formsOf(forms))?.slice(0, 10)])
  expect(read).toEqual(licenseDays)
})
