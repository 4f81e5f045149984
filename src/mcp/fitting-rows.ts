import { type PriceKey, prices } from '../metering/pricing.ts'
import type { ToolCall } from './read-call.ts'
import type { Tool } from './tool.ts'
import type { Balance, Failed } from './tool-result.ts'

/** Returns the sentence that names the rows that a refused call could pay for; null if that is none. */
export function fittingRows(
  { rows }: Tool,
  { operation }: ToolCall,
  { code, details }: Failed,
  balance: Balance,
): string | null {
  const [key] = operation.prices as PriceKey[]
  if (rows === undefined || key === undefined) return null
  const fitting = Math.floor(creditsFor(code, details, balance) / prices[key].credits)
  return fitting >= 1 ? `${rows}: ${fitting} would fit.` : null
}

/** Returns the credits that the limit of this failure still allows; 0 for other failures. */
function creditsFor(code: string, details: Failed['details'], balance: Balance): number {
  const limits: Record<string, unknown> = {
    budget_exceeded: balance.budget_remaining ?? balance.budget,
    max_credits_exceeded: details.max_credits,
    quota_exceeded: balance.credits_remaining,
  }
  return Number(limits[code] ?? 0)
}
