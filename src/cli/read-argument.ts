// These functions read arguments that an operator typed. They throw a StaffError if one is invalid.
import { StaffError } from '../core/staff-error.ts'

export function readWordOption<Word extends string>(
  option: string,
  words: readonly Word[],
  text: string,
): Word {
  const word = words.find(each => each === text)
  if (word === undefined) throw new StaffError(`${option} must be one of ${words.join(', ')}.`)
  return word
}

export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new StaffError(`${name} must be a whole number, not "${text}".`)
  return Number(text)
}

/** Collects the values of an option that may be repeated. */
export const repeated = (value: string, values: string[] = []): string[] => [...values, value]

/** Throws an error for a file that cannot be read: `await stat(file).catch(unreadable(file))`. */
export function unreadable(file: string): (error: NodeJS.ErrnoException) => never {
  return error => {
    if (error instanceof StaffError) throw error
    const problem = error.code === 'ENOENT' ? 'no such file' : error.message
    throw new StaffError(`${file}: ${problem}`, { cause: error })
  }
}

/** Reads a calendar day as its midnight in UTC. */
export function dayOf(option: string, text: string): Date {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text))
    throw new StaffError(`${option} must be a day, YYYY-MM-DD, not "${text}".`)
  requireRealDay(option, text)
  return new Date(`${text}T00:00:00Z`)
}

/** Reads an ISO 8601 time with an offset. */
export function momentOf(option: string, text: string): Date {
  const day = /^(\d{4}-\d{2}-\d{2})T.*(?:Z|[+-]\d{2}:\d{2})$/.exec(text)?.[1]
  if (day !== undefined) requireRealDay(option, day)
  const moment = new Date(text)
  if (day === undefined || Number.isNaN(moment.getTime()))
    throw new StaffError(`${option} must be an ISO 8601 time with an offset, not "${text}".`)
  return moment
}

/** Refuses 30 February, which `new Date` reads as 2 March. */
function requireRealDay(option: string, day: string): void {
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, day.length) !== day)
    throw new StaffError(`${option} must be a calendar day; ${day} does not exist.`)
}
