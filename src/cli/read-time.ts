/** Reads typed days and times. `new Date` reads 30 February as 2 March; these refuse it. */
import { StaffError } from '../core/staff-error.ts'

/** The midnight in UTC of a calendar day. */
export function dayOf(option: string, text: string): Date {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text))
    throw new StaffError(`${option} must be a day, YYYY-MM-DD, not "${text}".`)
  requireRealDay(option, text)
  return new Date(`${text}T00:00:00Z`)
}

/** An ISO 8601 time with an offset. */
export function momentOf(option: string, text: string): Date {
  const day = /^(\d{4}-\d{2}-\d{2})T.*(?:Z|[+-]\d{2}:\d{2})$/.exec(text)?.[1]
  if (day !== undefined) requireRealDay(option, day)
  const moment = new Date(text)
  if (day === undefined || Number.isNaN(moment.getTime()))
    throw new StaffError(`${option} must be an ISO 8601 time with an offset, not "${text}".`)
  return moment
}

function requireRealDay(option: string, day: string): void {
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, day.length) !== day)
    throw new StaffError(`${option} must be a calendar day; ${day} does not exist.`)
}
