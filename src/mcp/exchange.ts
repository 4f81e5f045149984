import type { AnyOperation } from '../core/operation.ts'
import type { Sent } from '../core/session-operation.ts'
import type { World } from '../database/open.ts'
import type { Balance, CallAnswer } from './tool-result.ts'

/** The request that a tool makes to an operation. */
export type SentCall = Sent & {
  tool: string
  /** Whether the client does not know the Idempotency-Key. */
  keyIsFresh: boolean
  /** The ceiling of calls that name no ceiling; null for no limit. */
  creditsMax: number | null
}

/** The account of a tool call, and the functions that send its requests through all steps. */
export type Exchange = {
  operations: readonly AnyOperation<World>[]
  accountId: number
  /** Whether the call has the demo key, which is never charged. */
  isDemo: boolean
  /** Whether the client can ask its user. */
  canAsk: boolean
  now: Date
  /** The secret that signs questions. */
  secret: Buffer
  send(call: SentCall): Promise<CallAnswer>
  /** Returns the balance. `credits` are the remaining ones, if an answer contained them. */
  balance(credits?: number): Promise<Balance>
}
