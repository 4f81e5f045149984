import type { Message } from './message.ts'

/** Limits a call without `max_credits`, unless its user allows more. */
const defaultCreditsMax = 25

type Ended = { message: Message; wasAsked: boolean; charged: number | null }

/** Counts what the calls of this process may still cost. */
export class Budget {
  readonly #credits: number
  #spent = 0
  /** Counts credits in the current session, which the service subtracts itself. */
  #spentInSession = 0

  constructor(credits: number) {
    this.#credits = credits
  }

  /** Returns the header `X-Baize-Budget` for the next message. */
  get header(): string {
    return String(Math.max(0, this.#credits - this.#spent + this.#spentInSession))
  }

  beginSession(): void {
    this.#spentInSession = 0
  }

  /** Adds an ended call. A call without an answer counts as the most that it could cost. */
  count(ended: Ended, isInSession: boolean): void {
    const credits = ended.message.method === 'tools/call' ? (ended.charged ?? this.#mostOf(ended)) : 0
    this.#spent += credits
    if (isInSession) this.#spentInSession += credits
  }

  #mostOf({ message: { params }, wasAsked }: Ended): number {
    const left = Math.max(0, this.#credits - this.#spent)
    if (wasAsked || params?.requestState !== undefined) return left
    const named = params?.arguments?.max_credits
    return Math.min(left, typeof named === 'number' && named >= 0 ? named : defaultCreditsMax)
  }
}
