import type { ClientFacts } from './client-facts.ts'

/** Starts a check of a site (§4.12) or asks a source for a request, and waits for the result. */
export type Observe = {
  /** Is false when only sources can be asked, and no check of a site can start. */
  checksSites: boolean
  sources: Sources
  requestId: string
  idempotencyKey: string | null
  client: ClientFacts | null
  now(): Date
  /** Adds the request to those that may wait; throws a 503 if too many wait already. */
  enter(): void
  /**
   * Reserves all of `credits`, in turn with the account's charges; once for an id. Returns null, or the
   * balance if it is too low. Fails with 503 if the account is locked.
   */
  reserve(wanted: WantedCredits): Promise<Balance | null>
  release(reservationId: string): Promise<void>
  /** Renews the reservation until the request ends. The delivered data is charged from it. */
  reserved(reservation: { reservationId: string; accountId: number; credits: number }): void
  /**
   * Waits until the check ends, the time is up, or the server stops. Fails if the client disconnects,
   * unless the request has an Idempotency-Key.
   */
  wait(checkId: number): Promise<void>
  /**
   * Requires `enter`. The signal aborts with a TimeoutError when the time is up or the server stops,
   * otherwise when the client disconnects.
   */
  limit(): AbortSignal
}

export type WantedCredits = { reservationId: string; credits: number; leaseUntil: Date; note: string }

type Balance = { granted: number | null; used: number; reserved: number }

/**
 * The answer of an operator's adapter. `lines` are valid records of the interchange format; contacts lack
 * their company.
 */
export type SourceAnswer =
  | { outcome: 'found'; lines: Record<string, unknown>[] }
  | { outcome: 'no_data' | 'temporarily_unavailable' | 'unavailable' | 'too_large' }

/** Rejects only if the signal aborts for another reason than a timeout. */
export type AskSource = (domain: string, signal: AbortSignal) => Promise<SourceAnswer>

/** Sources of data that the operator configures, beside checks of sites. */
export type Sources = {
  /** Null when no source is configured. */
  firmographics: AskSource | null
  contacts: AskSource | null
  /** Stores lines as an import does. Returns false if another writer locks the data. */
  store(lines: readonly Record<string, unknown>[]): Promise<boolean>
}

export const noSources: Sources = { firmographics: null, contacts: null, store: async () => false }
