import type { ClientFacts } from '../core/client-facts.ts'
import type { Caller } from '../core/operation.ts'
import type { RawInput } from './read-input.ts'
import type { Input } from './read-parameters.ts'

/** What an MCP call may spend, besides its own `max_credits` (contract section 16). */
export type Spending = {
  /** For a call without `max_credits`; null: it has one, or is free. */
  creditsMax: number | null
  /** `X-Baize-Budget`; null: none. */
  budget: number | null
  /** Of a session that this service issued: the budget binds all its calls. null: this call alone. */
  sessionId: string | null
}

export type Request = {
  id: string
  apiKey: string | null
  input: Omit<RawInput, 'body'>
  /** Parses the body; throws a Failure if it is invalid. */
  body(): unknown
  idempotencyKey: string | null
  /** The client does not know the key yet: if it leaves, it cannot ask for the answer again. */
  keyIsFresh?: boolean
  /** Absent: not an MCP call. */
  spending?: Spending
  client: ClientFacts | null
  /** Aborted with ClientLeft when the connection closes before the response is sent. */
  left(): AbortSignal
}

/** What is known of a request so far, so that a failed one can be answered and recorded, too. */
export type RequestState = {
  request: Request
  startedAtMs: number
  caller: Caller | null
  input: Input
  /** Its usage record is written already. */
  recorded: boolean
  /** It was answered with a stored response, free of charge. */
  replayed: boolean
  /** It may have been charged or not, so the response has no credit headers. */
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
