export type CallOptions = {
  /** Ends the call with the reason of the signal, also between attempts. */
  signal?: AbortSignal | undefined
  /** Default: a random one for each call, the same for all its attempts. */
  idempotencyKey?: string | undefined
  /** Of each attempt. */
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
  /** Added to each request, such as `range` for a download. */
  headers?: Record<string, string> | undefined
}

/** An answer with what came around it. */
export type Reply<Answer> = {
  data: Answer
  /** Its body was read, unless it is a file. */
  response: Response
  /** The body as received; empty for a file. */
  text: string
  requestId: string | null
  /** null: the operation is free. */
  creditsCharged: number | null
  /** null: the operation is free, or the account has no quota. */
  creditsRemaining: number | null
  /** The answer of an earlier call with the same key, which was free now. */
  isReplay: boolean
  idempotencyKey: string | null
  attempts: number
}

/**
 * A call of an operation, which is sent when it is awaited, and only once. It is a Promise of the answer's
 * `data`.
 */
export class Call<Answer> implements Promise<Answer> {
  readonly [Symbol.toStringTag] = 'Call'
  readonly #send: () => Promise<Reply<Answer>>
  #reply: Promise<Reply<Answer>> | undefined

  constructor(send: () => Promise<Reply<Answer>>) {
    this.#send = send
  }

  /** The answer with its headers, its price and its raw text. */
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
