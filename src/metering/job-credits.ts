/** Credits of a job that outlives its request: reserved at its start, and charged or released at its end. */

import { isConnectionLoss, isLockTimeout } from '@baize/postgres'
import { sql } from 'kysely'
import type { ClientFacts } from '../core/client-facts.ts'
import { Failure } from '../core/failure.ts'
import type { Observe } from '../core/observe.ts'
import type { Charge } from '../core/operation.ts'
import type { Database, Transaction } from '../database/open.ts'
import { settleInTransaction } from './ledger.ts'
import { totalCredits } from './pricing.ts'
import { quotaExceeded } from './quota-exceeded.ts'
import { leaseMs } from './reservations.ts'
import { newSettlementId } from './settlement-id.ts'

type JobReservation = {
  credits: number
  /** Credits that the same request reserves besides, for the message of a refusal. */
  besides?: number
  note: string
  now: Date
}
type Reserve = (wanted: JobReservation) => Promise<string>

/**
 * Runs a transaction that starts a job. `reserve` fails with 429 if the balance is too low. The transaction
 * never locks the account: reservations are settled beside it. They are released if it fails.
 */
export async function startReserved<Result>(
  database: Database,
  observe: Pick<Observe, 'reserve' | 'release'>,
  what: string,
  start: (tx: Transaction, reserve: Reserve) => Promise<Result>,
): Promise<Result> {
  let reserved: string | null = null
  const reserve: Reserve = async ({ credits, besides = 0, note, now }) => {
    const reservationId = newSettlementId()
    const leaseUntil = new Date(now.getTime() + leaseMs)
    const balance = await observe.reserve({ credits, leaseUntil, note, reservationId })
    if (balance !== null) throw quotaExceeded(balance, credits + besides)
    reserved = reservationId
    return reservationId
  }
  try {
    return await inTransaction(database, what, tx => start(tx, reserve))
  } catch (error) {
    // A lost commit may have stored the job. If it has not, its reservation lapses.
    if (reserved !== null && !isConnectionLoss(error)) await observe.release(reserved)
    throw error
  }
}

export async function inTransaction<Result>(
  database: Database,
  what: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction().execute(work)
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    const message = `The ${what} is being updated; nothing was charged. Try again.`
    throw new Failure('service_unavailable', { message, retryAfterSeconds: 2, cause: error })
  }
}

/** Lets a reservation live as long as the row of its job: only its end closes it. */
export async function storeReservation(
  tx: Transaction,
  reservationId: string,
  { table, id }: { table: 'site_checks' | 'lobby_runs'; id: number },
): Promise<void> {
  const { rows } = await sql`
    with reserved as (
      update reservations
         set leased_until = '9000-01-01Z'
       where reservation_id = ${reservationId}
      returning reservation_id
    )
    update ${sql.table(table)} job
       set reservation_id = reserved.reservation_id
      from reserved
     where job.id = ${id}
    returning 1`.execute(tx)
  if (rows.length === 0) throw new Error(`the reservation ${reservationId} has lapsed`)
}

export type JobRequest = {
  accountId: number
  reservationId: string
  requestId: string | null
  client: ClientFacts | null
  keyId: number | null
  startedAt: Date
}
type JobCharge = { charges: readonly Charge[]; note: string; endpoint: string; params: object; now: Date }

/** Charges a job at the end of the worker's transaction, and closes its reservation. */
export async function chargeJob(
  tx: Transaction,
  { accountId, reservationId, requestId, client, keyId, startedAt }: JobRequest,
  { charges, note, endpoint, params, now }: JobCharge,
): Promise<void> {
  const { outcome } = await settleInTransaction(tx, {
    kind: 'charge',
    accountId,
    settlementId: newSettlementId(),
    credits: totalCredits(charges),
    charges,
    reservationId,
    ...(requestId === null ? {} : { requestId }),
    note,
    answer: { status: 200 },
    usage: {
      requestedAt: now,
      endpoint,
      durationMs: Math.max(0, now.getTime() - startedAt.getTime()),
      requestParams: JSON.stringify(params),
      source: 'job',
      client,
      keyId,
    },
  })
  if (outcome !== 'settled') throw new Error(`${note} was not charged: ${outcome}`)
}
