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
import { createExportName, expiryOf } from './schemas.ts'

/** One try at writing an export: what it is to write, and the credits that it holds. */
export type Attempt = UnfinishedExport & {
  attemptId: string
  /** Reserved under the attempt's id: the quote, or what the balance had left of it. */
  credits: number
  startedAt: Date
}

/** An export waits no longer than this for credits that others of its account hold: one whose store hangs holds them on. */
export const creditsAwaitedMsMax = 10 * 60_000

/**
 * Begins an attempt in place of whatever attempt there was before, whose reservation goes back first: credits that a
 * killed worker still holds are this export's own. null: the export is finished, and nothing is left to do. `waits`: the
 * balance has less than the quote while others of the account hold some of it, most of which comes back when they are
 * complete; begun now, the file would be cut off for good.
 */
export function beginAttempt(database: Database, id: number, now: Date): Promise<Attempt | 'waits' | null> {
  return database.transaction().execute(async tx => {
    const found = await lockUnfinished(tx, id)
    if (found === undefined) return null
    await releaseOf(tx, found)
    const reservation = await reserveFor(tx, found, now)
    if (reservation === 'waits') {
      await markWaiting(tx, id, now)
      return 'waits'
    }
    const { reservationId: attemptId, credits } = reservation
    await markRunning(tx, id, attemptId, now)
    return { ...found, attemptId, credits, startedAt: now }
  })
}

/** The whole quote, or what the balance has left of it where nobody who holds the rest is worth waiting for. */
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

/** Gives back what the attempt that an export names still holds. */
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
      expiresAt: expiryOf(now),
    })
    if (!isOurs) return null
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
        // What was asked for, and by `source` when: writing it is nothing that its owner knows.
        endpoint: createExportName,
        durationMs: now.getTime() - attempt.startedAt.getTime(),
        requestParams: JSON.stringify({ export_id: attempt.id }),
        source: 'job',
        client: attempt.client,
      },
    })
    if (outcome !== 'settled') throw new Error(`export ${attempt.id} was not charged: ${outcome}`)
    return credits
  })
}

/**
 * Gives back what a failed attempt held, and says that nobody writes the export until the next one; if that has it
 * already, nothing is left to give or to say.
 */
export function abandonAttempt(database: Database, { id, account_id, attemptId }: Attempt): Promise<void> {
  return database.transaction().execute(async tx => {
    await markQueued(tx, id, attemptId)
    await releaseOf(tx, { account_id, attempt_id: attemptId })
  })
}

/** Ends an export that nobody tries any more; nothing of it is charged. false: it is finished already. */
export function failExport(database: Database, id: number, failure: string): Promise<boolean> {
  return database.transaction().execute(async tx => {
    const found = await lockUnfinished(tx, id)
    if (found === undefined) return false
    await markFailed(tx, id, failure)
    await releaseOf(tx, found)
    return true
  })
}

export type Lease = Disposable & {
  /** Aborted when the reservation is gone: whatever is written then could not be charged for. */
  lost: AbortSignal
}

/** Keeps the reservation of an attempt while it is at work. */
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
