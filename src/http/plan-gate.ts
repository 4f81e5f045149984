import { Failure } from '../core/failure.ts'
import { type AnyOperation, type Caller, type PlanName, planNames, type Quote } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import { inCredits } from '../metering/pricing.ts'
import type { Input } from './read-parameters.ts'

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
  if (typeof maxCredits !== 'number' || quote.ceiling <= maxCredits) return
  throw new Failure('max_credits_exceeded', {
    message: `The request could cost ${inCredits(quote.ceiling)}; max_credits allows ${maxCredits}.`,
    details: { quoted_credits: quote.ceiling, max_credits: maxCredits },
  })
}
