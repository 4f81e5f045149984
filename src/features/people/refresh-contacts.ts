/** Asks the operator's source for the contacts of a Company (§4.7). */
import type { Observe } from '../../core/operation.ts'
import type { SourceAnswer } from '../../core/sources.ts'
import { reserveOwnCredits } from '../enrichments/index.ts'
import { type RefreshOutcome, sourceReason } from '../firmographics/index.ts'
import type { Context } from '../operation.ts'
import { type EmployingCompany, readSourceKeys, type StoredContact } from './contacts-store.ts'
import { ageDaysMax, type PeopleInput } from './people-input.ts'

const dayMs = 24 * 60 * 60_000

/** Only of the first page of a walk, and only if nobody was collected or verified since. */
export function isRefreshDue(
  { observe, now }: Context,
  contacts: readonly StoredContact[],
  { max_age_days: days = ageDaysMax, after }: PeopleInput,
): boolean {
  // Without a source, only those who want everything anew are answered that there is none.
  if (after !== undefined || (days > 0 && !hasSource(observe))) return false
  const freshSince = now.getTime() - days * dayMs
  return !contacts.some(
    ({ collected_at, last_verified_at }) =>
      Math.max(collected_at.getTime(), last_verified_at?.getTime() ?? 0) > freshSince,
  )
}

export const hasSource = (observe: Observe | null): observe is Observe =>
  observe !== null && observe.sources.contacts !== null

/** Reserves `credits`, asks, and stores what is answered. Suppressed people are left out, as by imports. */
export async function refreshContacts(
  { world, caller, now }: Context,
  observe: Observe,
  employer: EmployingCompany,
  credits: number,
): Promise<RefreshOutcome> {
  observe.enter()
  const attemptedAt = observe.now()
  const { requestId, idempotencyKey } = observe
  const { accountId } = caller
  const about = { domain: employer.company_ref, accountId, requestId, idempotencyKey }
  observe.reserved(await reserveOwnCredits(world.database, { ...about, ownCredits: credits, now }))
  const { company, domains } = await readSourceKeys(world.database, employer)
  const answer = await askInTurn(observe, domains)
  if (answer.outcome !== 'found') return { status: 'failed', attemptedAt, reason: sourceReason(answer) }
  const isStored = await observe.sources.store(answer.lines.map(line => ({ ...line, company })))
  if (isStored) return { status: 'completed', attemptedAt }
  return { status: 'failed', attemptedAt, reason: 'source_temporarily_unavailable' }
}

/** Until one of the domains is known. */
async function askInTurn(observe: Observe, domains: readonly string[]): Promise<SourceAnswer> {
  let answer: SourceAnswer = { outcome: 'no_data' }
  for (const domain of domains) {
    answer = (await observe.sources.contacts?.(domain, observe.limit())) ?? answer
    if (answer.outcome !== 'no_data') return answer
  }
  return answer
}
