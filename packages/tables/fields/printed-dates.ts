/**
 * Reads published dates as ISO 8601 instants. A day becomes midnight UTC; a local time is converted from
 * its zone.
 */

/** Dates outside of these years are treated as typing errors. */
const yearMin = 1990
const yearMax = 2100

/** Reads `26.07.2017`, `6.7.2017` or `26/07/2017` as `2017-07-26T00:00:00.000Z`; null for other texts. */
export function dayFirstDate(text: string): string | null {
  const match = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text.trim())
  return match === null ? null : instantOf(utcOf(match[3], match[2], match[1]))
}

export function firstDateInProse(text: string): string | null {
  return datesInProse(text)[0] ?? null
}

export function earliestDateInProse(...texts: readonly string[]): string | null {
  return texts.flatMap(datesInProse).sort()[0] ?? null
}

function datesInProse(text: string): string[] {
  const found = text.match(/(?<!\d)\d{1,2}\.\d{1,2}\.\d{4}(?!\d)/g) ?? []
  return found.map(dayFirstDate).filter(day => day !== null)
}

/**
 * Reads a day (`2026-08-11`) or a time with an offset (`2026-08-11T02:00:00+02:00`); null for other texts.
 */
export function isoInstant(text: string): string | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.exec(text.trim())
  if (match === null || utcOf(match[1], match[2], match[3]) === null) return null
  return instantOf(Date.parse(match[0]))
}

/** Returns midnight UTC of the published day, because midnight in Budapest must not become the day before. */
export function printedDay(text: string): string {
  return `${text.trim().slice(0, 'YYYY-MM-DD'.length)}T00:00:00.000Z`
}

/**
 * Converts a local time. An hour that occurs twice in autumn is the first one. An hour skipped in spring
 * has the offset before it.
 */
export function localInstant(text: string, timeZone: string): string | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/.exec(text.trim())
  if (match === null) return null
  const day = utcOf(match[1], match[2], match[3])
  const [hour, minute, second] = [match[4], match[5], match[6] ?? 0].map(Number) as [number, number, number]
  if (day === null || hour > 23 || minute > 59 || second > 59) return null
  const clock = day + ((hour * 60 + minute) * 60 + second) * 1_000
  const before = offsetMs(clock - dayMs, timeZone)
  const after = offsetMs(clock + dayMs, timeZone)
  if (before === after) return instantOf(clock - before)
  const fits = [before, after].filter(offset => offsetMs(clock - offset, timeZone) === offset)
  return instantOf(clock - (fits.length > 0 ? Math.max(...fits) : before))
}

const dayMs = 86_400_000
const clocks = new Map<string, Intl.DateTimeFormat>()

function offsetMs(instant: number, timeZone: string): number {
  let clock = clocks.get(timeZone)
  if (clock === undefined) {
    // The locale sv-SE prints `2026-10-02 11:32:03`, which `Date.parse` reads.
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    clocks.set(timeZone, clock)
  }
  return Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`) - Math.floor(instant / 1_000) * 1_000
}

type Digits = string | undefined

/** Returns midnight UTC, or null unless it is a day of the calendar. */
function utcOf(year: Digits, month: Digits, day: Digits): number | null {
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const real =
    new Date(time).getUTCMonth() === Number(month) - 1 && new Date(time).getUTCDate() === Number(day)
  return real && Number(year) >= yearMin && Number(year) <= yearMax ? time : null
}

function instantOf(time: number | null): string | null {
  return time === null || Number.isNaN(time) ? null : new Date(time).toISOString()
}
