import { Failure } from '../../core/failure.ts'
import { type AnyOperation, type Caller, type PlanName, planNames, type Quote } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { inCredits } from '../../metering/pricing.ts'
import { sessionSpend } from '../../metering/session-spend.ts'
import type { Input } from '../read/read-parameters.ts'
import type { Spending } from './request-state.ts'

/** Checks the account's plan before anything is read (contract section 4). */
export function requirePlan(operation: AnyOperation<World>, { plan }: Caller, input: Input): void {
  const gate = operation.gate?.(input) ?? null
  if (gate === null || planIncludes(plan, gate.requiredPlan)) return
  const { feature, requiredPlan } = gate
  throw new Failure('plan_upgrade_required', {
    message:
      `Your plan "${plan}" does not include the feature "${feature}"; ` +
      `it needs the plan "${requiredPlan}".`,
    details: { feature, current_plan: plan, required_plan: requiredPlan },
  })
}

const planIncludes = (plan: PlanName, required: PlanName) =>
  planNames.indexOf(plan) >= planNames.indexOf(required)

/** Compares the quote with `max_credits` before anything is delivered or charged (§7, contract section 5). */
export function requireCeiling(quote: Quote<unknown>, input: Input): void {
  const maxCredits = input.max_credits
  if (typeof maxCredits === 'number') requireAtMost(maxCredits, quote)
}

/**
 * Compares the quote with the limits of an MCP call. Settling checks the budget of a session again, because
 * other calls of the session may be charged meanwhile.
 */
export async function requireSpending(
  world: World,
  { accountId }: Caller,
  quote: Quote<unknown>,
  spending: Spending,
): Promise<void> {
  const { creditsMax, budget, sessionId } = spending
  if (budget !== null) {
    const spent = sessionId === null ? 0 : await sessionSpend(world, accountId, sessionId)
    if (spent + quote.ceiling > budget) throw budgetExceeded(quote.ceiling, spending)
  }
  if (creditsMax !== null) requireAtMost(creditsMax, quote)
}

export function budgetExceeded(credits: number, { budget, sessionId }: Spending): Failure {
  const scope = budgetScope(sessionId)
  return new Failure('budget_exceeded', {
    message:
      `The call could cost ${inCredits(credits)}, more than is left of the budget of ${budget} ` +
      `of ${scope === 'session' ? 'its session' : 'this call'}.`,
    details: { quoted_credits: credits, budget, budget_scope: scope },
  })
}

export const budgetScope = (sessionId: string | null) => (sessionId === null ? 'call' : 'session')

function requireAtMost(maxCredits: number, quote: Quote<unknown>): void {
  if (quote.ceiling <= maxCredits) return
  throw new Failure('max_credits_exceeded', {
    message: `The request could cost ${inCredits(quote.ceiling)}; max_credits allows ${maxCredits}.`,
    details: { quoted_credits: quote.ceiling, max_credits: maxCredits },
  })
}
