import { Failure } from '../core/failure.ts'
import { inCredits } from './pricing.ts'

type Balance = { granted: number | null; used: number; reserved: number }

/** `required` are the credits that the request needs. */
export function quotaExceeded({ granted, used, reserved }: Balance, required: number): Failure {
  return new Failure('quota_exceeded', {
    message: `The credit balance is exhausted: it does not cover the required ${inCredits(required)}.`,
    details: { granted, used, reserved, required },
  })
}
