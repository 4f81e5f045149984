import type { DateField, DateForm } from '../description/shapes.ts'
import { dayFirstDate, firstDateInProse, isoInstant, localInstant, printedDay } from './printed-dates.ts'

type Forms = Pick<DateField, 'date_forms' | 'time_zone'>

/**
 * Reads a cell in the first matching form; null if none matches. Date cells of a sheet are always accepted.
 */
export function readDate(text: string, forms: Forms): string | null {
  return readInForm(text, forms)?.instant ?? null
}

/** Reads the printed day and ignores time and zone, because licenses store days. */
export function readDay(text: string, forms: Forms): string | null {
  const read = readInForm(text, forms)
  if (read === null) return null
  return read.form === 'iso' || read.form === 'local' ? printedDay(text) : read.instant
}

function readInForm(
  text: string,
  { date_forms, time_zone }: Forms,
): { form: DateForm; instant: string } | null {
  for (const form of date_forms) {
    const instant = readers[form](text.trim(), time_zone ?? 'UTC')
    if (instant !== null) return { form, instant }
  }
  const instant = sheetDate.test(text) ? isoInstant(text) : null
  return instant === null ? null : { form: 'iso', instant }
}

/** Matches dates that read-xlsx.ts writes. */
const sheetDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const readers: Record<DateForm, (text: string, timeZone: string) => string | null> = {
  'd.m.yyyy': text => (text.includes('/') ? null : dayFirstDate(text.replaceAll('. ', '.'))),
  'd/m/yyyy': text => (text.includes('.') ? null : dayFirstDate(text)),
  'm/d/yyyy': text => reordered(/^(?<m>\d{1,2})\/(?<d>\d{1,2})\/(?<y>\d{4})$/.exec(text)),
  'd-m-yyyy': text => reordered(/^(?<d>\d{1,2})-(?<m>\d{1,2})-(?<y>\d{4})$/.exec(text)),
  'yyyy.m.d': text => reordered(/^(?<y>\d{4})\. ?(?<m>\d{1,2})\. ?(?<d>\d{1,2})\.?$/.exec(text)),
  'd month yyyy': writtenDate,
  iso: isoInstant,
  prose: firstDateInProse,
  local: localInstant,
}

function reordered(match: RegExpExecArray | null): string | null {
  const { d, m, y } = match?.groups ?? {}
  return match === null ? null : dayFirstDate(`${d}/${m}/${y}`)
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
/** Dutch names of months that begin differently. */
const dutch: Readonly<Record<string, string>> = { maa: 'mar', mrt: 'mar', mei: 'may', okt: 'oct' }

/** Reads English and Dutch dates: `8 May 2025`, `8th May 2025`, `May 8, 2025`, `8-May-2025`, `8 mei 2025`. */
function writtenDate(text: string): string | null {
  const match =
    /^(?<d>\d{1,2})(?:st|nd|rd|th)?[ -](?<name>[a-z]{3,9})\.?,?[ -](?<y>\d{4})$/i.exec(text) ??
    /^(?<name>[a-z]{3,9})\.? (?<d>\d{1,2})(?:st|nd|rd|th)?,? (?<y>\d{4})$/i.exec(text)
  const { d, name = '', y } = match?.groups ?? {}
  const beginning = name.slice(0, 3).toLowerCase()
  const month = months.indexOf(dutch[beginning] ?? beginning) + 1
  return month === 0 ? null : dayFirstDate(`${d}/${month}/${y}`)
}
