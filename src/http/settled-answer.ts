import { Failure } from '../core/failure.ts'
import { type Caller, type Delivery, type Quote, successOf } from '../core/operation.ts'
import { inCredits } from '../metering/pricing.ts'
import type { SettleOutcome } from '../metering/settle-statement.ts'
import { newSettlementId } from '../metering/settlement-id.ts'
import type { AnswerBody } from './answer-body.ts'
import type { Answer } from './answer-request.ts'
import { creditHeaders } from './credit-headers.ts'
import { Unauthorized } from './failures.ts'
import type { MountedOperation } from './mount.ts'
import type { Service } from './service.ts'

/** When to ask again for an account that another transaction holds, or while the database comes back. */
export const busyRetryAfterSeconds = 1

/** What the outcome of a settlement is to whoever asked: the answer, or why there is none. */
export function settledAnswer(
  service: Service,
  mounted: MountedOperation,
  quote: Quote<unknown>,
  outcome: SettleOutcome,
  body: AnswerBody,
): Answer {
  switch (outcome.outcome) {
    case 'settled':
      service.metrics.charged(mounted.operation.name, outcome.moved)
      return {
        status: successOf(mounted.operation).status,
        body,
        headers: creditHeaders(outcome.moved, outcome),
      }
    case 'replayed':
      return {
        status: outcome.stored_status ?? 200,
        body: outcome.stored_body ?? '',
        headers: { ...creditHeaders(0, outcome), 'idempotency-replayed': 'true' },
      }
    case 'reused':
      throw keyReused()
    case 'quota_exceeded':
      throw quotaExceeded(quote, outcome)
    case 'busy':
      throw new Failure('service_unavailable', {
        message: 'The account is busy; nothing was charged. Try again.',
        retryAfterSeconds: busyRetryAfterSeconds,
      })
    case 'unknown_account':
      throw new Unauthorized()
    case 'not_released':
    case 'beyond_bounds':
      throw new Error(`A charge was answered as another kind of settlement: ${outcome.outcome}.`)
  }
}

function quotaExceeded(
  { creditsRequired }: Quote<unknown>,
  { granted, used, reserved }: SettleOutcome,
): Failure {
  const details = { granted, used, reserved }
  if (creditsRequired === undefined) return new Failure('quota_exceeded', { details })
  const message = `The credit balance is exhausted: it does not cover the quoted ${inCredits(creditsRequired)}.`
  return new Failure('quota_exceeded', { message, details })
}

export function keyReused(): Failure {
  return new Failure('idempotency_key_reused', { details: { header: 'Idempotency-Key' } })
}

/** The settlement's minimum, where the quote sets one. */
export const minimumOf = ({ creditsRequired }: Quote<unknown>) =>
  creditsRequired === undefined ? {} : { creditsMin: creditsRequired }

/**
 * Where the balance has to cover more than what is delivered, a refusal, too, is told only if it does, so that an account
 * without credits learns the same whatever is there. A settlement of nothing judges it, in turn with all others.
 */
export async function deliverCovered(
  service: Service,
  mounted: MountedOperation,
  caller: Caller,
  quote: Quote<Record<string, unknown>>,
): Promise<Delivery<Record<string, unknown>>> {
  try {
    return await quote.deliver()
  } catch (error) {
    if (quote.creditsRequired === undefined || !(error instanceof Failure)) throw error
    const outcome = await service.settler.settle({
      kind: 'charge',
      accountId: caller.accountId,
      settlementId: newSettlementId(),
      credits: 0,
      ...minimumOf(quote),
    })
    settledAnswer(service, mounted, quote, outcome, '')
    throw error
  }
}
