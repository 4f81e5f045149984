import type { Database, Transaction } from '../../database/open.ts'
import { settleIn } from '../../metering/ledger.ts'
import { charge, totalCredits } from '../../metering/pricing.ts'
import { leaseMs, renew } from '../../metering/reservations.ts'
import { newSettlementId } from '../../metering/settlement-id.ts'
import { createExport } from './create-export.ts'
import {
  lockUnfinished,
  markCompleted,
  markFailed,
  markRunning,
  type UnfinishedExport,
} from './export-store.ts'
import { fileLifetimeHours } from './schemas.ts'

/** One try at writing an export: what it is to write, and the credits that it holds. */
export type Attempt = UnfinishedExport & {
  attemptId: string
  /** Reserved under the attempt's id: the quote, or what the balance had left of it. */
  credits: number
  startedAt: Date
}

/**
 * Begins an attempt in place of whatever attempt there was before, whose reservation goes back first: credits that a
 * killed worker still holds are this export's own. null: the export is finished, and nothing is left to do.
 */
export function beginAttempt(database: Database, id: number, now: Date): Promise<Attempt | null> {
  return database.transaction().execute(async tx => {
    const found = await lockUnfinished(tx, id)
    if (found === undefined) return null
    const attemptId = newSettlementId()
    await markRunning(tx, id, attemptId, now)
    if (found.attempt_id !== null) await releaseReservation(tx, found.account_id, found.attempt_id)
    const { outcome, moved } = await settleIn(tx, {
      kind: 'reserve',
      accountId: found.account_id,
      settlementId: attemptId,
      credits: found.quoted_credits,
      leaseUntil: new Date(now.getTime() + leaseMs),
      note: `export ${id}`,
    })
    if (outcome !== 'settled') throw new Error(`credits for export ${id} were not reserved: ${outcome}`)
    return { ...found, attemptId, credits: moved, startedAt: now }
  })
}

/** The same as settling a charge of nothing from it; one that is gone is released already. */
async function releaseReservation(tx: Transaction, accountId: number, reservationId: string): Promise<void> {
  await settleIn(tx, {
    kind: 'charge',
    accountId,
    settlementId: newSettlementId(),
    credits: 0,
    reservationId,
    note: 'reservation released',
  })
}

export type WrittenFile = {
  fileName: string
  bytes: number
  sha256: Buffer
  rows: number
  profiles: number
  expectedRows: number
  truncatedBy: 'row_limit' | 'credits' | null
}

/**
 * Charges for what was written and makes it visible, in one commit. Tells the credits; null when another attempt has
 * taken the export over, and nothing is charged for this one.
 */
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
    const isOurs = await markCompleted(tx, {
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
      expiresAt: new Date(now.getTime() + fileLifetimeHours * 3_600_000),
    })
    if (!isOurs) return null
    const { outcome } = await settleIn(tx, {
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
        // What was asked for, and by `source` when: writing it is nothing that its owner knows.
        endpoint: createExport.name,
        durationMs: now.getTime() - attempt.startedAt.getTime(),
        requestParams: JSON.stringify({ export_id: attempt.id }),
        source: 'job',
        client: null,
      },
    })
    if (outcome !== 'settled') throw new Error(`export ${attempt.id} was not charged: ${outcome}`)
    return credits
  })
}

/** Gives back what a failed attempt held; if the next attempt has it already, nothing is left to give. */
export function abandonAttempt(database: Database, attempt: Attempt): Promise<void> {
  return database.transaction().execute(tx => releaseReservation(tx, attempt.account_id, attempt.attemptId))
}

/** Ends an export that nobody tries any more; nothing of it is charged. false: it is finished already. */
export function failExport(database: Database, id: number, failure: string): Promise<boolean> {
  return database.transaction().execute(async tx => {
    const found = await lockUnfinished(tx, id)
    if (found === undefined) return false
    await markFailed(tx, id, failure)
    if (found.attempt_id !== null) await releaseReservation(tx, found.account_id, found.attempt_id)
    return true
  })
}

export type Lease = Disposable & {
  /** Aborted when the reservation is gone: whatever is written then could not be charged for. */
  lost: AbortSignal
}

/** Keeps the reservation of an attempt while it is at work. */
export function keepLease(
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
    // A database that is away for a moment leaves the lease as it is; it lasts for three rounds.
    renew(database, reservation, now()).then(
      stillHeld => {
        if (!stillHeld) lost.abort(new Error(`the credits of export ${attempt.id} are no longer reserved`))
      },
      () => {},
    )
  }, everyMs)
  return { lost: lost.signal, [Symbol.dispose]: () => clearInterval(timer) }
}
