import { dayFirstDate, firstDateInProse, isoInstant, localInstant } from '../register-dates.ts'
import type { DateField, DateForm } from './description-schema.ts'

/**
 * A cell as an ISO 8601 instant: the first of the forms that reads it; null where none does. A sheet's own dates come as
 * ISO whatever form its texts have.
 */
export function readDate(
  text: string,
  { date_forms, time_zone }: Pick<DateField, 'date_forms' | 'time_zone'>,
): string | null {
  for (const form of date_forms) {
    const instant = readers[form](text.trim(), time_zone ?? 'UTC')
    if (instant !== null) return instant
  }
  return sheetDate.test(text) ? isoInstant(text) : null
}

/** As read-xlsx.ts writes them. */
const sheetDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const readers: Record<DateForm, (text: string, timeZone: string) => string | null> = {
  'd.m.yyyy': text => (text.includes('/') ? null : dayFirstDate(text)),
  'd/m/yyyy': text => (text.includes('.') ? null : dayFirstDate(text)),
  'm/d/yyyy': monthFirstDate,
  iso: isoInstant,
  prose: firstDateInProse,
  local: localInstant,
}

function monthFirstDate(text: string): string | null {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  return match === null ? null : dayFirstDate(`${match[2]}/${match[1]}/${match[3]}`)
}
