/** Days and moments as they are typed. `new Date` reads 30 February as 2 March; here it is refused. */
import { StaffError } from '../core/staff-error.ts'

/** A day of the calendar, as its midnight in UTC. */
export function dayOf(option: string, text: string): Date {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text))
    throw new StaffError(`${option} takes a day, YYYY-MM-DD, not "${text}".`)
  requireRealDay(option, text)
  return new Date(`${text}T00:00:00Z`)
}

/** An ISO 8601 time with an offset, on a day of the calendar. */
export function momentOf(option: string, text: string): Date {
  const day = /^(\d{4}-\d{2}-\d{2})T.*(?:Z|[+-]\d{2}:\d{2})$/.exec(text)?.[1]
  if (day !== undefined) requireRealDay(option, day)
  const moment = new Date(text)
  if (day === undefined || Number.isNaN(moment.getTime()))
    throw new StaffError(`${option} takes an ISO 8601 time with an offset, not "${text}".`)
  return moment
}

function requireRealDay(option: string, day: string): void {
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, day.length) !== day)
    throw new StaffError(`${option} takes a day of the calendar, and ${day} is none.`)
}
