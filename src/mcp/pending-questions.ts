import { randomUUID } from 'node:crypto'
import type { ConfirmationReply } from './confirmation.ts'

type Action = ConfirmationReply['action']

/** Limits the questions, because each one waits on an open connection. */
const pendingMax = 100
const waitMsMax = 120_000

const idPrefix = 'baize-'

type Question = {
  /** The MCP session, whose client alone may reply. */
  sessionId: string
  params: Record<string, unknown>
  send(message: {
    jsonrpc: '2.0'
    id: string
    method: string
    params: Record<string, unknown>
  }): Promise<void> | undefined
  signal: AbortSignal
}

/**
 * Questions to users of clients with older protocols. A question is sent on the stream of its call, and the
 * client posts the reply. Questions wait in this process. A reply that reaches another process is lost, and
 * the call then ends without a confirmation.
 */
export class PendingQuestions {
  readonly #pending = new Map<string, (action: Action) => void>()

  get hasRoom(): boolean {
    return this.#pending.size < pendingMax
  }

  async ask({ sessionId, params, send, signal }: Question): Promise<Action> {
    const id = `${idPrefix}${randomUUID()}`
    const place = placeOf(sessionId, id)
    const { promise, resolve } = Promise.withResolvers<Action>()
    const cancel = () => resolve('cancel')
    const timeout = setTimeout(cancel, waitMsMax)
    signal.addEventListener('abort', cancel, { once: true })
    this.#pending.set(place, resolve)
    try {
      await send({ jsonrpc: '2.0', id, method: 'elicitation/create', params })
      return await promise
    } finally {
      clearTimeout(timeout)
      signal.removeEventListener('abort', cancel)
      this.#pending.delete(place)
    }
  }

  /** Resolves the question. An unknown reply is ignored, as the protocol requires. */
  reply(sessionId: string, id: unknown, result: unknown): void {
    const action = (result as { action?: unknown } | undefined)?.action
    this.#pending.get(placeOf(sessionId, id))?.(
      action === 'accept' || action === 'decline' ? action : 'cancel',
    )
  }

  close(): void {
    for (const resolve of this.#pending.values()) resolve('cancel')
  }
}

const placeOf = (sessionId: string, id: unknown) => `${sessionId} ${id}`
