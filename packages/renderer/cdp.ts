import type { Readable, Writable } from 'node:stream'

/** Parameters and results of the Chrome DevTools Protocol, whose types depend on the method. */
// biome-ignore lint/suspicious/noExplicitAny: the protocol's types depend on the method
export type Data = Record<string, any>
type Listener = (method: string, params: Data) => void
type Pending = { resolve(result: Data): void; reject(error: Error): void }
type Message = {
  id?: number
  method?: string
  params?: Data
  result?: Data
  error?: { code: number; message: string }
  sessionId?: string
}

/** Is the answer of JSON-RPC to a method that does not exist. */
const methodNotFound = -32_601

export class UnknownCommand extends Error {}

/** A page of at most 4,000,000 characters is the longest answer. */
const messageBytesMax = 64 * 1024 * 1024

/** Speaks the protocol with Chromium over two pipes, whose messages end with a zero byte. */
export class Connection {
  readonly #input: Writable
  readonly #pending = new Map<number, Pending>()
  readonly #listeners = new Map<string, Listener>()
  readonly #onBroken: (message: string) => void
  #pieces: Buffer[] = []
  #bytes = 0
  #id = 0
  #closed: Error | null = null

  constructor(input: Writable, output: Readable, onBroken: (message: string) => void) {
    this.#input = input
    this.#onBroken = onBroken
    input.on('error', () => {})
    output.on('error', () => {})
    output.on('data', (piece: Buffer) => this.#receive(piece))
  }

  /** `session` is empty for the browser itself. */
  listen(session: string, listener: Listener): void {
    this.#listeners.set(session, listener)
  }

  unlisten(session: string): void {
    this.#listeners.delete(session)
  }

  send(method: string, params: Data = {}, session = ''): Promise<Data> {
    if (this.#closed !== null) return Promise.reject(this.#closed)
    this.#id += 1
    const { promise, resolve, reject } = Promise.withResolvers<Data>()
    this.#pending.set(this.#id, { resolve, reject })
    const to = session === '' ? {} : { sessionId: session }
    this.#input.write(`${JSON.stringify({ id: this.#id, method, params, ...to })}\0`)
    return promise
  }

  /** Sends without waiting. A frame may be gone before the answer. */
  post(method: string, params: Data = {}, session = ''): void {
    this.send(method, params, session).catch(() => {})
  }

  close(why: string): void {
    this.#closed ??= new Error(why)
    for (const { reject } of this.#pending.values()) reject(this.#closed)
    this.#pending.clear()
    this.#listeners.clear()
    this.#pieces = []
  }

  #receive(piece: Buffer): void {
    if (this.#closed !== null) return
    let from = 0
    for (let end = piece.indexOf(0); end >= 0; end = piece.indexOf(0, from)) {
      this.#pieces.push(piece.subarray(from, end))
      const text = Buffer.concat(this.#pieces).toString()
      this.#pieces = []
      this.#bytes = 0
      from = end + 1
      this.#handle(JSON.parse(text) as Message)
    }
    this.#pieces.push(piece.subarray(from))
    this.#bytes += piece.byteLength - from
    if (this.#bytes > messageBytesMax) this.#onBroken(`a message has more than ${messageBytesMax} bytes`)
  }

  #handle({ id, method, params = {}, result = {}, error, sessionId = '' }: Message): void {
    if (method !== undefined) this.#listeners.get(sessionId)?.(method, params)
    const pending = this.#pending.get(id ?? 0)
    this.#pending.delete(id ?? 0)
    if (error === undefined) pending?.resolve(result)
    else if (error.code === methodNotFound) pending?.reject(new UnknownCommand(error.message))
    else pending?.reject(new Error(error.message))
  }
}
