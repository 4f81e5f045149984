import { sql } from 'kysely'
import type { Database, Transaction } from '../database/open.ts'
import type { Settler } from './settle.ts'
import { newSettlementId } from './settlement-id.ts'

/** A reservation expires after this time. Owners renew it each time one third of it has passed. */
export const leaseMs = 60_000

export type Reservation = { reservationId: string; accountId: number; credits: number }

export type ReserveRequest = {
  accountId: number
  /**
   * The most that the work may cost. If the balance has less, all of it is reserved, but at least
   * `creditsMin`.
   */
  credits: number
  creditsMin: number
  purpose: string
  now: Date
}

/** Reserves credits for long work. Returns null if the balance has less than `creditsMin`. */
export async function reserve(
  settler: Pick<Settler, 'settle'>,
  request: ReserveRequest,
): Promise<Reservation | null> {
  const reservationId = newSettlementId()
  const outcome = await settler.settle({
    kind: 'reserve',
    accountId: request.accountId,
    settlementId: reservationId,
    credits: request.credits,
    creditsMin: request.creditsMin,
    leaseUntil: new Date(request.now.getTime() + leaseMs),
    note: request.purpose,
  })
  if (outcome.outcome !== 'settled') return null
  return { reservationId, accountId: request.accountId, credits: outcome.moved }
}

/** Extends the lease. Returns false if it was released, and the work must reserve again. */
export async function renew(database: Database, reservation: Reservation, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update reservations
       set leased_until = ${new Date(now.getTime() + leaseMs)}
     where reservation_id = ${reservation.reservationId}
    returning 1`.execute(database)
  return rows.length === 1
}

export async function isReserved(database: Database, reservationId: string): Promise<boolean> {
  const { rows } = await sql`
    select from reservations where reservation_id = ${reservationId}`.execute(database)
  return rows.length > 0
}

/** Must be called after settling in the same transaction, which locks the account. */
export async function hasReservations(tx: Transaction, accountId: number): Promise<boolean> {
  const { rows } = await sql`
    select from reservations where account_id = ${accountId} and credits > 0 limit 1`.execute(tx)
  return rows.length > 0
}

/** Releases reserved credits by a charge of 0. Succeeds even if they were released before. */
export async function release(
  settler: Pick<Settler, 'settle'>,
  reservation: Pick<Reservation, 'reservationId' | 'accountId'>,
): Promise<void> {
  await settler.settle({
    kind: 'charge',
    accountId: reservation.accountId,
    settlementId: newSettlementId(),
    credits: 0,
    reservationId: reservation.reservationId,
    note: 'reservation released',
  })
}

const releasedAtOnceMax = 100

/** Releases expired reservations, and returns how many. Settling checks each lease again. */
export async function releaseExpired(
  database: Database,
  settler: Pick<Settler, 'settle'>,
  now: Date,
): Promise<number> {
  const { rows } = await sql<Reservation>`
    select reservation_id as "reservationId", account_id as "accountId", credits
      from reservations
     where leased_until < ${now}
     order by leased_until
     limit ${releasedAtOnceMax}`.execute(database)
  const outcomes = await Promise.all(
    rows.map(({ accountId, reservationId }) =>
      settler.settle({
        kind: 'release',
        accountId,
        settlementId: newSettlementId(),
        credits: 0,
        reservationId,
        leaseEndedBefore: now,
      }),
    ),
  )
  return outcomes.filter(({ outcome }) => outcome === 'settled').length
}
