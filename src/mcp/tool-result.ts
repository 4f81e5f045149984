import { inCredits } from '../metering/pricing.ts'

export type CallAnswer = { headers: Record<string, string> } & (
  | {
      /** The members of `data` as JSON, without the charge. */
      members: Buffer
    }
  | {
      /** The body of the refusal. */
      refusal: unknown
    }
)

/** The credits that the caller has left after a call. */
export type Balance = {
  /** Null when the account has no quota. */
  credits_remaining: number | null
  /** The remaining credits of `X-Baize-Budget`; absent without the header. */
  budget?: number
  /** `session` means that the budget binds all calls of the session; `call`, only this one. */
  budget_scope?: 'session' | 'call'
  budget_remaining?: number
}

export type ToolResult = {
  /** An object as bytes, because some answers have a thousand rows. */
  json: Buffer
  /** A sentence for people. */
  sentence: string
  isError?: true
  meta: Record<string, unknown>
}

export type Charged = {
  credits_charged: number
  idempotencyKey: string | null
  isReplayed: boolean
  balance: Balance
}

/** Returns the data of an operation, its charge, and the note that belongs to the answer. */
export function toolResult(members: Buffer, charged: Charged, note: string | null): ToolResult {
  const { credits_charged, isReplayed, balance } = charged
  const added = {
    ...(note === null ? {} : { note }),
    credits_charged,
    ...balance,
    ...(isReplayed ? { replayed: true } : {}),
  }
  const rest = `${members.length === 0 ? '' : ','}${JSON.stringify(added).slice(1)}`
  const json = Buffer.concat([Buffer.from('{'), members, Buffer.from(rest)])
  return asResult(json, [moneyLine(charged), note].filter(Boolean).join(' '), charged)
}

/** Returns a failed call as a result, so that a model can correct its call. It is no protocol error. */
export function failureOf(failure: Failed, charged: Charged): ToolResult {
  const content = { ...failure, credits_charged: charged.credits_charged, ...charged.balance }
  const sentence = `${failure.message} ${moneyLine(charged)}`
  return { ...asResult(Buffer.from(JSON.stringify(content)), sentence, charged), isError: true }
}

export type Failed = { code: string; message: string; details: Record<string, unknown> }

/** Returns the failure of a refused request, without its envelope. */
export function failureIn({ refusal, headers }: Extract<CallAnswer, { refusal: unknown }>): Failed {
  const { message, errors, doc_url } = refusal as { message: string; errors: Failed; doc_url: string | null }
  const retryAfter = headers['retry-after']
  return {
    ...{ code: errors.code, message, details: errors.details, doc_url },
    ...(retryAfter === undefined ? {} : { retry_after_seconds: Number(retryAfter) }),
  }
}

/** Returns the price of a call above its ceiling, or null if it failed for another reason. */
export function quotedCredits({ code, details }: Failed): number | null {
  const { quoted_credits: quoted } = details
  return code === 'max_credits_exceeded' && typeof quoted === 'number' ? quoted : null
}

function asResult(json: Buffer, sentence: string, charged: Charged): ToolResult {
  const { credits_charged, idempotencyKey, balance } = charged
  return {
    json,
    sentence,
    meta: {
      'baize/credits_charged': credits_charged,
      'baize/credits_remaining': balance.credits_remaining,
      ...(idempotencyKey === null ? {} : { 'baize/idempotency_key': idempotencyKey }),
    },
  }
}

function moneyLine({ credits_charged, isReplayed, balance }: Charged): string {
  const { credits_remaining, budget, budget_scope, budget_remaining } = balance
  const charged = `${inCredits(credits_charged)} charged${isReplayed ? ' (replayed)' : ''}`
  const remaining = credits_remaining === null ? '' : `; ${credits_remaining} remaining`
  const ofBudget =
    budget === undefined
      ? ''
      : budget_scope === 'session'
        ? `; ${budget_remaining} of the session's budget of ${budget} left`
        : `; the budget of ${budget} bounds this call alone`
  return `${charged}${remaining}${ofBudget}.`
}
