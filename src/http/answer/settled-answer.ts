import { Failure } from '../../core/failure.ts'
import { type Caller, type Delivery, type Quote, successOf } from '../../core/operation.ts'
import { accountBusy } from '../../metering/account-busy.ts'
import { quotaExceeded } from '../../metering/quota-exceeded.ts'
import type { SettleOutcome } from '../../metering/settle-statement.ts'
import { newSettlementId } from '../../metering/settlement-id.ts'
import type { Service } from '../service.ts'
import type { Answer, AnswerBody } from './answer.ts'
import { creditHeaders } from './answer.ts'
import { Unauthorized } from './failures.ts'
import type { MountedOperation } from './mounted-operation.ts'
import { budgetExceeded } from './plan-gate.ts'
import type { Spending } from './request-state.ts'

type Settled = {
  mounted: MountedOperation
  quote: Quote<unknown>
  outcome: SettleOutcome
  /** The credits of the settled item. */
  credits: number
  body: AnswerBody
  spending?: Spending | undefined
}

/** Maps the outcome of settling a charge to a response, or throws the failure. */
export function settledAnswer(
  service: Service,
  { mounted, quote, outcome, credits, body, spending }: Settled,
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
      throw quotaExceeded(outcome, Math.max(credits, quote.creditsRequired ?? 0))
    case 'budget_exceeded':
      throw budgetExceeded(credits, spending as Spending)
    case 'busy':
      throw accountBusy()
    case 'unknown_account':
      throw new Unauthorized()
    case 'not_released':
    case 'beyond_bounds':
      throw new Error(`unexpected outcome of a charge: ${outcome.outcome}`)
  }
}

export function keyReused(): Failure {
  return new Failure('idempotency_key_reused', { details: { header: 'Idempotency-Key' } })
}

/** Returns the minimum balance, if the quote sets one. */
export const minimumOf = ({ creditsRequired }: Quote<unknown>) =>
  creditsRequired === undefined ? {} : { creditsMin: creditsRequired }

/**
 * Delivers the data. If the quote sets a minimum balance, only accounts that have it get a failure. Without
 * credits, nobody can probe which objects exist (docs/decisions/0010). A charge of 0 checks the balance, in
 * turn with all other charges.
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
    settledAnswer(service, { mounted, quote, outcome, credits: 0, body: '' })
    throw error
  }
}
