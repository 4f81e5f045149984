import type { Database, Transaction } from '../../database/open.ts'
import { settleInTransaction, transactionSettler } from '../../metering/ledger.ts'
import { charge, totalCredits } from '../../metering/pricing.ts'
import {
  hasReservations,
  leaseMs,
  type Reservation,
  release,
  renew,
  reserve,
} from '../../metering/reservations.ts'
import { newSettlementId } from '../../metering/settlement-id.ts'
import {
  lockUnfinished,
  markCompleted,
  markFailed,
  markQueued,
  markRunning,
  markWaiting,
  type UnfinishedExport,
} from './export-store.ts'
import { createExportName, expiryOf, type Truncation } from './schemas.ts'

export type Attempt = UnfinishedExport & {
  attemptId: string
  /** Reserved under the attempt's id: the quote, or the rest of the balance. */
  credits: number
  startedAt: Date
}

/** Limit for awaiting credits that other exports have reserved: one of them may hang. */
export const creditsAwaitedMsMax = 10 * 60_000

/**
 * Replaces an earlier attempt and releases its reservation. null: the export is finished. `waits`: the
 * balance is below the quote until other exports release credits; a file begun now would be truncated.
 */
export function beginAttempt(database: Database, id: number, now: Date): Promise<Attempt | 'waits' | null> {
  return database.transaction().execute(async tx => {
    const unfinished = await lockUnfinished(tx, id)
    if (unfinished === undefined) return null
    await releaseOf(tx, unfinished)
    const reservation = await reserveFor(tx, unfinished, now)
    if (reservation === 'waits') {
      await markWaiting(tx, id, now)
      return 'waits'
    }
    const { reservationId: attemptId, credits } = reservation
    await markRunning(tx, id, attemptId, now)
    return { ...unfinished, attemptId, credits, startedAt: now }
  })
}

/** Without other reservations to wait for, reserves the rest of a balance below the quote. */
async function reserveFor(
  tx: Transaction,
  { id, account_id: accountId, quoted_credits: credits, waiting_since: since }: UnfinishedExport,
  now: Date,
): Promise<Reservation | 'waits'> {
  const settler = transactionSettler(tx)
  const request = { accountId, credits, purpose: `export ${id}`, now }
  const whole = await reserve(settler, { ...request, creditsMin: credits })
  if (whole !== null) return whole
  const hasWaited = since !== null && now.getTime() - since.getTime() >= creditsAwaitedMsMax
  if (!hasWaited && (await hasReservations(tx, accountId))) return 'waits'
  const rest = await reserve(settler, { ...request, creditsMin: 0 })
  if (rest === null) throw new Error(`credits for export ${id} were not reserved`)
  return rest
}

async function releaseOf(
  tx: Transaction,
  { account_id: accountId, attempt_id: reservationId }: Pick<UnfinishedExport, 'account_id' | 'attempt_id'>,
): Promise<void> {
  if (reservationId !== null) await release(transactionSettler(tx), { accountId, reservationId })
}

export type WrittenFile = {
  fileName: string
  bytes: number
  sha256: Buffer
  rows: number
  profiles: number
  expectedRows: number
  truncatedBy: Truncation | null
}

/** Charges and publishes in one commit. null: another attempt has replaced this one. */
export function completeAttempt(
  database: Database,
  attempt: Attempt,
  file: WrittenFile,
  now: Date,
): Promise<number | null> {
  const charges = [
    ...(file.rows > 0 ? [charge('export.row', file.rows)] : []),
    ...(file.profiles > 0 ? [charge('export.operator_launch_profile', file.profiles)] : []),
  ]
  const credits = totalCredits(charges)
  const settlementId = newSettlementId()
  return database.transaction().execute(async tx => {
    const isCurrent = await markCompleted(tx, {
      id: attempt.id,
      attemptId: attempt.attemptId,
      settlementId,
      fileName: file.fileName,
      bytes: file.bytes,
      sha256: file.sha256,
      totalRows: file.rows,
      expectedRows: file.expectedRows,
      truncatedBy: file.truncatedBy,
      creditsUsed: credits,
      completedAt: now,
      expiresAt: expiryOf(now),
    })
    if (!isCurrent) return null
    const { outcome } = await settleInTransaction(tx, {
      kind: 'charge',
      accountId: attempt.account_id,
      settlementId,
      credits,
      charges,
      reservationId: attempt.attemptId,
      ...(attempt.request_id === null ? {} : { requestId: attempt.request_id }),
      note: `export ${attempt.id}`,
      answer: { status: 200 },
      usage: {
        requestedAt: now,
        // Usage names the request; `source` marks the record of the job.
        endpoint: createExportName,
        durationMs: now.getTime() - attempt.startedAt.getTime(),
        requestParams: JSON.stringify({ export_id: attempt.id }),
        source: 'job',
        client: attempt.client,
        keyId: attempt.key_id,
      },
    })
    if (outcome !== 'settled') throw new Error(`export ${attempt.id} was not charged: ${outcome}`)
    return credits
  })
}

export function abandonAttempt(database: Database, { id, account_id, attemptId }: Attempt): Promise<void> {
  return database.transaction().execute(async tx => {
    await markQueued(tx, id, attemptId)
    await releaseOf(tx, { account_id, attempt_id: attemptId })
  })
}

/** Without a charge. false: it is finished already. */
export function failExport(database: Database, id: number, failure: string): Promise<boolean> {
  return database.transaction().execute(async tx => {
    const unfinished = await lockUnfinished(tx, id)
    if (unfinished === undefined) return false
    await markFailed(tx, id, failure)
    await releaseOf(tx, unfinished)
    return true
  })
}

type Lease = Disposable & {
  /** Aborted when the reservation has lapsed, since the file could not be charged. */
  lost: AbortSignal
}

export function startLease(
  database: Database,
  attempt: Attempt,
  now: () => Date,
  everyMs = leaseMs / 3,
): Lease {
  const lost = new AbortController()
  const reservation = {
    reservationId: attempt.attemptId,
    accountId: attempt.account_id,
    credits: attempt.credits,
  }
  const timer = setInterval(() => {
    // A failed renewal is ignored: a lease lasts for three rounds.
    renew(database, reservation, now()).then(
      isReserved => {
        if (!isReserved) lost.abort(new Error(`the credits of export ${attempt.id} are no longer reserved`))
      },
      () => {},
    )
  }, everyMs)
  return { lost: lost.signal, [Symbol.dispose]: () => clearInterval(timer) }
}
