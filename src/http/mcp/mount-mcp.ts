import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Failure } from '../../core/failure.ts'
import {
  clientOf,
  issueSession,
  type McpSession,
  openSession,
  operationNames,
  PendingQuestions,
  tools,
} from '../../mcp/index.ts'
import { sessionDays } from '../../metering/session-spend.ts'
import { asFailure, type Refused, sendRefusal } from '../answer/failures.ts'
import { type SendWithin, sendWithin } from '../answer/send-within.ts'
import { apiKeyOf, header, leftSignal } from '../read/read-request.ts'
import type { Service } from '../service.ts'
import { authenticateAgent, exchangeOf } from './exchange-of.ts'
import { RpcError, readBudget, readMessage, sendRpcError } from './message.ts'

const path = '/mcp'
const sessionHeader = 'mcp-session-id'
/** The bytes allowed for the message around the body of an operation. */
const messageBytes = 64 * 1024

export type Mcp = {
  service: Service
  send: SendWithin
  questions: PendingQuestions
  refuse(error: unknown): Refused
}

/**
 * Serves `/mcp`: tools for agents, with the API key (contract section 16). It is mounted beside the
 * operations, so that the throttle counts both. The key is the only credential, so a foreign `Origin` has
 * no power.
 */
export function mountMcp(api: FastifyInstance, service: Service, refuse: Mcp['refuse']): void {
  const mcp: Mcp = { service, send: sendWithin(service), questions: new PendingQuestions(), refuse }
  api.addHook('preClose', async () => mcp.questions.close())
  api.route({
    method: 'POST',
    url: path,
    bodyLimit: bodyBytesMax(service) + messageBytes,
    handler: (request, reply) =>
      answerMessage(mcp, request, reply).catch(error => refused(mcp, reply, error)),
  })
  api.route({
    method: api.supportedMethods.filter(method => method !== 'POST'),
    url: path,
    handler: async (request, reply) => {
      try {
        await authenticateAgent(service, apiKeyOf(request))
        reply.header('allow', 'POST')
        throw new Failure('method_not_allowed', { details: { allowed: ['POST'] } })
      } catch (error) {
        return refused(mcp, reply, error)
      }
    },
  })
}

/** Returns the size of the largest body that a tool sends. */
function bodyBytesMax({ operations }: Service): number {
  const called = tools.flatMap(operationNames)
  const largest = operations.filter(({ name }) => called.includes(name)).map(each => each.bodyBytesMax ?? 0)
  return Math.max(...largest)
}

async function answerMessage(mcp: Mcp, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { service, questions } = mcp
  const agent = await authenticateAgent(service, apiKeyOf(request))
  const sentBudget = readBudget(header(request, 'x-baize-budget'))
  const message = readMessage(request)
  const secret = await service.live.cursorSecret()
  const session = readSession(request, agent.accountId, { now: service.now(), secret })
  const budget = lowerOf(sentBudget, session?.budget ?? null)
  if (message.method === undefined) {
    if (session !== null) questions.reply(session.id, message.id, message.result)
    return reply.code(202).send()
  }
  const { serveMessage } = await import('../../mcp/serve-message.ts')
  const { response, isRefused } = await serveMessage({
    request: asWebRequest(request, reply),
    message,
    operations: service.operations,
    session,
    questions,
    exchangeFor: client => exchangeOf(mcp, { request, reply, agent, budget, session, client, secret }),
    onError: error => service.log.debug({ err: error, request_id: request.id }, 'an MCP message was refused'),
  })
  if (message.method === 'initialize' && !isRefused) {
    const opened = { client: clientOf(message.params ?? {}), budget }
    reply.header(sessionHeader, issueSession(agent.accountId, opened, service.now(), secret))
  }
  // The SDK's header would override the client's "Connection: close".
  response.headers.delete('connection')
  return reply.send(response)
}

/** Returns the lower budget: a header may lower that of its session, and never raise it. */
const lowerOf = (sent: number | null, started: number | null) =>
  sent === null || started === null ? (sent ?? started) : Math.min(sent, started)

/** Returns null if no session was sent. A session of another account counts as missing. */
function readSession(
  request: FastifyRequest,
  accountId: number,
  { now, secret }: { now: Date; secret: Buffer },
): McpSession | null {
  const text = header(request, sessionHeader)
  if (text === null) return null
  const session = openSession(accountId, text, { now, days: sessionDays, secret })
  if (session === null) throw new RpcError(404, -32001, 'Session not found; send "initialize" again.')
  return session
}

function asWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && !name.startsWith(':')) headers.set(name, [value].flat().join(', '))
  return new Request(`http://mcp${path}`, { method: 'POST', headers, signal: leftSignal(reply) })
}

function refused({ service, refuse }: Mcp, reply: FastifyReply, thrown: unknown): FastifyReply {
  if (thrown instanceof RpcError) return sendRpcError(reply, thrown)
  const error = asFailure(thrown, { failures: [] })
  const refusal = refuse(error)
  if (refusal.status >= 500)
    service.log.error({ err: error, request_id: reply.request.id }, 'an MCP request failed')
  return sendRefusal(reply, refusal)
}
