import type { ClientFacts } from '../core/client-facts.ts'
import type { Caller } from '../core/operation.ts'
import type { RawInput } from './read-input.ts'
import type { Input } from './read-parameters.ts'

export type Request = {
  id: string
  apiKey: string | null
  input: Omit<RawInput, 'body'>
  /** Parses the body; throws a Failure if it is invalid. */
  body(): unknown
  idempotencyKey: string | null
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
