import type { Operation } from './api.ts'
import { Call, type CallOptions, type Reply } from './call.ts'
import { MaxCreditsExceededError } from './error-codes.ts'
import { pause } from './pause.ts'
import { decodePosition, encodePosition, type Position } from './position.ts'

export type PagesOptions<Answer = unknown> = CallOptions & {
  /** The start: the `cursor` of an earlier iteration with the same parameters. */
  cursor?: string | undefined
  /**
   * Limits the credits of the whole iteration. A page beyond it throws a MaxCreditsExceededError and costs
   * nothing.
   */
  maxCredits?: number | undefined
  /**
   * Seconds between requests at the end of a feed. The iteration then continues until its signal ends it.
   */
  pollSeconds?: number | undefined
  /** A function that the client calls with each page that arrives, also with one without rows. */
  onPage?(page: Answer): void
}

type Page = { next_cursor: string | null; has_more: boolean }
type Send<Answer> = (params: object, options: CallOptions) => Promise<Reply<Answer>>

/**
 * An operation with pages. Awaited, it is the first page. `for await` gives the rows of all pages, and pays
 * for each page when its first row is needed. An interrupted iteration can continue from its `cursor`.
 */
export class Pages<Answer, Row> extends Call<Answer> implements AsyncIterable<Row> {
  readonly #walk: Walk<Answer, Row>

  constructor(operation: Operation, params: object, options: PagesOptions<Answer>, send: Send<Answer>) {
    const walk = new Walk<Answer, Row>(operation, params, options, send)
    super(() => walk.page())
    this.#walk = walk
  }

  /**
   * The position after the row that the iteration gave last. Save it when that row is safely processed. An
   * iteration from this cursor repeats and skips no row, and for 7 days pays no page again.
   */
  get cursor(): string {
    return this.#walk.cursor
  }

  [Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    return this.#walk.rows()
  }

  /** Returns whole pages, which have more than rows, such as the state of a feed's sources. */
  pages(): AsyncGenerator<Answer, void, undefined> {
    return this.#walk.pages()
  }
}

class Walk<Answer, Row> {
  readonly #operation: Operation
  readonly #params: Record<string, unknown>
  readonly #options: PagesOptions<Answer>
  readonly #send: Send<Answer>
  #position: Position
  /** The page at the current position. */
  #page: Promise<Reply<Answer>> | null = null
  /** Is true if the last page was returned as a whole. */
  #isGiven = false
  #spent = 0

  constructor(operation: Operation, params: object, options: PagesOptions<Answer>, send: Send<Answer>) {
    this.#operation = operation
    this.#params = { ...params }
    this.#options = options
    this.#send = send
    const { cursor, idempotencyKey = crypto.randomUUID() } = options
    const start = { after: null, key: idempotencyKey, ceiling: this.#budget(), taken: 0 }
    this.#position = cursor === undefined ? start : decodePosition(cursor, start)
  }

  get cursor(): string {
    return encodePosition(this.#position)
  }

  page(): Promise<Reply<Answer>> {
    this.#page ??= this.#ask().catch(error => {
      this.#page = null
      throw error
    })
    return this.#page
  }

  async *rows(): AsyncGenerator<Row, void, undefined> {
    for (;;) {
      const { reply, rows, hasNext, next } = await this.#read()
      const from = this.#position.taken
      if (rows.length <= from && hasNext) this.#advance(next)
      for (const [index, row] of rows.entries()) {
        if (index < from) continue
        this.#position.taken = index + 1
        if (index === rows.length - 1 && hasNext) this.#advance(next)
        yield row
      }
      if (!hasNext || !(await this.#goesOn(reply))) return
    }
  }

  async *pages(): AsyncGenerator<Answer, void, undefined> {
    for (;;) {
      const { reply, rows, hasNext, next } = await this.#read()
      if (!hasNext && this.#isGiven) return
      this.#position.taken = rows.length
      this.#isGiven = !hasNext
      if (hasNext) this.#advance(next)
      yield reply.data
      if (!hasNext || !(await this.#goesOn(reply))) return
    }
  }

  async #read(): Promise<{ reply: Reply<Answer>; rows: Row[]; hasNext: boolean; next: string | null }> {
    const reply = await this.page()
    const { next_cursor: next } = reply.data as Page
    const rows = (reply.data as Record<string, Row[] | undefined>)[this.#operation.rows ?? ''] ?? []
    // A feed without any row has no cursor yet. Elsewhere a null cursor means the end.
    const hasNext = next !== null || (rows.length === 0 && this.#position.after === null)
    return { reply, rows, hasNext, next }
  }

  /** Decides whether to request the next page, now or after a pause. */
  async #goesOn({ data, isReplay }: Reply<Answer>): Promise<boolean> {
    // A replay may be older than the newest rows.
    if ((data as Page).has_more || isReplay) return true
    const { pollSeconds, signal } = this.#options
    if (pollSeconds === undefined) return false
    await pause(pollSeconds * 1000, signal)
    return true
  }

  #advance(after: string | null): void {
    this.#page = null
    this.#position = { after, key: crypto.randomUUID(), ceiling: this.#budget(), taken: 0 }
  }

  /** Returns the limit of the next page; null if there is none. */
  #budget(): number | null {
    const { maxCredits = Number.POSITIVE_INFINITY } = this.#options
    const perRequest = (this.#params.max_credits as number | undefined) ?? Number.POSITIVE_INFINITY
    const budget = Math.min(perRequest, Math.max(0, maxCredits - this.#spent))
    return Number.isFinite(budget) ? budget : null
  }

  async #ask(): Promise<Reply<Answer>> {
    const { after, key, ceiling } = this.#position
    const params: Record<string, unknown> = { ...this.#params }
    // Free operations do not accept max_credits.
    if (this.#operation.isPriced) params.max_credits = ceiling ?? undefined
    // Omits the page number, because the service refuses it beside `after`.
    if (after !== null) Object.assign(params, { after, page: undefined })
    try {
      const reply = await this.#send(params, { ...this.#options, idempotencyKey: key })
      this.#spent += reply.creditsCharged ?? 0
      this.#options.onPage?.(reply.data)
      return reply
    } catch (error) {
      const budget = this.#budget() ?? Number.POSITIVE_INFINITY
      if (!(error instanceof MaxCreditsExceededError) || ceiling === null || ceiling >= budget) throw error
      // The limit came from an earlier iteration with a smaller budget, and nothing was charged. So the
      // request is sent with a new key.
      this.#position = { ...this.#position, key: crypto.randomUUID(), ceiling: this.#budget() }
      return this.#ask()
    }
  }
}
