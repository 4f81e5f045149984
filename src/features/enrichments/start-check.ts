import type { ClientFacts } from '../../core/client-facts.ts'
import { Failure } from '../../core/failure.ts'
import type { Observe } from '../../core/observe.ts'
import { dayMs } from '../../core/time.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { storedAnswersDays } from '../../metering/idempotency.ts'
import { inTransaction, startReserved, storeReservation } from '../../metering/job-credits.ts'
import type { Reservation } from '../../metering/reservations.ts'
import {
  type AskedBy,
  askOnDemand,
  deleteCheck,
  findCheckOfKey,
  findOpenCheck,
  findOrInsertDomain,
  findRecentEnd,
  hastenCheckJob,
  insertCheck,
  queueCheckJob,
  type StoredCheck,
} from './checks-store.ts'
import { findOrInsertEnrichment } from './enrichments-store.ts'
import { refreshCredits, reserveOwnCredits } from './reserve-credits.ts'

export const checkTask = { name: 'check_site', attemptsMax: 3 } as const
export const checkJobKey = (domain: string) => `check:${domain}`

/** A site that could not be read is checked again at the earliest after this time. */
const retryFailedAfterMs = 5 * 60_000

/**
 * The priority of each kind of check; lower ones start first. A customer waits for `request`, and no
 * account pays for `firmographics`.
 */
const priorities: Record<AskedBy, number> = {
  request: -20,
  enrichment: -10,
  staff: -10,
  firmographics: -5,
  refresh: 0,
}

type CheckStart = {
  domain: string
  askedBy: Exclude<AskedBy, 'refresh' | 'staff'>
  accountId: number | null
  requestId: string | null
  client: ClientFacts | null
  keyId: number | null
  idempotencyKey: string | null
  /** A check that was completed after this time is recent enough. */
  freshAfter: Date
  now: Date
}

export type CheckRequest = CheckStart & {
  askedBy: 'request' | 'enrichment'
  accountId: number
  requestId: string
  /** The credits to reserve for the answer, besides the refresh. */
  ownCredits: number
}

export type AskedCheck = {
  checkId: number
  enrichmentId: string
  state: StoredCheck['state']
  finishedAt: Date | null
  /** Is true if this request, or an earlier attempt with its key, started the check. Its account pays. */
  isPaid: boolean
  /** The reservation of `ownCredits`; null if they are 0. */
  reservation: Reservation | null
}

/**
 * Starts a check, joins a running one, or uses one that has just ended, and reserves what the request may
 * cost. It fails with 429 if the balance is too low, and then starts nothing. The transaction never locks
 * the account: reservations are settled beside it, together with charges of other requests.
 */
export async function startCheck(
  database: Database,
  observe: Pick<Observe, 'reserve' | 'release'>,
  request: CheckRequest,
): Promise<AskedCheck> {
  return startReserved(database, observe, 'domain', async (tx, reserve) => {
    const { accountId, ownCredits, now } = request
    const domainId = await findOrInsertDomain(tx, request.domain)
    const { check, isNew, isPaid } = await chooseCheck(tx, domainId, request)
    const { id: checkId, state, finished_at: finishedAt } = check
    const enrichmentId = await findOrInsertEnrichment(tx, { accountId, checkId, isPaid, now })
    if (isNew) {
      const note = `check ${checkId}`
      const ofRefresh = await reserve({ credits: refreshCredits, besides: ownCredits, note, now })
      await storeReservation(tx, ofRefresh, { table: 'site_checks', id: checkId })
    }
    const reservation =
      ownCredits === 0 ? null : await reserveOwnCredits(tx, observe, request, isNew ? refreshCredits : 0)
    return { checkId, enrichmentId, state, finishedAt, isPaid, reservation }
  })
}

/** Starts, joins or reuses a check like `startCheck`. No account pays for a check that it starts. */
export async function startUnpaidCheck(
  database: Database,
  { domain, freshAfter, now }: Pick<CheckStart, 'domain' | 'freshAfter' | 'now'>,
): Promise<Pick<AskedCheck, 'checkId' | 'state'>> {
  const noRequest = { accountId: null, requestId: null, client: null, keyId: null, idempotencyKey: null }
  const request = { domain, askedBy: 'firmographics', freshAfter, now, ...noRequest } as const
  const { check } = await inTransaction(database, 'domain', async tx =>
    chooseCheck(tx, await findOrInsertDomain(tx, domain), request),
  )
  return { checkId: check.id, state: check.state }
}

/**
 * Returns the earliest time of Idempotency-Keys in use: an older key is free again, like its stored answer.
 */
export const keysSince = (now: Date) => new Date(now.getTime() - storedAnswersDays * dayMs)

type Choice = { check: StoredCheck; isNew: boolean; isPaid: boolean }

const startsTriedMax = 5

async function chooseCheck(tx: Transaction, domainId: number, request: CheckStart): Promise<Choice> {
  const { accountId, idempotencyKey, now } = request
  if (idempotencyKey !== null && accountId !== null) {
    const own = await findCheckOfKey(tx, { accountId, idempotencyKey, after: keysSince(now) })
    if (own !== undefined && own.domain_id !== domainId)
      throw new Failure('idempotency_key_reused', { details: { header: 'Idempotency-Key' } })
    if (own !== undefined) return { check: own, isNew: false, isPaid: true }
  }
  const limits = {
    freshAfter: request.freshAfter,
    failedAfter: new Date(now.getTime() - retryFailedAfterMs),
  }
  for (let tried = 0; tried < startsTriedMax; tried++) {
    const id = await insertCheck(tx, { ...request, domainId })
    if (id === null) {
      const open = await findOpenCheck(tx, domainId)
      if (open !== undefined) {
        if (open.state === 'queued') {
          await askOnDemand(tx, open.id)
          await hastenCheckJob(tx, checkJobKey(request.domain), priorities[request.askedBy])
        }
        return { check: open, isNew: false, isPaid: false }
      }
      continue // The open check ended between the two statements.
    }
    // The new check is the domain's only open one now, so no other can end meanwhile.
    const ended = await findRecentEnd(tx, domainId, limits)
    if (ended !== undefined) {
      await deleteCheck(tx, id)
      return { check: ended, isNew: false, isPaid: false }
    }
    await queueJob(tx, { checkId: id, domain: request.domain, askedBy: request.askedBy })
    const check = { id, state: 'queued', account_id: accountId, finished_at: null, credits_charged: null }
    return { check: check as StoredCheck, isNew: true, isPaid: true }
  }
  throw new Error(`no check of ${request.domain} was started or joined`)
}

export function queueJob(
  tx: Transaction,
  { checkId, domain, askedBy }: { checkId: number; domain: string; askedBy: AskedBy },
): Promise<void> {
  return queueCheckJob(tx, {
    task: checkTask.name,
    key: checkJobKey(domain),
    checkId,
    attemptsMax: checkTask.attemptsMax,
    priority: priorities[askedBy],
  })
}

/** Starts a check without an account; null if one is open. Staff run theirs in their own process. */
export async function startBackgroundCheck(
  tx: Transaction,
  { domain, askedBy, now }: { domain: string; askedBy: 'refresh' | 'staff'; now: Date },
): Promise<{ checkId: number } | null> {
  const domainId = await findOrInsertDomain(tx, domain)
  const noRequest = { accountId: null, idempotencyKey: null, requestId: null, client: null, keyId: null }
  const checkId = await insertCheck(tx, { domainId, askedBy, ...noRequest, now })
  if (checkId === null) return null
  if (askedBy !== 'staff') await queueJob(tx, { checkId, domain, askedBy })
  return { checkId }
}
