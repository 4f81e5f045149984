import { version } from '../index.ts'
import { reasonOf } from '../reason-of.ts'
import type { Budget } from './budget.ts'
import { note } from './command.ts'
import { headersOf, type Message, parseMessage } from './message.ts'
import { write } from './output.ts'
import { readMessages } from './read-messages.ts'

type Service = { baseUrl: string; apiKey: string; budget: Budget | null }

/** A message that waits for its turn, or for its answer. */
type Open = {
  message: Message
  text: string
  ending: AbortController
  /** Is true if the service has asked the user a question. */
  wasAsked: boolean
  /** The charge; null if the answer is lost or has not arrived. */
  charged: number | null
}

const openMax = 32
/** Limits the silence of the service: a call may take 240 seconds, and a user's reply 120. */
const silenceMsMax = 300_000
/** Limits a line from stdin, above the size that the service accepts. */
export const lineCharactersMax = 640 * 1024
const deleteMsMax = 5_000
/** Error codes of connecting, after which the call did not reach the service. */
const unsentCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']
const [unreadable, internalError, failed] = [-32700, -32603, -32000]

/** Sends messages to `/mcp`, and writes the answers to stdout, one on each line. */
export class Relay {
  readonly #service: Service
  readonly #url: string
  readonly #open = new Map<Open, Promise<void>>()
  #session: string | null = null
  /** The protocol version from `initialize`. Newer clients repeat theirs in each message. */
  #version: string | null = null
  #turn = Promise.resolve()
  #isEnding = false

  constructor(service: Service) {
    this.#service = service
    this.#url = `${service.baseUrl}/mcp`
  }

  /**
   * Sends a message. It waits only for the answer of `initialize`, because the next messages need its
   * session.
   */
  async take(text: string | null): Promise<void> {
    if (text?.trim() === '') return
    const message = parseMessage(text)
    if (message === null) return fail(null, unreadable, 'A line must be one JSON-RPC message.')
    if (message.method === 'notifications/cancelled') return this.#cancel(message.params?.requestId)
    if (this.#open.size >= openMax)
      return fail(message, failed, `${openMax} messages have no answer yet; send it again later.`)
    const ending = new AbortController()
    const open: Open = { message, text: text ?? '', ending, wasAsked: false, charged: null }
    const hasTurn = this.#service.budget !== null && message.method === 'tools/call'
    const sent = (hasTurn ? this.#turn : Promise.resolve()).then(() => this.#send(open))
    if (hasTurn) this.#turn = sent
    this.#open.set(open, sent)
    if (message.method === 'initialize') await sent
  }

  /** Ends the relay after stdin. It waits for the open calls, except those that need a reply from stdin. */
  async end(): Promise<void> {
    this.#isEnding = true
    for (const { ending, wasAsked } of this.#open.keys()) if (wasAsked) ending.abort()
    await Promise.all(this.#open.values())
    if (this.#session === null) return
    const signal = AbortSignal.timeout(deleteMsMax)
    await fetch(this.#url, { method: 'DELETE', headers: this.#headersOf({}), signal }).catch(() => {})
  }

  /** Cancels a call. A call that still waits for its turn is never sent. */
  #cancel(id: unknown): void {
    for (const { message, ending } of this.#open.keys()) if (message.id === id) ending.abort()
  }

  async #send(open: Open): Promise<void> {
    const { message, ending } = open
    let silence: NodeJS.Timeout | undefined
    try {
      if (ending.signal.aborted) return
      silence = setTimeout(() => ending.abort(`silent for ${silenceMsMax} ms`), silenceMsMax)
      await this.#exchange(open, silence)
    } catch (error) {
      const { reason, aborted } = ending.signal
      const isSilent = typeof reason === 'string'
      if (!aborted || isSilent)
        await fail(message, failed, `No answer from ${this.#url}: ${isSilent ? reason : reasonOf(error)}`)
    } finally {
      this.#open.delete(open)
      if (silence !== undefined) {
        clearTimeout(silence)
        this.#service.budget?.count(open, this.#session !== null)
      }
    }
  }

  async #exchange(open: Open, silence: NodeJS.Timeout): Promise<void> {
    const { message, text: body, ending } = open
    const isBegin = message.method === 'initialize'
    if (isBegin) this.#beginSession(null)
    const response = await this.#post(open, {
      body,
      headers: this.#headersOf(message),
      signal: ending.signal,
    })
    if (isBegin && response.ok) this.#beginSession(response.headers.get('mcp-session-id'))
    let isAnswered = message.id === undefined || message.method === undefined
    for await (const text of readMessages(response)) {
      silence.refresh()
      const received = parseMessage(text)
      if (!response.ok || received === null) return refuse(message, response, text)
      if (received.method === undefined) {
        isAnswered = true
        open.charged = chargedIn(received)
        if (isBegin) this.#version = String(received.result?.protocolVersion ?? '') || null
      } else if (received.id !== undefined) {
        open.wasAsked = true
        if (this.#isEnding) ending.abort()
      }
      // Removes line breaks, which JSON has only between its tokens.
      if (!ending.signal.aborted) await write(`${text.replaceAll(/[\r\n]+/g, ' ')}\n`).catch(() => {})
    }
    if (!response.ok) return refuse(message, response, '')
    if (!isAnswered) throw new Error('the answer is cut off.')
  }

  /** Posts a message. A refusal costs nothing, but a failure of the service may hide a charge. */
  async #post(open: Open, init: RequestInit): Promise<Response> {
    try {
      // Redirects are not followed, because one could send the key to another host.
      const response = await fetch(this.#url, { ...init, method: 'POST', redirect: 'manual' })
      if (!response.ok && response.status < 500) open.charged = 0
      return response
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
      if (unsentCodes.includes(code ?? '')) open.charged = 0
      throw error
    }
  }

  #beginSession(session: string | null): void {
    this.#session = session
    this.#version = null
    this.#service.budget?.beginSession()
  }

  #headersOf(message: Message): Record<string, string> {
    const { apiKey, budget } = this.#service
    return {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-client-version': `baize-api/${version}`,
      ...(budget !== null && { 'x-baize-budget': budget.header }),
      ...(this.#session !== null && { 'mcp-session-id': this.#session }),
      ...(headersOf(message) ?? (this.#version !== null && { 'mcp-protocol-version': this.#version })),
    }
  }
}

/**
 * Returns null if the service did not report a charge. Refusals of the protocol and questions cost nothing.
 */
function chargedIn({ result, error }: Message): number | null {
  if (error?.code === internalError) return null
  const { credits_charged: charged = 0 } = result?.structuredContent ?? {}
  return typeof charged === 'number' ? charged : null
}

/** Answers a message whose response has another status than 200 with an error. */
function refuse(message: Message, { status, statusText }: Response, text: string): Promise<void> {
  const body = parseMessage(text) as { error?: object; message?: string; errors?: object } | null
  if (typeof body?.error === 'object') return writeError(message, body.error)
  const sentence = `HTTP ${status}: ${body?.message ?? statusText}`
  return writeError(message, { code: failed, message: sentence, data: body?.errors })
}

const fail = (to: Message | null, code: number, message: string): Promise<void> =>
  writeError(to, { code, message })

/**
 * Writes an error; `to` is null for an unreadable line. Notifications and replies get no answer, so stderr
 * has their error.
 */
async function writeError(to: Message | null, error: object): Promise<void> {
  const text = JSON.stringify({ jsonrpc: '2.0', id: to?.id ?? null, error })
  if (to !== null && (to.id === undefined || to.method === undefined)) note(text)
  else await write(`${text}\n`).catch(() => {})
}
