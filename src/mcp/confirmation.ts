import { openCursor, sealCursor } from '../core/cursor.ts'
import { inCredits } from '../metering/pricing.ts'

/** A question to the user of the client. If confirmed, the call may cost these credits. */
export type Confirmation = { credits: number; idempotencyKey: string }
export type Question = { message: string; state: string }
export type ConfirmationReply = { state: string; action: 'accept' | 'decline' | 'cancel' }

/** A confirmation is valid for this time. */
const validMs = 60 * 60_000

/** The confirmed call, so that the confirmation is valid for no other call. */
export type ConfirmedCall = { accountId: number; tool: string; arguments: unknown }

const scopeOf = (call: ConfirmedCall) => ({
  feed: 'mcpconfirm1',
  filters: { ...call, arguments: JSON.stringify(call.arguments) },
  hasOwnKey: true,
})

export function askFor(
  call: ConfirmedCall,
  { credits, idempotencyKey }: Confirmation,
  { now, secret }: { now: Date; secret: Buffer },
): Question {
  const position = [String(credits), idempotencyKey, String(now.getTime())]
  return {
    message: `${call.tool} may cost up to ${inCredits(credits)}. Allow it?`,
    state: sealCursor(scopeOf(call), position, secret),
  }
}

/**
 * Returns null if the state was not issued for this call, or too long ago. The user must then be asked
 * again.
 */
export function readConfirmation(
  call: ConfirmedCall,
  state: string,
  { now, secret }: { now: Date; secret: Buffer },
): Confirmation | null {
  try {
    const [credits, idempotencyKey = '', askedAtMs] = openCursor(scopeOf(call), state, secret)
    if (now.getTime() - Number(askedAtMs) > validMs) return null
    return { credits: Number(credits), idempotencyKey }
  } catch {
    return null
  }
}
