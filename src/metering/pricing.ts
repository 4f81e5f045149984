import { counted } from '@baize/names'
import type { Charge } from '../core/operation.ts'

/** The price list of §8. */
export const prices = {
  'domain.verdict': { credits: 1, unit: 'verdict' },
  'domain.operator_launch_profile': { credits: 5, unit: 'available profile' },
  'domain.refresh': { credits: 10, unit: 'completed check' },
  'domain.search_row': { credits: 1, unit: 'row' },
  'signal.base': { credits: 1, unit: 'Signal' },
  'company.search_row': { credits: 1, unit: 'row' },
  'company.profile': { credits: 3, unit: 'profile' },
  'company.firmographics': { credits: 12, unit: 'available Domain result' },
  'company.contact': { credits: 9, unit: 'contact' },
  'license.search_row': { credits: 1, unit: 'row' },
  'license.profile': { credits: 3, unit: 'profile' },
  'lobby.run': { credits: 10, unit: 'finished run' },
  'export.row': { credits: 1, unit: 'row' },
  'export.operator_launch_profile': { credits: 5, unit: 'available profile' },
} as const

export type PriceKey = keyof typeof prices

/** Returns a charge for delivered units. For 0 units, callers create no charge. */
export function charge<Key extends PriceKey>(key: Key, units: number): Charge<Key> {
  const creditsPerUnit = prices[key].credits
  return { key, units, credits_per_unit: creditsPerUnit, credits_charged: units * creditsPerUnit }
}

export function totalCredits(charges: readonly Charge[]): number {
  let credits = 0
  for (const line of charges) credits += line.credits_charged
  return credits
}

export const inCredits = (credits: number): string => counted(credits, 'credit')

/** Writes the price of a unit for descriptions, such as `3 credits`. */
export const costOf = (key: PriceKey): string => inCredits(prices[key].credits)
