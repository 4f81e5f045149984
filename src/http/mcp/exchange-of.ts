import type { FastifyReply, FastifyRequest } from 'fastify'
import { demoKey } from '../../core/api-key.ts'
import type { ClientFacts } from '../../core/client-facts.ts'
import type { Caller } from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { accountFigures, demoCaller } from '../../features/account/index.ts'
import type { Balance, Exchange, McpClient, McpSession, SentCall } from '../../mcp/index.ts'
import { sessionSpend } from '../../metering/session-spend.ts'
import { dataMembers } from '../answer/envelope.ts'
import { Unauthorized } from '../answer/failures.ts'
import { budgetScope } from '../answer/plan-gate.ts'
import { newRequestState, type RequestState } from '../answer/request-state.ts'
import type { SendWithin } from '../answer/send-within.ts'
import { clientFact, leftSignal, readClient } from '../read/read-request.ts'
import type { Service } from '../service.ts'

/** The account of the key that the agent sends. */
export type Agent = { accountId: number; world: World; caller: Caller; isDemo: boolean }

export async function authenticateAgent(service: Service, apiKey: string | null): Promise<Agent> {
  const isDemo = apiKey === demoKey
  const world = isDemo ? service.demo : service.live
  const caller = isDemo
    ? await demoCaller(world)
    : apiKey === null
      ? null
      : await service.keys.authenticate(apiKey, service.now())
  if (caller === null) throw new Unauthorized()
  // Sessions are signed with the secret of the customers' data, so the demo account gets an id that no
  // customer has.
  return { accountId: isDemo ? 0 : caller.accountId, world, caller, isDemo }
}

export type Asked = {
  request: FastifyRequest
  reply: FastifyReply
  agent: Agent
  /** The number in `X-Baize-Budget`; null without the header. */
  budget: number | null
  session: McpSession | null
  client: McpClient
  secret: Buffer
}

type Sender = { service: Service; send: SendWithin }

/** Sends tool calls through the steps of every request, as the account of the key. */
export function exchangeOf({ service, send }: Sender, asked: Asked): Exchange {
  const { agent, client, secret } = asked
  return {
    operations: service.operations,
    accountId: agent.accountId,
    isDemo: agent.isDemo,
    canAsk: client.canBeAsked,
    now: service.now(),
    secret,
    async send(call) {
      const { status, headers, text } = await send(call.operation, callState(asked, call))
      if (status < 400) return { headers, members: dataMembers(text) }
      return { headers, refusal: JSON.parse(String(text)) }
    },
    balance: credits => balanceOf(service, asked, credits),
  }
}

function callState({ request, reply, agent, budget, session, client }: Asked, call: SentCall): RequestState {
  const { query = {}, params = {}, body, idempotencyKey = null, keyIsFresh, creditsMax } = call
  const sent = {
    id: request.id,
    apiKey: agent.isDemo ? demoKey : null,
    input: { query, params },
    body: () => body,
    idempotencyKey,
    keyIsFresh,
    client: { ...readClient(request), ...factsOf(call.tool, client, session) },
    left: () => leftSignal(reply),
    spending: { creditsMax, budget, sessionId: session?.id ?? null },
  }
  return newRequestState(sent, agent.isDemo ? null : agent.caller)
}

/** Returns the MCP fields of usage records (§2.15). */
function factsOf(tool: string, { name, version }: McpClient, session: McpSession | null): ClientFacts {
  return {
    mcp_tool_name: tool,
    ...(session === null ? {} : { connector_session_id: session.id }),
    ...(name === null ? {} : { mcp_client_name: clientFact(name) }),
    ...(version === null ? {} : { mcp_client_version: clientFact(version) }),
  }
}

async function balanceOf(
  { live }: Service,
  { agent, budget, session }: Asked,
  credits: number | undefined,
): Promise<Balance> {
  const remaining = credits === undefined ? await creditsRemaining(agent) : credits
  const sessionId = session?.id ?? null
  const spent =
    sessionId === null || budget === null ? null : await sessionSpend(live, agent.accountId, sessionId)
  return {
    credits_remaining: remaining,
    ...(budget === null ? {} : { budget, budget_scope: budgetScope(sessionId) }),
    ...(budget === null || spent === null ? {} : { budget_remaining: Math.max(0, budget - spent) }),
  }
}

async function creditsRemaining({ world, caller }: Agent): Promise<number | null> {
  const figures = await world.primary.readByKey(accountFigures, String(caller.accountId))
  if (figures === undefined || figures.granted === null) return null
  return Math.max(0, figures.granted - figures.used - figures.reserved)
}
