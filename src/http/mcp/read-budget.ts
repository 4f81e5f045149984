import { Failure } from '../../core/failure.ts'

const creditsMax = 1_000_000_000

/** `X-Baize-Budget`; null: none. A typing error must not switch a budget off. */
export function readBudget(text: string | null): number | null {
  if (text === null) return null
  const credits = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (credits <= creditsMax) return credits
  const takes = `an integer from 0 to ${creditsMax}`
  throw new Failure('invalid_parameter', {
    message: `"X-Baize-Budget" must be ${takes}.`,
    details: { parameter: 'X-Baize-Budget', takes },
  })
}
