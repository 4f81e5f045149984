import { randomUUID } from 'node:crypto'
import { Failure } from '../core/failure.ts'
import { inCredits } from '../metering/pricing.ts'
import {
  askFor,
  type Confirmation,
  type ConfirmationReply,
  type Question,
  readConfirmation,
} from './confirmation.ts'
import type { Exchange } from './exchange.ts'
import { fittingRows } from './fitting-rows.ts'
import { quoteName, quoteTool } from './quote-tool.ts'
import { type Arguments, readCall, type ToolCall } from './read-call.ts'
import { defaultCreditsMax, type Tool } from './tool.ts'
import {
  type CallAnswer,
  type Failed,
  failureIn,
  failureOf,
  quotedCredits,
  type ToolResult,
  toolResult,
} from './tool-result.ts'
import { tools } from './tools.ts'

export type RequestedCall = {
  name: string
  arguments: Arguments
  /** The value of `_meta["baize/idempotency_key"]`. */
  idempotencyKey: unknown
  reply: ConfirmationReply | null
}

export type Called = { result: ToolResult } | { question: Question }

/** Returns undefined if no tool has that name. */
export async function callTool(exchange: Exchange, requested: RequestedCall): Promise<Called | undefined> {
  const { name, arguments: given } = requested
  try {
    if (name === quoteName) return { result: await quoteTool(exchange, given) }
    const tool = tools.find(each => each.name === name)
    return tool === undefined ? undefined : await callOperation(exchange, tool, requested)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const { code, message, details } = error
    const balance = await exchange.balance()
    return { result: failureOf({ code, message, details }, { ...free, idempotencyKey: null, balance }) }
  }
}

const free = { credits_charged: 0, isReplayed: false }

async function callOperation(exchange: Exchange, tool: Tool, requested: RequestedCall): Promise<Called> {
  const { operations, accountId, isDemo, canAsk } = exchange
  const { arguments: given, reply } = requested
  const call = readCall(tool, given, { operations, withRows: !isDemo })
  const confirmed = { accountId, tool: tool.name, arguments: given }
  const confirmation = reply?.action === 'accept' ? readConfirmation(confirmed, reply.state, exchange) : null
  const keyed = idempotencyKeyOf(call, requested.idempotencyKey, confirmation)
  const limit = call.hasCeiling || isDemo ? null : (confirmation?.credits ?? defaultCreditsMax)
  const received = await exchange.send({ ...call.sent, ...keyed.sent, tool: tool.name, creditsMax: limit })
  const charged = { ...(await chargedOf(exchange, received)), idempotencyKey: keyed.key }
  if ('members' in received) {
    const { members } = received
    return { result: toolResult(members, charged, tool.note?.(members) ?? null) }
  }
  const failure = nameFinder(tool, failureIn(received))
  const rows = fittingRows(tool, call, failure, charged.balance)
  const refused = (...sentences: (string | null)[]) => ({
    result: failureOf({ ...failure, message: sentences.filter(Boolean).join(' ') }, charged),
  })
  const quoted = limit === null ? null : quotedCredits(failure)
  if (quoted === null || keyed.key === null) return refused(failure.message, rows)
  if (reply !== null && reply.action !== 'accept') return refused(declined(quoted))
  if (!canAsk) return refused(saySo(quoted), rows)
  return { question: askFor(confirmed, { credits: quoted, idempotencyKey: keyed.key }, exchange) }
}

/** Adds to a 404 the tool whose free call counts the matches, if a preview has any. */
function nameFinder({ finder }: Tool, failure: Failed): Failed {
  const { preview, value } = failure.details as { preview?: { total_count: number }; value?: string }
  if (finder === undefined || preview === undefined || preview.total_count === 0) return failure
  const message = `${failure.message} ${finder} with q ${JSON.stringify(value)} counts them, free.`
  return { ...failure, message }
}

const declined = (credits: number) => `The user did not allow up to ${inCredits(credits)}.`

const saySo = (credits: number) =>
  `The call could cost up to ${inCredits(credits)}; without max_credits at most ${defaultCreditsMax} are ` +
  `allowed. To allow it, send max_credits: ${credits}.`

const keyName = 'baize/idempotency_key'

/** Returns one key for each logical call: the client's, that of the confirmed call, or a new one. */
function idempotencyKeyOf({ operation }: ToolCall, given: unknown, confirmation: Confirmation | null) {
  if (operation.prices.length === 0) return { key: null, sent: { keyIsFresh: false } }
  if (given !== undefined && typeof given !== 'string') {
    const takes = 'text'
    throw new Failure('invalid_parameter', {
      message: `"_meta" member "${keyName}" must be ${takes}.`,
      details: { parameter: keyName, takes },
    })
  }
  const key = given ?? confirmation?.idempotencyKey ?? randomUUID()
  return { key, sent: { idempotencyKey: key, keyIsFresh: given === undefined } }
}

/** Reads the charge from the headers, because a replay is free while its data has the first charge. */
async function chargedOf({ balance }: Exchange, { headers }: CallAnswer) {
  const remaining = headers['x-credits-remaining']
  return {
    credits_charged: Number(headers['x-credits-charged'] ?? 0),
    isReplayed: headers['idempotency-replayed'] === 'true',
    balance: await balance(remaining === undefined ? undefined : Number(remaining)),
  }
}
