import type { AnyOperation } from '../core/operation.ts'
import type { Sent } from '../core/session-operation.ts'
import type { World } from '../database/open.ts'
import type { Balance, CallAnswer } from './tool-result.ts'

/** The request that a tool makes to an operation. */
export type SentCall = Sent & {
  tool: string
  /** The client does not know the Idempotency-Key. */
  keyIsFresh: boolean
  /** For calls that do not say what they may cost; null: no limit. */
  creditsMax: number | null
}

/** What a tool call needs from the edge: its account, and the steps of every request. */
export type Exchange = {
  operations: readonly AnyOperation<World>[]
  accountId: number
  /** The demo key is never charged. */
  isDemo: boolean
  /** The client can ask its user. */
  canAsk: boolean
  now: Date
  /** Signs questions. */
  secret: Buffer
  send(call: SentCall): Promise<CallAnswer>
  /** `credits`: remaining, if an answer has said so. */
  balance(credits?: number): Promise<Balance>
}
