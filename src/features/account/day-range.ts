import { Type } from 'typebox'
import { Failure } from '../../core/failure.ts'

const day = Type.Optional(
  Type.String({ format: 'date', pattern: '^20', takes: 'a day of this century, such as 2026-03-01' }),
)

/** Whole days, UTC; both included. */
export const dayRange = { from: day, to: day }

export function requireOrder({ from, to }: { from?: string; to?: string }): void {
  if (from !== undefined && to !== undefined && from > to)
    throw new Failure('invalid_parameter', {
      message: 'The first day must not be after the last day.',
      details: { parameter: 'from' },
    })
}
