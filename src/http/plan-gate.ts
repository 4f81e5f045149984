import { Failure } from '../core/failure.ts'
import { type AnyOperation, type Caller, type Plan, type PlanName, planNames } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import { inCredits } from '../metering/pricing.ts'
import type { Input } from './read-parameters.ts'

/** What the account's plan does not include is told before anything is planned (contract section 4). */
export function requirePlan(operation: AnyOperation<World>, { plan }: Caller, input: Input): void {
  const gate = operation.gate?.(input) ?? null
  if (gate === null || planIncludes(plan, gate.requiredPlan)) return
  const { feature, requiredPlan } = gate
  throw new Failure('plan_upgrade_required', {
    message: `Your plan "${plan}" does not include the feature "${feature}"; the plan "${requiredPlan}" does.`,
    details: { feature, current_plan: plan, required_plan: requiredPlan },
  })
}

const planIncludes = (held: PlanName, required: PlanName) =>
  planNames.indexOf(held) >= planNames.indexOf(required)

/** Before anything is fetched, and so before anything is charged (§7, contract section 5). */
export function requireCeiling(plan: Plan<unknown>, input: Input): void {
  const maxCredits = input.max_credits
  if (typeof maxCredits !== 'number' || plan.ceiling <= maxCredits) return
  throw new Failure('max_credits_exceeded', {
    message: `The request could cost ${inCredits(plan.ceiling)}; max_credits allows ${maxCredits}.`,
    details: { quoted_credits: plan.ceiling, max_credits: maxCredits },
  })
}
