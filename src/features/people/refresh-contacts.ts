/** Asks the operator's source for the contacts of a Company (§4.7). */

import type { Observe, SourceAnswer } from '../../core/observe.ts'
import { dayMs } from '../../core/time.ts'
import { reserveOwnCredits } from '../enrichments/index.ts'
import { type RefreshOutcome, sourceReason } from '../firmographics/index.ts'
import type { Context } from '../operation.ts'
import { type EmployingCompany, readSourceKeys, type StoredContact } from './contacts-store.ts'
import { ageDaysMax, type PeopleInput } from './people-input.ts'
import { obtainedMs } from './select-people.ts'

/** Returns true on a first page if every contact is older than the maximum age. */
export function areContactsDue(
  { observe, now }: Context,
  contacts: readonly StoredContact[],
  { max_age_days: days = ageDaysMax, after }: PeopleInput,
): boolean {
  // A missing source is reported only with max_age_days=0.
  if (after !== undefined || (days > 0 && !hasContactsSource(observe))) return false
  const freshSince = now.getTime() - days * dayMs
  return !contacts.some(contact => obtainedMs(contact) > freshSince)
}

export const hasContactsSource = (observe: Observe | null): observe is Observe =>
  observe !== null && observe.sources.contacts !== null

/**
 * Reserves `credits`, asks the source and stores its answer. Like imports, it leaves out suppressed people.
 */
export async function refreshContacts(
  { world, caller, now }: Context,
  observe: Observe,
  employer: EmployingCompany,
  credits: number,
): Promise<RefreshOutcome> {
  observe.enter()
  const attemptedAt = observe.now()
  const { idempotencyKey } = observe
  const { accountId } = caller
  const about = { domain: employer.company_ref, accountId, idempotencyKey, ownCredits: credits, now }
  observe.reserved(await reserveOwnCredits(world.database, observe, about))
  const { company, domains } = await readSourceKeys(world.database, employer)
  const answer = await askInTurn(observe, domains)
  if (answer.outcome !== 'found') return { status: 'failed', attemptedAt, reason: sourceReason(answer) }
  const isStored = await observe.sources.store(answer.lines.map(line => ({ ...line, company })))
  if (isStored) return { status: 'completed', attemptedAt }
  return { status: 'failed', attemptedAt, reason: 'source_temporarily_unavailable' }
}

/** Asks the source about one domain after the other, until the source knows a domain. */
async function askInTurn(observe: Observe, domains: readonly string[]): Promise<SourceAnswer> {
  let answer: SourceAnswer = { outcome: 'no_data' }
  for (const domain of domains) {
    answer = (await observe.sources.contacts?.(domain, observe.limit())) ?? answer
    if (answer.outcome !== 'no_data') return answer
  }
  return answer
}
