import type { ClientFacts } from '../../core/client-facts.ts'
import type { Caller } from '../../core/operation.ts'
import type { Sent } from '../../core/session-operation.ts'
import type { RawInput } from '../read/read-input.ts'
import type { Input } from '../read/read-parameters.ts'

/** The limits of what an MCP call may spend, besides its `max_credits` (contract section 16). */
export type Spending = {
  /** The limit for a call without `max_credits`; null when it has one, or is free. */
  creditsMax: number | null
  /** The number in `X-Baize-Budget`; null without the header. */
  budget: number | null
  /** The MCP session whose calls share the budget; null when the budget binds this call alone. */
  sessionId: string | null
}

export type Request = {
  id: string
  apiKey: string | null
  input: Omit<RawInput, 'body'>
  /** Parses the body; throws a Failure if it is invalid. */
  body(): unknown
  idempotencyKey: string | null
  /** Whether the client does not know the key yet. If it disconnects, it cannot ask for the answer again. */
  keyIsFresh?: boolean
  /** The limits of an MCP call; absent for other requests. */
  spending?: Spending
  /** Names the subject of the answer, by which the dashboard shows it again; absent for other clients. */
  subject?: Sent['subject'] | undefined
  client: ClientFacts | null
  /** Returns a signal that aborts with ClientLeft when the connection closes before the response is sent. */
  left(): AbortSignal
}

/** The facts of a request so far, so that even a failed one can be answered and recorded. */
export type RequestState = {
  request: Request
  startedAtMs: number
  caller: Caller | null
  input: Input
  /** Whether the usage record is already written. */
  recorded: boolean
  /** Whether the request was answered with a stored response, free of charge. */
  replayed: boolean
  /** Is true when the charge may have happened or not. The response then has no credit headers. */
  outcomeUnknown: boolean
}

export const newRequestState = (request: Request, caller: Caller | null): RequestState => ({
  request,
  startedAtMs: performance.now(),
  caller,
  input: {},
  recorded: false,
  replayed: false,
  outcomeUnknown: false,
})
