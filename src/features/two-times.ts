import { Type } from 'typebox'
import { Failure, wrongValue } from '../core/failure.ts'
import type { World } from '../database/open.ts'
import { readEarliestKnown } from './streams-then-store.ts'

const timeInput = (description: string) =>
  Type.String({ minLength: 1, maxLength: 40, description, examples: ['2026-10-15'] })

/** The parameters of operations that answer about another day. */
export const timesInput = {
  as_of: Type.Optional(
    timeInput(
      'The day or instant that is asked about: what was in force then. A day (UTC) means its end, the ' +
        'current day means now. Default: now.',
    ),
  ),
  known_at: Type.Optional(
    timeInput(
      'The day or instant of knowledge: what this service knew then. A correction that it learnt later is ' +
        'ignored. Default: now.',
    ),
  ),
}

export const timesMembers = {
  as_of: Type.Optional(Type.String({ description: 'As it was sent.' })),
  known_at: Type.Optional(Type.String({ description: 'As it was sent.' })),
}

type TimesInput = { as_of?: string | undefined; known_at?: string | undefined }

/** Two times as an answer needs them. */
export type Times = {
  /** `as_of` in ISO 8601; `infinity` if it is not before `knownAt`: the latest that was known then. */
  asOf: string
  asOfDate: Date
  /** The day (UTC) of `as_of`, which decides whether a license without a status has ended. */
  day: string
  knownAt: Date
  /** The parameters as they were sent. */
  sent: { as_of?: string; known_at?: string }
}

/** Clocks of processes may differ by this much: a time of another process is not later than now. */
const clocksDifferMsMax = 60_000

const takes = 'a day such as 2026-10-15, or an instant such as 2026-10-15T12:00:00Z, not later than now'

/** Returns the two times of a request, or null for an answer of now. `others` are parameters with a value. */
export function readTimes(
  { as_of, known_at }: TimesInput,
  now: Date,
  others: Readonly<Record<string, boolean>> = {},
): Times | null {
  if (as_of === undefined && known_at === undefined) return null
  const parameter = as_of === undefined ? 'known_at' : 'as_of'
  const other = Object.keys(others).find(name => others[name])
  if (other !== undefined)
    throw new Failure('invalid_parameter', {
      message: `"${parameter}" cannot be combined with "${other}".`,
      details: { parameter, other },
    })
  const asOfDate = as_of === undefined ? now : readTime('as_of', as_of, now)
  const knownAt = known_at === undefined ? now : readTime('known_at', known_at, now)
  return {
    asOf: asOfDate >= knownAt ? 'infinity' : asOfDate.toISOString(),
    asOfDate,
    day: asOfDate.toISOString().slice(0, 10),
    knownAt,
    sent: { ...(as_of === undefined ? {} : { as_of }), ...(known_at === undefined ? {} : { known_at }) },
  }
}

const days = /^\d{4}-\d\d-\d\d$/
const instants = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

function readTime(parameter: string, text: string, now: Date): Date {
  const isDay = days.test(text)
  if (!isDay && !instants.test(text)) throw wrongValue(parameter, takes)
  if (text === now.toISOString().slice(0, 10)) return now
  const time = new Date(isDay ? `${text}T23:59:59.999Z` : text)
  const isReal = !Number.isNaN(time.getTime()) && (!isDay || time.toISOString().startsWith(text))
  if (!isReal || time.getTime() > now.getTime() + clocksDifferMsMax) throw wrongValue(parameter, takes)
  return time > now ? now : time
}

/** The instants of two times, as a receipt states them. */
export const timesOf = ({ asOfDate, knownAt }: Times) => ({
  as_of: asOfDate.toISOString(),
  known_at: knownAt.toISOString(),
})

/** Describes why nothing was known at a time. */
export async function beforeHistory(world: World): Promise<Failure> {
  const earliest = await readEarliestKnown(world.database)
  return new Failure('before_history', { details: { earliest: earliest?.toISOString() ?? null } })
}
