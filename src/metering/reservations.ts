import { sql } from 'kysely'
import type { Database, Transaction } from '../database/open.ts'
import type { Settler } from './settle.ts'
import { newSettlementId } from './settlement-id.ts'

/** How long a reservation holds without being renewed; owners renew at a third of it. */
export const leaseMs = 60_000

export type Reservation = { reservationId: string; accountId: number; credits: number }

export type ReserveRequest = {
  accountId: number
  /** The most that the work may cost; less is held where the balance does not reach, but not below `creditsMin`. */
  credits: number
  creditsMin: number
  purpose: string
  now: Date
}

/** Holds credits for long work; null when the balance does not reach `creditsMin`. */
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

/** Prolongs the lease; false when the sweeper released it already, and the work must reserve again. */
export async function renew(database: Database, reservation: Reservation, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update reservations
       set leased_until = ${new Date(now.getTime() + leaseMs)}
     where reservation_id = ${reservation.reservationId}
    returning 1`.execute(database)
  return rows.length === 1
}

/** Whether anybody holds credits of the account; asked by whoever has just settled something of it in the same transaction. */
export async function hasReservations(tx: Transaction, accountId: number): Promise<boolean> {
  const { rows } = await sql`
    select from reservations where account_id = ${accountId} and credits > 0 limit 1`.execute(tx)
  return rows.length > 0
}

/** Gives back what was held; the same as settling a charge of nothing from it. One that is gone is released already. */
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

const sweptAtOnceMax = 100

/**
 * Releases the reservations whose owner is gone, through the same settling as everyone; says how many. Whether a lease
 * has ended is decided where it is released: one that its owner renews after it was read here stays.
 */
export async function sweepReservations(
  database: Database,
  settler: Pick<Settler, 'settle'>,
  now: Date,
): Promise<number> {
  const { rows } = await sql<Reservation>`
    select reservation_id as "reservationId", account_id as "accountId", credits
      from reservations
     where leased_until < ${now}
     order by leased_until
     limit ${sweptAtOnceMax}`.execute(database)
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
