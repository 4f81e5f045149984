export type CallOptions = {
  /** Ends the call with the reason of the signal, also between attempts. */
  signal?: AbortSignal | undefined
  /** The key of the call, the same for all attempts. The default is a random key for each call. */
  idempotencyKey?: string | undefined
  /** Limits each attempt, in milliseconds. */
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
  /** Headers that are added to each request, such as `range` for a download. */
  headers?: Record<string, string> | undefined
}

/** An answer with its response and its charge. */
export type Reply<Answer> = {
  data: Answer
  /** The response. Its body was already read, unless it is a file. */
  response: Response
  /** The body as received; empty for a file. */
  text: string
  requestId: string | null
  /** The charge; null for a free operation. */
  creditsCharged: number | null
  /** The balance; null for a free operation, or an account without a quota. */
  creditsRemaining: number | null
  /** Is true for the stored answer of an earlier call with the same key. A replay is free. */
  isReplay: boolean
  idempotencyKey: string | null
  attempts: number
}

/**
 * A call of an operation. It is a Promise of the answer's `data`. The request is sent once, when the call
 * is awaited.
 */
export class Call<Answer> implements Promise<Answer> {
  readonly [Symbol.toStringTag] = 'Call'
  readonly #send: () => Promise<Reply<Answer>>
  #reply: Promise<Reply<Answer>> | undefined

  constructor(send: () => Promise<Reply<Answer>>) {
    this.#send = send
  }

  /** Returns the answer with its headers, its price and its raw text. */
  withResponse(): Promise<Reply<Answer>> {
    this.#reply ??= this.#send()
    return this.#reply
  }

  // biome-ignore lint/suspicious/noThenProperty: a call is awaited like a Promise.
  then<Value = Answer, Failed = never>(
    onAnswer?: ((answer: Answer) => Value | PromiseLike<Value>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Value | Failed> {
    return this.#data().then(onAnswer, onError)
  }

  catch<Failed = never>(
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Answer | Failed> {
    return this.#data().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Answer> {
    return this.#data().finally(onEnd)
  }

  async #data(): Promise<Answer> {
    return (await this.withResponse()).data
  }
}
