import { Failure } from '../../core/failure.ts'
import type { Observe, Sources, WantedCredits } from '../../core/observe.ts'
import type { Caller } from '../../core/operation.ts'
import { accountBusy, busyRetryAfterSeconds } from '../../metering/account-busy.ts'
import { leaseMs, type Reservation, release, renew } from '../../metering/reservations.ts'
import { OutcomeUnknown } from '../../metering/settle.ts'
import type { SettleOutcome } from '../../metering/settle-statement.ts'
import type { Service } from '../service.ts'
import type { RequestState } from './request-state.ts'

/** Reserves credits for one request that asks for a check of a site, and waits for the check. */
export class RequestChecks implements Observe {
  readonly requestId: string
  readonly client: Observe['client']
  readonly idempotencyKey: string | null
  readonly #service: Service
  readonly #state: RequestState
  #left: AbortSignal | null = null
  #timeIsUp: AbortSignal | null = null
  #hasEntered = false
  #renewing: NodeJS.Timeout | null = null
  #reservation: Reservation | null = null
  /** Is true when a charge has closed the reservation. */
  isCharged = false

  constructor(service: Service, state: RequestState, idempotencyKey: string | null) {
    this.#service = service
    this.#state = state
    this.requestId = state.request.id
    this.client = state.request.client
    this.idempotencyKey = idempotencyKey
  }

  get reservationId(): string | undefined {
    return this.#reservation?.reservationId
  }

  get #accountId(): number {
    return (this.#state.caller as Caller).accountId
  }

  get checksSites(): boolean {
    return this.#service.settings.observation.isOn
  }

  get sources(): Sources {
    return this.#service.sources
  }

  now(): Date {
    return this.#service.now()
  }

  enter(): void {
    this.#service.waits.enter()
    this.#hasEntered = true
    this.#timeIsUp = AbortSignal.timeout(this.#service.settings.observation.waitSeconds * 1_000)
    // With a key the request is completed, and its answer stored, even if the client disconnects.
    if (this.idempotencyKey === null) this.#left = this.#state.request.left()
  }

  async reserve({ reservationId, ...wanted }: WantedCredits): Promise<SettleOutcome | null> {
    const outcome = await this.#service.settler
      .settle({
        kind: 'reserve',
        accountId: this.#accountId,
        settlementId: reservationId,
        creditsMin: wanted.credits,
        requestId: this.requestId,
        ...wanted,
      })
      .catch((error: unknown) => {
        if (!(error instanceof OutcomeUnknown)) throw error
        // Reserved credits are released when their lease ends.
        throw new Failure('service_unavailable', {
          message: 'The database connection was lost; nothing was charged. Try again.',
          retryAfterSeconds: busyRetryAfterSeconds,
          cause: error,
        })
      })
    if (outcome.outcome === 'busy') throw accountBusy()
    return outcome.outcome === 'settled' ? null : outcome
  }

  release(reservationId: string): Promise<void> {
    return release(this.#service.settler, { reservationId, accountId: this.#accountId }).catch(error =>
      this.#service.log.warn({ err: error }, 'a reservation was not released; its lease lapses'),
    )
  }

  reserved(reservation: Reservation): void {
    this.#reservation = reservation
    // A failed renewal is ignored, because a lease lasts for three rounds.
    this.#renewing = setInterval(() => {
      renew(this.#service.live.database, reservation, this.now()).catch(() => {})
    }, leaseMs / 3)
  }

  wait(checkId: number): Promise<void> {
    return this.#service.waits.wait(checkId, this.#left, this.#timeIsUp)
  }

  limit(): AbortSignal {
    return AbortSignal.any(
      [this.#left, this.#timeIsUp, this.#service.waits.stopping].filter(signal => signal !== null),
    )
  }

  /** Throws if the client has disconnected, because an undelivered verdict is not charged. */
  requireClient(): void {
    this.#left?.throwIfAborted()
  }

  async end(): Promise<void> {
    if (this.#renewing !== null) clearInterval(this.#renewing)
    if (this.#reservation !== null && !this.isCharged) await this.release(this.#reservation.reservationId)
    if (this.#hasEntered) this.#service.waits.leave()
  }
}
