import { inCredits } from '../metering/pricing.ts'

export type CallAnswer = { headers: Record<string, string> } & (
  | {
      /** The members of `data` as JSON, without the charge. */
      members: Buffer
    }
  | {
      /** The body of a refusal. */
      refusal: unknown
    }
)

/** What the caller has left after a call. */
export type Balance = {
  /** null: no quota is enforced. */
  credits_remaining: number | null
  /** Of `X-Baize-Budget`; absent: none was sent. */
  budget?: number
  /** `session`: it binds all calls of the session; `call`: this one alone. */
  budget_scope?: 'session' | 'call'
  budget_remaining?: number
}

export type ToolResult = {
  /** An object, as bytes: some answers have a thousand rows. */
  json: Buffer
  /** For people. */
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

/** The data of an operation, what it was charged, and what the answer needs beside it. */
export function resultOf(members: Buffer, charged: Charged, note: string | null): ToolResult {
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

/** A failed call is an answer that a model can correct itself by, not an error of the protocol. */
export function failureOf(failure: Failed, charged: Charged): ToolResult {
  const content = { ...failure, credits_charged: charged.credits_charged, ...charged.balance }
  const sentence = `${failure.message} ${moneyLine(charged)}`
  return { ...asResult(Buffer.from(JSON.stringify(content)), sentence, charged), isError: true }
}

export type Failed = { code: string; message: string; details: Record<string, unknown> }

/** The failure of a refused request, without its envelope. */
export function failureIn({ refusal, headers }: Extract<CallAnswer, { refusal: unknown }>): Failed {
  const { message, errors, doc_url } = refusal as { message: string; errors: Failed; doc_url: string | null }
  const retryAfter = headers['retry-after']
  return {
    ...{ code: errors.code, message, details: errors.details, doc_url },
    ...(retryAfter === undefined ? {} : { retry_after_seconds: Number(retryAfter) }),
  }
}

/** Of a call that costs more than it may; null: it failed for another reason. */
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
