import { Type } from 'typebox'
import type { Charge } from '../core/operation.ts'
import { closed, nullable } from '../core/schema.ts'
import { totalCredits } from '../metering/pricing.ts'

/** For Companies, licenses and contacts (§2.8). */
export const profileBilling = (reasons: string) => Type.Object(profileBillingMembers(reasons), closed)

export const profileBillingMembers = (reasons: string) => ({
  returned_count: Type.Integer(),
  credits_per_profile: Type.Integer(),
  credits_charged: Type.Integer(),
  billing_reason: Type.String({ description: reasons }),
  max_credits: nullable(Type.Integer()),
})

/** The first charge is for the profiles. */
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
