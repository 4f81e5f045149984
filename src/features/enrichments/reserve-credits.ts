import { createHash } from 'node:crypto'
import type { Observe } from '../../core/observe.ts'
import type { Database } from '../../database/open.ts'
import { prices } from '../../metering/pricing.ts'
import { quotaExceeded } from '../../metering/quota-exceeded.ts'
import { isReserved, leaseMs, type Reservation } from '../../metering/reservations.ts'
import { newSettlementId } from '../../metering/settlement-id.ts'

export const refreshCredits = prices['domain.refresh'].credits

export type Reserving = {
  /** The requested domain, or the input as text. */
  domain: string
  accountId: number
  idempotencyKey: string | null
  ownCredits: number
  now: Date
}

const leaseFrom = (now: Date) => new Date(now.getTime() + leaseMs)

/**
 * Reserves the credits of the answer before a request waits. Fails with 429 if the balance is too low.
 * `ofRefresh` credits of the balance were reserved for the same request a moment ago.
 */
export async function reserveOwnCredits(
  database: Database,
  observe: Pick<Observe, 'reserve'>,
  request: Reserving,
  ofRefresh = 0,
): Promise<Reservation> {
  const { domain, accountId, ownCredits: credits, now } = request
  const wanted = { credits, leaseUntil: leaseFrom(now), note: `resolve ${domain}` }
  async function reserve(reservationId: string): Promise<Reservation> {
    const balance = await observe.reserve({ ...wanted, reservationId })
    if (balance === null) return { reservationId, accountId, credits }
    throw quotaExceeded({ ...balance, reserved: balance.reserved - ofRefresh }, credits + ofRefresh)
  }
  const reservation = await reserve(ownReservationId(request))
  if (await isReserved(database, reservation.reservationId)) return reservation
  // An earlier attempt with the same Idempotency-Key has released its reservation, so a new id is needed.
  return reserve(newSettlementId())
}

/**
 * Returns one id for all requests with the same Idempotency-Key: they wait for one delivery, reserved once.
 */
function ownReservationId({ accountId, idempotencyKey, domain, ownCredits }: Reserving): string {
  if (idempotencyKey === null) return newSettlementId()
  const digest = createHash('sha256')
    .update(JSON.stringify(['reservation', accountId, idempotencyKey, domain, ownCredits]))
    .digest('hex')
  // The digest is written as a UUID of version 8, which is for custom layouts.
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-')
}
