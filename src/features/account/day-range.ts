import { Type } from 'typebox'
import { wrongField } from '../session-operation.ts'

const day = Type.Optional(
  Type.String({ format: 'date', pattern: '^20', takes: 'a day of this century, such as 2026-03-01' }),
)

/** The first and last day of a range, in UTC; both days are included. */
export const dayRange = { from: day, to: day }

export function requireOrder({ from, to }: { from?: string; to?: string }): void {
  if (from !== undefined && to !== undefined && from > to)
    throw wrongField('from', 'The first day must not be after the last day.')
}

/** Returns the first and last of the most recent days (UTC); today is the last. */
export function recentDays(now: Date, days: number): { from: string; until: string } {
  const until = now.toISOString().slice(0, 10)
  const first = new Date(`${until}T00:00:00Z`)
  first.setUTCDate(first.getUTCDate() - (days - 1))
  return { from: first.toISOString().slice(0, 10), until }
}
