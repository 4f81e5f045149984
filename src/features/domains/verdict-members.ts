import { Type } from 'typebox'
import type { Charge } from '../../core/operation.ts'
import { closedObject, nullable } from '../../core/schema.ts'
import { charge, totalCredits } from '../../metering/pricing.ts'
import { billingLines } from '../billing.ts'
import type { MarketsInForce } from '../regimes/index.ts'
import type { VerdictCoverage, VerdictRow } from './domain-store.ts'
import { billingReason, blockedBy, licensedBy, mentionedBy, verdictWord } from './schemas.ts'

/** The members of a verdict, single or in a batch, in the order of `writeVerdict`. */
export const verdictMembers = {
  domain: Type.String({ description: 'The canonical registrable domain.' }),
  verdict: verdictWord(),
  licensed_by: licensedBy,
  blocked_by: blockedBy,
  mentioned_by: mentionedBy,
  company: nullable(closedObject({ company_ref: Type.String(), name: Type.String() }), {
    description:
      'The licensed operator of the domain; null also if one register lists more than three holders.',
  }),
}

type Member = keyof typeof verdictMembers
export const verdictMemberNames = Object.keys(verdictMembers) as Member[]

/**
 * Writes the members as JSON text (decision 11). Domains and verdicts need no escaping. `row` is undefined
 * if nothing is stored about the domain; `mentions` is JSON.
 */
export function writeVerdict(
  domain: string,
  row: VerdictRow | undefined,
  mentions: string,
  regimes: MarketsInForce,
): Record<Member, string> {
  return {
    domain: `"${domain}"`,
    verdict: row === undefined ? '"no_record"' : `"${row.verdict}"`,
    licensed_by: row === undefined ? '[]' : regimes.addTo(row.licensed_by),
    blocked_by: row === undefined ? '[]' : regimes.addTo(row.blocked_by),
    mentioned_by: mentions,
    company: row?.company ?? 'null',
  }
}

export function checkedAt(coverage: VerdictCoverage, now: Date) {
  return {
    registers: coverage.registers,
    blocklists: coverage.blocklists,
    oldest_snapshot_at: coverage.oldest_snapshot_at?.toISOString() ?? null,
    as_of: now.toISOString(),
  }
}

/** The bill of verdicts (§2.8). */
export const verdictBilling = {
  returned_count: Type.Integer(),
  credits_per_verdict: Type.Integer(),
  credits_charged: Type.Integer(),
  billing_reason: billingReason,
  max_credits: nullable(Type.Integer()),
  page_size: nullable(Type.Integer()),
  breakdown: billingLines(['domain.verdict', 'domain.operator_launch_profile']),
}

export type VerdictCharge = Charge<'domain.verdict' | 'domain.operator_launch_profile'>

export function billVerdicts(returned: number, charges: VerdictCharge[], maxCredits: number | undefined) {
  return {
    returned_count: returned,
    credits_per_verdict: charge('domain.verdict', 1).credits_per_unit,
    credits_charged: totalCredits(charges),
    billing_reason: returned === 0 ? 'no_results' : 'verdict_delivered',
    max_credits: maxCredits ?? null,
    page_size: null,
    breakdown: charges,
  }
}
