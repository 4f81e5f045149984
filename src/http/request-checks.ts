import type { Observe } from '../core/operation.ts'
import type { Sources } from '../core/sources.ts'
import { leaseMs, type Reservation, release, renew } from '../metering/reservations.ts'
import type { RequestState } from './request-state.ts'
import type { Service } from './service.ts'

/** The reservation and the waiting of one request that asks for a check of a site. */
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
  /** Set when a charge has closed the reservation. */
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
    // With a key the request is carried through, and its answer stored, client or no client.
    if (this.idempotencyKey === null) this.#left = this.#state.request.left()
  }

  reserved(reservation: Reservation): void {
    this.#reservation = reservation
    // A failed renewal is ignored: a lease lasts for three rounds.
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

  /** An undelivered verdict is not charged. */
  requireClient(): void {
    this.#left?.throwIfAborted()
  }

  async end(): Promise<void> {
    if (this.#renewing !== null) clearInterval(this.#renewing)
    if (this.#reservation !== null && !this.isCharged) {
      await release(this.#service.settler, this.#reservation).catch(error =>
        this.#service.log.warn({ err: error }, 'a reservation was not released; its lease lapses'),
      )
    }
    if (this.#hasEntered) this.#service.waits.leave()
  }
}
