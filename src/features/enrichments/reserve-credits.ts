import { createHash } from 'node:crypto'
import type { Database, Transaction } from '../../database/open.ts'
import { settleInTransaction } from '../../metering/ledger.ts'
import { prices } from '../../metering/pricing.ts'
import { quotaExceeded } from '../../metering/quota-exceeded.ts'
import { isReserved, leaseMs, type Reservation } from '../../metering/reservations.ts'
import type { SettleOutcome } from '../../metering/settle-statement.ts'
import { newSettlementId } from '../../metering/settlement-id.ts'
import { storeReservation } from './checks-store.ts'

export const refreshCredits = prices['domain.refresh'].credits

/** The reservation of a check lives as long as the check: only its end closes it. */
const neverLapses = new Date('9000-01-01T00:00:00Z')

type Reserving = {
  /** What is resolved: a domain, or the input as text. */
  domain: string
  accountId: number
  requestId: string
  idempotencyKey: string | null
  ownCredits: number
  now: Date
}

/** What the request may deliver, before it waits. 429 if the balance is less. */
export async function reserveOwnCredits(database: Database, request: Reserving): Promise<Reservation> {
  return database.transaction().execute(async tx => {
    const { reservationId, outcome } = await reserveOwn(tx, request)
    if (outcome.outcome !== 'settled') throw quotaExceeded(outcome, request.ownCredits)
    return { reservationId, accountId: request.accountId, credits: request.ownCredits }
  })
}

/** The refresh for a new check, and the request's own credits. */
export async function reserveForCheck(
  tx: Transaction,
  request: Reserving,
  { checkId }: { checkId: number | null },
): Promise<Reservation | null> {
  const { accountId, ownCredits } = request
  const ofRefresh = checkId === null ? 0 : refreshCredits
  const required = ownCredits + ofRefresh
  if (checkId !== null) {
    const reservationId = newSettlementId()
    const wanted = { credits: refreshCredits, leaseUntil: neverLapses, note: `check ${checkId}` }
    const outcome = await reserve(tx, request, { ...wanted, reservationId })
    if (outcome.outcome !== 'settled') throw quotaExceeded(outcome, required)
    await storeReservation(tx, checkId, reservationId)
  }
  if (ownCredits === 0) return null
  const { reservationId, outcome } = await reserveOwn(tx, request)
  if (outcome.outcome !== 'settled')
    throw quotaExceeded({ ...outcome, reserved: outcome.reserved - ofRefresh }, required)
  return { reservationId, accountId, credits: ownCredits }
}

async function reserveOwn(
  tx: Transaction,
  request: Reserving,
): Promise<{ reservationId: string; outcome: SettleOutcome }> {
  const { domain, ownCredits: credits, now } = request
  const leaseUntil = new Date(now.getTime() + leaseMs)
  const wanted = { credits, leaseUntil, note: `resolve ${domain}` }
  const reservationId = ownReservationId(request)
  const outcome = await reserve(tx, request, { ...wanted, reservationId })
  if (outcome.outcome !== 'settled' || (await isReserved(tx, reservationId)))
    return { reservationId, outcome }
  // An earlier attempt with the key has released it.
  const another = newSettlementId()
  return {
    reservationId: another,
    outcome: await reserve(tx, request, { ...wanted, reservationId: another }),
  }
}

type Wanted = { credits: number; reservationId: string; leaseUntil: Date; note: string }

function reserve(
  tx: Transaction,
  { accountId, requestId }: Reserving,
  { credits, reservationId, leaseUntil, note }: Wanted,
): Promise<SettleOutcome> {
  return settleInTransaction(tx, {
    kind: 'reserve',
    accountId,
    settlementId: reservationId,
    credits,
    creditsMin: credits,
    leaseUntil,
    note,
    requestId,
  })
}

/** The same for requests with one key: they wait for one delivery, and reserve its credits once. */
function ownReservationId({ accountId, idempotencyKey, domain, ownCredits }: Reserving): string {
  if (idempotencyKey === null) return newSettlementId()
  const digest = createHash('sha256')
    .update(JSON.stringify(['reservation', accountId, idempotencyKey, domain, ownCredits]))
    .digest('hex')
  // The layout of a UUID of version 8: a digest of our own.
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-')
}
