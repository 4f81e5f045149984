import type { ReceiptFacts } from '../../core/operation.ts'
import type { Evidence } from './evidence-store.ts'

/** Returns the member `receipt` of a delivery; none without evidence. `members` are JSON text. */
export function receiptOf(
  evidence: Evidence | null,
  facts: Omit<ReceiptFacts, 'kid'> = { members: {} },
): { receipt?: ReceiptFacts } {
  if (evidence === null) return {}
  const { kid, ...members } = evidence
  return { receipt: { ...facts, kid, members: { ...facts.members, ...members } } }
}
