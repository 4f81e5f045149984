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
  markExportRunning,
  markFailed,
  markQueued,
  markWaiting,
  type UnfinishedExport,
} from './export-store.ts'
import { createExportName, expiryOf, type Truncation } from './schemas.ts'

export type ExportAttempt = UnfinishedExport & {
  attemptId: string
  /** The credits reserved under the attempt's id: the quote, or the available balance if it is lower. */
  credits: number
  startedAt: Date
}

/** The longest wait for credits that other exports have reserved, because one of them may hang. */
export const creditsAwaitedMsMax = 10 * 60_000

/**
 * Starts an attempt to write an export, and releases the reservation of an earlier one. The result is null
 * if the export is finished. It is `waits` if other exports have reserved credits that the quote needs; a
 * file begun now would be truncated.
 */
export function beginAttempt(
  database: Database,
  id: number,
  now: Date,
): Promise<ExportAttempt | 'waits' | null> {
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
    await markExportRunning(tx, id, attemptId, now)
    return { ...unfinished, attemptId, credits, startedAt: now }
  })
}

/** Reserves the quote. A lower balance is reserved whole once there are no reservations to wait for. */
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

/** Charges the export and publishes its file in one commit; null if another attempt has replaced it. */
export function completeAttempt(
  database: Database,
  attempt: ExportAttempt,
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
        // The record names the request's endpoint; its `source` shows that a job wrote it.
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

export function abandonAttempt(
  database: Database,
  { id, account_id, attemptId }: ExportAttempt,
): Promise<void> {
  return database.transaction().execute(async tx => {
    await markQueued(tx, id, attemptId)
    await releaseOf(tx, { account_id, attempt_id: attemptId })
  })
}

/** Fails an export without a charge. Returns false if it is already finished. */
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
  /** Is aborted when the reservation lapses, because the file can no longer be charged. */
  lost: AbortSignal
}

export function startLease(
  database: Database,
  attempt: ExportAttempt,
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
    // A failed renewal is ignored, because a lease lasts for three rounds.
    renew(database, reservation, now()).then(
      isReserved => {
        if (!isReserved) lost.abort(new Error(`the credits of export ${attempt.id} are no longer reserved`))
      },
      () => {},
    )
  }, everyMs)
  return { lost: lost.signal, [Symbol.dispose]: () => clearInterval(timer) }
}
