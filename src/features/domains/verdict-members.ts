import { Type } from 'typebox'
import type { Charge } from '../../core/operation.ts'
import { closed, nullable } from '../../core/schema.ts'
import { charge, totalCredits } from '../../metering/pricing.ts'
import type { Coverage, VerdictRow } from './domain-store.ts'
import { billingLine, billingReason, blockedBy, licensedBy, mentionedBy, verdictWord } from './schemas.ts'

/** What single verdicts and batches say of a domain, in the order of `writeVerdict`. */
export const verdictMembers = {
  domain: Type.String({ description: 'The canonical registrable domain.' }),
  verdict: verdictWord(),
  licensed_by: licensedBy,
  blocked_by: blockedBy,
  mentioned_by: mentionedBy,
  company: nullable(Type.Object({ company_ref: Type.String(), name: Type.String() }, closed), {
    description: 'The licensed operator of the domain.',
  }),
}

type Member = keyof typeof verdictMembers
export const verdictMemberNames = Object.keys(verdictMembers) as Member[]

/**
 * The members as JSON text (decision 11). Domains and verdicts need no escaping. `row` is undefined if
 * nothing is stored about the domain; `mentions` is JSON.
 */
export function writeVerdict(
  domain: string,
  row: VerdictRow | undefined,
  mentions: string,
): Record<Member, string> {
  return {
    domain: `"${domain}"`,
    verdict: row === undefined ? '"no_record"' : `"${row.verdict}"`,
    licensed_by: row?.licensed_by ?? '[]',
    blocked_by: row?.blocked_by ?? '[]',
    mentioned_by: mentions,
    company: row?.company ?? 'null',
  }
}

/** Values of the written members for the type of `data`; they are not sent. */
export const unsentVerdict = {
  domain: '',
  verdict: 'no_record' as const,
  licensed_by: [],
  blocked_by: [],
  mentioned_by: [],
  company: null,
}

export function checkedAt(coverage: Coverage, now: Date) {
  return {
    registers: coverage.registers,
    blocklists: coverage.blocklists,
    oldest_snapshot_at: coverage.oldest_snapshot_at?.toISOString() ?? null,
    as_of: now.toISOString(),
  }
}

/** §2.8 */
export const verdictBilling = {
  returned_count: Type.Integer(),
  credits_per_verdict: Type.Integer(),
  credits_charged: Type.Integer(),
  billing_reason: billingReason,
  max_credits: nullable(Type.Integer()),
  page_size: nullable(Type.Integer()),
  breakdown: Type.Array(billingLine),
}

type BillingLine = Charge & { key: 'domain.verdict' | 'domain.operator_launch_profile' }

export function billVerdicts(returned: number, charges: Charge[], maxCredits: number | undefined) {
  return {
    returned_count: returned,
    credits_per_verdict: charge('domain.verdict', 1).credits_per_unit,
    credits_charged: totalCredits(charges),
    billing_reason: returned === 0 ? 'no_results' : 'verdict_delivered',
    max_credits: maxCredits ?? null,
    page_size: null,
    breakdown: charges as BillingLine[],
  }
}
