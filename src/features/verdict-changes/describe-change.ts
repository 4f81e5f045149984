import { Type } from 'typebox'
import { closedObject, instant, namedObject, nullable, oneOf } from '../../core/schema.ts'
import { charge } from '../../metering/pricing.ts'
import { billingLines } from '../billing.ts'
import { blockedBy, licensedBy, verdictWord } from '../domains/index.ts'
import type { ChangeRow } from './changes-store.ts'

const side = namedObject('VerdictSide', {
  verdict: verdictWord(),
  licensed_by: licensedBy,
  blocked_by: blockedBy,
})

export const verdictChange = namedObject('VerdictChange', {
  change_ref: Type.String(),
  domain: Type.String(),
  before: side,
  after: side,
  occurred_at: instant({ description: 'The latest of its Signals, or else the time of the snapshot.' }),
  detected_at: instant(),
  cause: oneOf(['coverage', 'register', 'import', 'staff'], {
    description: '`coverage`: a source was read for the first time. Such a change is no news, and free.',
  }),
  is_correction: Type.Boolean({ description: 'The service had read a file wrongly. Free.' }),
  correction_of: nullable(Type.String(), { description: 'The change that this one takes back.' }),
  signal_refs: Type.Array(Type.String(), { description: 'The Signals that caused it.' }),
})

export const changesBilling = closedObject({
  credits_charged: Type.Integer(),
  breakdown: billingLines(['signal.base']),
  max_credits: nullable(Type.Integer()),
})

/** Returns the price of a page of changes: corrections and changes by new coverage are free. */
export function chargeChanges(page: readonly ChangeRow[], maxCredits: number | undefined) {
  const price = charge('signal.base', page.filter(row => !row.is_free).length)
  const charges = price.units === 0 ? [] : [price]
  return {
    charges,
    billing: {
      credits_charged: price.credits_charged,
      breakdown: charges,
      max_credits: maxCredits ?? null,
    },
  }
}

/** Writes a change as JSON. Its sides are JSON already. */
export function describeChange({ number: _, is_free: __, before, after, ...row }: ChangeRow): string {
  const { change_ref, domain, ...rest } = row
  const head = `{"change_ref":"${change_ref}","domain":"${domain}","before":${before},"after":${after},`
  return head + JSON.stringify(rest).slice(1)
}
