// Only this file and plain-errors.ts use the protocol's SDK, which is loaded at the first request.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { AnyOperation } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import { type Called, callTool } from './call-tool.ts'
import type { ConfirmationReply, Question } from './confirmation.ts'
import { describeTool, type ToolDefinition } from './describe-tool.ts'
import type { Exchange } from './exchange.ts'
import type { PendingQuestions } from './pending-questions.ts'
import { PlainServer } from './plain-errors.ts'
import { describeQuote } from './quote-tool.ts'
import { ResultMarks } from './result-marks.ts'
import { clientOf, type McpClient, type McpSession } from './session.ts'
import { defaultCreditsMax } from './tool.ts'
import { tools } from './tools.ts'

export type ServedMessage = {
  /** The request without its body, which is `message`. */
  request: Request
  message: unknown
  operations: readonly AnyOperation<World>[]
  session: McpSession | null
  questions: PendingQuestions
  exchangeFor(client: McpClient): Exchange
  onError(error: Error): void
}

/** The version in openapi.json. */
const apiVersion = 'v1'
/** Lists may be cached, because definitions change only with releases. */
const listCachedMs = 60 * 60_000

const instructions = [
  'Baize knows who is licensed for gambling where, which sites are on a blocklist, and who runs them.',
  'Paid tools charge credits; each result has credits_charged and credits_remaining.',
  `A call costs at most ${defaultCreditsMax} credits unless it sends max_credits; quote names the price.`,
  'Searches are free without pay.',
  'The same _meta["baize/idempotency_key"] returns the same answer again, free.',
].join(' ')

/**
 * Serves one message of the stateless protocol (2026-07-28) or of an older one, whose clients may have a
 * session.
 */
export async function serveMessage(
  served: ServedMessage,
): Promise<{ response: Response; isRefused: boolean }> {
  const { request, message, onError } = served
  const marks = new ResultMarks()
  // The SDK names this function `fetch`, but it answers a request.
  let server: PlainServer | undefined
  const { fetch: answer } = createMcpHandler(
    ({ era }) => {
      server = createServer(served, marks, era === 'modern')
      return server
    },
    { onerror: onError },
  )
  const response = marks.fillIn(await answer(request, { parsedBody: message }))
  return { response, isRefused: !response.ok || server?.hasRefused === true }
}

function createServer(served: ServedMessage, marks: ResultMarks, isModern: boolean): PlainServer {
  const server = new PlainServer(
    { name: 'baize', title: 'Baize', version: apiVersion },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { 'tools/list': { ttlMs: listCachedMs, cacheScope: 'public' } },
    },
  )
  server.onInternalError = served.onError
  server.setRequestHandler('tools/list', () => ({ tools: definitionsOf(served.operations) }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const exchange = served.exchangeFor(isModern ? clientIn(context) : sessionClient(served))
    const call = (reply: ConfirmationReply | null) => callOnce(exchange, params, context, reply)
    const called = await call(isModern ? replyIn(context) : null)
    if ('result' in called) return marks.markResult(called.result)
    const { question } = called
    if (isModern)
      return inputRequired({
        inputRequests: { [questionKey]: inputRequired.elicit(elicitation(question)) },
        requestState: question.state,
      })
    return marks.markResult(await askedResult(question, call, one => ask(served, server, context, one)))
  })
  return server
}

const definitions = new WeakMap<readonly AnyOperation<World>[], ToolDefinition[]>()

export function definitionsOf(operations: readonly AnyOperation<World>[]): ToolDefinition[] {
  const known = definitions.get(operations)
  if (known !== undefined) return known
  const described = [...tools.map(tool => describeTool(tool, operations)), describeQuote(operations)]
  definitions.set(operations, described)
  return described
}

type CallParams = { name: string; arguments?: Record<string, unknown> | undefined }

async function callOnce(
  exchange: Exchange,
  { name, arguments: given = {} }: CallParams,
  { mcpReq }: ServerContext,
  reply: ConfirmationReply | null,
): Promise<Called> {
  const idempotencyKey = mcpReq._meta?.['baize/idempotency_key']
  const called = await callTool(exchange, { name, arguments: given, idempotencyKey, reply })
  if (called !== undefined) return called
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name.slice(0, 64)}".`)
}

const questionKey = 'spend'

/** Makes a form without fields, because the client's reply `accept` is the answer. */
const elicitation = ({ message }: Question) => ({
  message,
  requestedSchema: { type: 'object' as const, properties: {} },
})

function clientIn({ mcpReq: { envelope } }: ServerContext): McpClient {
  const named = (envelope ?? {}) as Record<string, unknown>
  return clientOf({
    clientInfo: named[CLIENT_INFO_META_KEY],
    capabilities: named[CLIENT_CAPABILITIES_META_KEY],
  })
}

function sessionClient({ session, questions }: ServedMessage): McpClient {
  const client = session?.client ?? clientOf({})
  return { ...client, canBeAsked: client.canBeAsked && questions.hasRoom }
}

function replyIn({ mcpReq }: ServerContext): ConfirmationReply | null {
  const state = mcpReq.requestState<string>()
  const response = inputResponse(mcpReq.inputResponses, questionKey)
  if (state === undefined || response.kind !== 'elicit') return null
  return { state, action: response.action }
}

function ask(
  { questions, session }: ServedMessage,
  server: Server,
  context: ServerContext,
  question: Question,
) {
  const { id: relatedRequestId, signal } = context.mcpReq
  return questions.ask({
    sessionId: session?.id ?? '',
    params: elicitation(question),
    send: message => server.transport?.send(message, { relatedRequestId }),
    signal,
  })
}

/** The user is asked again when the price rises meanwhile, but at most this often. */
const questionsMax = 3

async function askedResult(
  first: Question,
  call: (reply: ConfirmationReply) => Promise<Called>,
  ask: (question: Question) => Promise<ConfirmationReply['action']>,
) {
  let question = first
  for (let asked = 1; ; asked++) {
    const action = asked > questionsMax ? 'cancel' : await ask(question)
    const called = await call({ state: question.state, action })
    if ('result' in called) return called.result
    question = called.question
  }
}
