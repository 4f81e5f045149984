import type { Message } from './message.ts'

/** Of a call without `max_credits`, unless its user allows more. */
const defaultCreditsMax = 25

type Ended = { message: Message; wasAsked: boolean; charged: number | null }

/** What the calls of this process may still cost. */
export class Budget {
  readonly #credits: number
  #spent = 0
  /** The service subtracts this itself. */
  #spentInSession = 0

  constructor(credits: number) {
    this.#credits = credits
  }

  /** `X-Baize-Budget` of the next message. */
  get header(): string {
    return String(Math.max(0, this.#credits - this.#spent + this.#spentInSession))
  }

  beginSession(): void {
    this.#spentInSession = 0
  }

  /** Without an answer the most counts that the call could cost. */
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
