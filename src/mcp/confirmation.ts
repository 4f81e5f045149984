import { openCursor, sealCursor } from '../core/cursor.ts'
import { inCredits } from '../metering/pricing.ts'

/** What the user of the client was asked, and what follows from a yes. */
export type Confirmation = { credits: number; idempotencyKey: string }
export type Question = { message: string; state: string }
export type Reply = { state: string; action: 'accept' | 'decline' | 'cancel' }

/** A yes counts for so long. */
const validMs = 60 * 60_000

/** Bound to the call, so that a yes to one call confirms no other. */
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

/** null: the state was not issued for this call, or too long ago, so the user has to be asked again. */
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
