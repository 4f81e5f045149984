import { Type } from 'typebox'
import type { Charge } from '../core/operation.ts'
import { closedObject, nullable, oneOf } from '../core/schema.ts'
import { type PriceKey, totalCredits } from '../metering/pricing.ts'

/** Describes the breakdown of a price: one line for each charged key. */
export const billingLines = <const Keys extends readonly PriceKey[]>(keys: Keys, description?: string) =>
  Type.Array(
    closedObject({
      key: oneOf(keys),
      units: Type.Integer(),
      credits_per_unit: Type.Integer(),
      credits_charged: Type.Integer(),
    }),
    description === undefined ? {} : { description },
  )

/** Describes the bill of Companies, licenses and contacts (§2.8). */
export const profileBilling = (reasons: string) => closedObject(profileBillingMembers(reasons))

export const profileBillingMembers = (reasons: string) => ({
  returned_count: Type.Integer(),
  credits_per_profile: Type.Integer(),
  credits_charged: Type.Integer(),
  billing_reason: Type.String({ description: reasons }),
  max_credits: nullable(Type.Integer()),
})

/**
 * Bills delivered profiles. The first charge is for the profiles, and later charges are for their
 * additions.
 */
export function billProfiles(charges: readonly [Charge, ...Charge[]], reason: string, maxCredits?: number) {
  const [profiles] = charges
  return {
    returned_count: profiles.units,
    credits_per_profile: profiles.credits_per_unit,
    credits_charged: totalCredits(charges),
    billing_reason: reason,
    max_credits: maxCredits ?? null,
  }
}
