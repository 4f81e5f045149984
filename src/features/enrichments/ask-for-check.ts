import type { Observe } from '../../core/observe.ts'
import { dayMs } from '../../core/time.ts'
import type { Context } from '../operation.ts'
import {
  type CheckOfKey,
  findCheck,
  findCheckOfKey,
  findLastCompleted,
  type StoredCheck,
} from './checks-store.ts'
import { refreshCredits } from './reserve-credits.ts'
import { keysSince, startCheck } from './start-check.ts'

/** The need for a check (§4.12 rule 4). `fresh` means that a completed check is recent enough. */
export type CheckNeed =
  | { kind: 'not_available' }
  | { kind: 'fresh'; checkId: number; completedAt: Date }
  | { kind: 'needed'; freshAfter: Date }

/** Reads whether evidence of at most `maxAgeDays` needs a check; with 0 days it always does. */
export async function readCheckNeed(
  { world: { database }, observe, now, caller }: Context,
  { domain, maxAgeDays }: { domain: string; maxAgeDays: number },
): Promise<CheckNeed> {
  if (observe === null) return { kind: 'not_available' }
  const freshAfter = new Date(now.getTime() - maxAgeDays * dayMs)
  const last = await findLastCompleted(database, domain)
  if (last === undefined || last.finished_at < freshAfter) return { kind: 'needed', freshAfter }
  // A retry of the request that started this check gets the answer of that request.
  const { idempotencyKey } = observe
  const ofKey = { accountId: caller.accountId, idempotencyKey: idempotencyKey ?? '', after: keysSince(now) }
  const own: CheckOfKey | undefined =
    idempotencyKey === null ? undefined : await findCheckOfKey(database, ofKey)
  return own === undefined
    ? { kind: 'fresh', checkId: last.id, completedAt: last.finished_at }
    : { kind: 'needed', freshAfter }
}

export type RefreshBilling = { status: 'reserved' | 'charged' | 'not_charged'; credits: number }

export type AnsweredCheck = {
  status: 'completed' | 'running' | 'failed'
  /** The time of completion; null if the check is not completed. */
  completedAt: Date | null
  enrichmentId: string
  refresh: RefreshBilling
  /** Is true if the check visited the site for this request. */
  isNew: boolean
}

/** Starts or joins a check, and waits for it. `ownCredits` are reserved for the rest of the answer. */
export async function askForCheck(
  { world: { database }, caller, now }: Context,
  observe: Observe,
  { domain, freshAfter, ownCredits }: { domain: string; freshAfter: Date; ownCredits: number },
): Promise<AnsweredCheck> {
  observe.enter()
  const { requestId, client, idempotencyKey } = observe
  const asked = await startCheck(database, observe, {
    domain,
    askedBy: 'request',
    accountId: caller.accountId,
    requestId,
    client,
    keyId: caller.keyId ?? null,
    idempotencyKey,
    freshAfter,
    ownCredits,
    now,
  })
  if (asked.reservation !== null) observe.reserved(asked.reservation)
  if (asked.state === 'queued' || asked.state === 'running') await observe.wait(asked.checkId)
  const check = (await findCheck(database, asked.checkId)) as StoredCheck
  const status = check.state === 'queued' ? 'running' : check.state
  const isCompleted = status === 'completed'
  return {
    status,
    completedAt: isCompleted ? check.finished_at : null,
    enrichmentId: asked.enrichmentId,
    refresh: refreshBilling(check, asked.isPaid),
    isNew: isCompleted && (asked.isPaid || (check.finished_at as Date) >= now),
  }
}

function refreshBilling({ state, credits_charged }: StoredCheck, isPaid: boolean): RefreshBilling {
  if (!isPaid || state === 'failed') return notCharged
  if (state === 'completed') return { status: 'charged', credits: credits_charged ?? 0 }
  return { status: 'reserved', credits: refreshCredits }
}

export const notCharged: RefreshBilling = { status: 'not_charged', credits: 0 }
