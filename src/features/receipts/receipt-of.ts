import type { ReceiptFacts } from '../../core/operation.ts'
import type { Evidence } from './evidence-store.ts'

/** Returns the member `receipt` of a delivery; none without evidence. `members` are JSON text. */
export function receiptOf(
  evidence: Evidence | null,
  facts: ReceiptFacts = { members: {} },
): { receipt?: ReceiptFacts } {
  return evidence === null ? {} : { receipt: { ...facts, members: { ...facts.members, ...evidence } } }
}
