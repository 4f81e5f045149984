import type { Database, Transaction } from '../../database/open.ts'
import { chargeJob } from '../../metering/job-credits.ts'
import { transactionSettler } from '../../metering/ledger.ts'
import { charge, totalCredits } from '../../metering/pricing.ts'
import { release } from '../../metering/reservations.ts'
import {
  type CheckEnd,
  type ClaimedCheck,
  listOpenChecks,
  markCheckRunning,
  markFinished,
} from './checks-store.ts'
import { checkJobKey, queueJob } from './start-check.ts'

/** Claims a check; null if it is finished. A running check is claimed again, because its worker has died. */
export async function claimCheck(
  database: Database,
  checkId: number,
  now: Date,
): Promise<ClaimedCheck | null> {
  return (await markCheckRunning(database, checkId, now)) ?? null
}

export type FinishedCheck = {
  /** The reason of the failure; null if the check is completed. */
  failure: string | null
  readingId: number | null
  now: Date
  /** Derives data from the reading, after the check is marked as finished and before it is charged. */
  apply?: () => Promise<void>
}

/**
 * Finishes a check at the end of the worker's transaction: charges its refresh or releases the credits, and
 * wakes waiting requests. It throws if another worker has finished the check; the transaction must roll
 * back.
 */
export async function finishCheck(
  tx: Transaction,
  check: ClaimedCheck,
  { failure, readingId, now, apply }: FinishedCheck,
): Promise<{ creditsCharged: number }> {
  const charges = failure === null && check.accountId !== null ? [charge('domain.refresh', 1)] : []
  const creditsCharged = totalCredits(charges)
  const end: CheckEnd = {
    checkId: check.checkId,
    state: failure === null ? 'completed' : 'failed',
    reason: failure,
    readingId,
    creditsCharged,
    now,
  }
  if (!(await markFinished(tx, end))) throw new Error(`check ${check.checkId} was finished by another worker`)
  await apply?.()
  const { accountId, reservationId } = check
  if (accountId === null || reservationId === null) return { creditsCharged }
  if (failure !== null) {
    await release(transactionSettler(tx), { accountId, reservationId })
    return { creditsCharged }
  }
  await chargeJob(
    tx,
    { ...check, accountId, reservationId },
    {
      charges,
      note: `check ${check.checkId}`,
      endpoint: check.askedBy === 'enrichment' ? 'create_enrichment' : 'resolve_domain',
      params: { domain: check.domain },
      now,
    },
  )
  return { creditsCharged }
}

/** Fails a check that no worker will finish, without a charge. Returns false if it is already finished. */
async function failCheck(database: Database, check: ClaimedCheck, now: Date): Promise<boolean> {
  return database.transaction().execute(async tx => {
    const end = { state: 'failed', reason: interrupted, readingId: null, creditsCharged: 0, now } as const
    if (!(await markFinished(tx, { checkId: check.checkId, ...end }))) return false
    const { accountId, reservationId } = check
    if (accountId !== null && reservationId !== null)
      await release(transactionSettler(tx), { accountId, reservationId })
    return true
  })
}

/** The reason that customers see; the worker's error is only logged. */
const interrupted = 'interrupted'

/** The most attempts at a check. Some may have ended without a trace, as when a worker was killed. */
const attemptsMax = 5

/** The longest check of a staff command, which runs it without a job. */
const staffCheckMsMax = 5 * 60_000

export type FindJobs = (
  database: Database,
  keys: readonly string[],
) => Promise<{ key: string; state: string; last_error: string | null }[]>

/** Queues open checks whose job is missing. A check fails if its job failed, or after too many attempts. */
export async function failLostChecks(
  database: Database,
  findJobs: FindJobs,
  now: Date,
): Promise<{ checkId: number; failure: string }[]> {
  const open = await listOpenChecks(database)
  if (open.length === 0) return []
  const found = await findJobs(
    database,
    open.map(check => checkJobKey(check.domain)),
  )
  const jobs = new Map(found.map(job => [job.key, job] as const))
  const failed: { checkId: number; failure: string }[] = []
  for (const check of open) {
    const job = jobs.get(checkJobKey(check.domain))
    if (job !== undefined && job.state !== 'failed') continue
    if (check.askedBy === 'staff' && now.getTime() - check.startedAt.getTime() < staffCheckMsMax) continue
    if (job === undefined && check.attempt < attemptsMax && check.askedBy !== 'staff') {
      await database.transaction().execute(tx => queueJob(tx, check))
      continue
    }
    const failure = job?.last_error ?? 'the worker ended in the middle of it'
    if (await failCheck(database, check, now)) failed.push({ checkId: check.checkId, failure })
  }
  return failed
}
