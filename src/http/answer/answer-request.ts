import { demoKey } from '../../core/api-key.ts'
import { Failure } from '../../core/failure.ts'
import {
  type Caller,
  type ChargedWrite,
  type Context,
  type Delivery,
  type Quote,
  successOf,
} from '../../core/operation.ts'
import type { World } from '../../database/open.ts'
import { accountFigures, demoCaller } from '../../features/account/index.ts'
import { currentKey, receiptSigner } from '../../features/receipts/index.ts'
import { busyRetryAfterSeconds } from '../../metering/account-busy.ts'
import { findStoredAnswer, fingerprint, isIdempotencyKey } from '../../metering/idempotency.ts'
import { totalCredits } from '../../metering/pricing.ts'
import { OutcomeUnknown } from '../../metering/settle.ts'
import type { SettleItem, SettleOutcome } from '../../metering/settle-statement.ts'
import { newSettlementId } from '../../metering/settlement-id.ts'
import { requestParams, sourceOf } from '../../metering/usage.ts'
import type { Input } from '../read/read-parameters.ts'
import type { Service } from '../service.ts'
import type { Answer, AnswerBody } from './answer.ts'
import { creditHeaders } from './answer.ts'
import { requireTemplate, simulate } from './demo.ts'
import { Unauthorized } from './failures.ts'
import type { MountedOperation } from './mounted-operation.ts'
import { requireCeiling, requirePlan, requireSpending } from './plan-gate.ts'
import { RequestChecks } from './request-checks.ts'
import type { RequestState } from './request-state.ts'
import { deliverCovered, keyReused, minimumOf, settledAnswer } from './settled-answer.ts'

type AnyDelivery = Delivery<Record<string, unknown>>
type AnyQuote = Quote<Record<string, unknown>>

/**
 * Answers a request, in the order of docs/map.md. Nothing is charged before the response is rendered, and
 * nothing is sent before the charge is durable.
 */
export async function answerRequest(
  service: Service,
  mounted: MountedOperation,
  state: RequestState,
): Promise<Answer> {
  const { operation } = mounted
  const { request } = state
  const isDemo = request.apiKey === demoKey
  // A request of a session already has its caller.
  if (!isDemo) state.caller ??= await authenticate(service, request.apiKey)
  // The usage record of a refused request has parameters and body as they were sent.
  state.input = { ...request.input.query, ...request.input.params }
  const body = request.body()
  state.input = { ...state.input, ...(isObject(body) ? body : body === undefined ? {} : { body }) }
  state.input = mounted.readInput({ ...request.input, body })
  const input: Input = operation.canonical?.(state.input) ?? state.input
  if (isDemo) return answerDemo(service, mounted, input, state.input)

  const caller = state.caller as Caller
  const isMetered = operation.prices.length > 0
  const idempotency =
    isMetered && request.idempotencyKey !== null ? readKey(mounted, request.idempotencyKey, input) : null
  if (idempotency !== null) {
    const stored = await findStoredAnswer(service.live, caller.accountId, idempotency.key)
    if (stored !== undefined) {
      if (!stored.fingerprint.equals(idempotency.fingerprint)) throw keyReused()
      return replay(service, state, stored)
    }
  }

  requirePlan(operation, caller, input)
  const checks = mayAskForCheck(service, operation)
    ? new RequestChecks(service, state, request.keyIsFresh ? null : (idempotency?.key ?? null))
    : null
  try {
    return await deliverAndSettle(service, mounted, state, { input, caller, idempotency, checks })
  } finally {
    await checks?.end()
  }
}

/** Returns whether requests may wait for a check. Other operations have no `observe`. */
const mayAskForCheck = ({ settings }: Service, { prices, refreshes }: MountedOperation['operation']) =>
  refreshes === true || (settings.observation.isOn && prices.includes('domain.refresh'))

type Authenticated = {
  input: Input
  caller: Caller
  idempotency: { key: string; fingerprint: Buffer } | null
  checks: RequestChecks | null
}

async function deliverAndSettle(
  service: Service,
  mounted: MountedOperation,
  state: RequestState,
  { input, caller, idempotency, checks }: Authenticated,
): Promise<Answer> {
  const { operation } = mounted
  const isMetered = operation.prices.length > 0
  const context = { ...contextOf(service, service.live), caller, observe: checks }
  const quote: AnyQuote = await operation.quote(context, input, state.input)
  requireCeiling(quote, input)
  const { spending } = state.request
  if (spending !== undefined) await requireSpending(service.live, caller, quote, spending)
  const delivery = await deliverCovered(service, mounted, caller, quote)
  if (delivery.file !== undefined) return { status: 200, file: delivery.file, headers: {} }
  const rendered = mounted.render(delivery, {
    timestamp: (delivery.deliveredAt ?? context.now).toISOString(),
    creditsCharged: isMetered ? totalCredits(delivery.charges) : null,
    demo: false,
    sign: await signerOf(service, operation, { input, delivery, now: context.now, isDemo: false }),
  })
  const { status } = successOf(operation)
  if (!isMetered)
    return { status: delivery.isCreated ? 201 : status, body: rendered, headers: cacheHeaders(mounted) }

  const answer =
    idempotency === null ? { status } : { status, idempotency: { ...idempotency, body: rendered } }
  checks?.requireClient()
  const item = chargeItem({ mounted, state, caller, now: context.now, quote, delivery, answer, checks })
  const outcome = await settle(service, state, item)
  if (checks !== null) checks.isCharged = outcome.outcome === 'settled'
  return settledAnswer(service, { mounted, quote, outcome, credits: item.credits, body: rendered, spending })
}

type Signed = { input: Input; delivery: AnyDelivery; now: Date; isDemo: boolean }

/** Returns the signer of the answer's receipt. The demo signs with the key of the installation, too. */
async function signerOf(
  { live, settings }: Service,
  { name }: MountedOperation['operation'],
  { input, delivery, now, isDemo }: Signed,
): Promise<((data: string) => string) | undefined> {
  if (delivery.receipt === undefined) return undefined
  return receiptSigner(await currentKey(live, isDemo ? null : delivery.receipt.kid), {
    issuer: settings.baseUrl,
    operation: name,
    parameters: input,
    facts: delivery.receipt,
    isDemo,
    at: delivery.deliveredAt ?? now,
  })
}

const isObject = (body: unknown): body is object =>
  typeof body === 'object' && body !== null && !Array.isArray(body)

async function authenticate(service: Service, apiKey: string | null): Promise<Caller> {
  const caller = apiKey === null ? null : await service.keys.authenticate(apiKey, service.now())
  if (caller === null) throw new Unauthorized()
  return caller
}

function contextOf(service: Service, world: World): Omit<Context<World>, 'caller' | 'observe'> {
  const { logoUrl, imageUrl } = service.settings
  return { world, now: service.now(), logoUrl, imageUrl, files: service.files }
}

function cacheHeaders({ operation }: MountedOperation): Record<string, string> {
  const seconds = operation.cacheSeconds
  return seconds === undefined ? {} : { 'cache-control': `private, max-age=${seconds}` }
}

async function answerDemo(
  service: Service,
  mounted: MountedOperation,
  input: Input,
  sent: Input,
): Promise<Answer> {
  const { operation } = mounted
  requireTemplate(mounted, input, service.settings.baseUrl)
  const context = {
    ...contextOf(service, service.demo),
    caller: await demoCaller(service.demo),
    observe: null,
  }
  const quote: AnyQuote = await operation.quote(context, input, sent)
  requireCeiling(quote, input)
  const delivery = await quote.deliver()
  if (delivery.file !== undefined) return { status: 200, file: delivery.file, headers: {} }
  const isMetered = operation.prices.length > 0
  const body = mounted.render(simulate(delivery), {
    timestamp: context.now.toISOString(),
    creditsCharged: isMetered ? 0 : null,
    demo: true,
    sign: await signerOf(service, operation, { input, delivery, now: context.now, isDemo: true }),
  })
  const headers = isMetered ? { 'x-credits-charged': '0' } : cacheHeaders(mounted)
  return { status: successOf(operation).status, body, headers }
}

function readKey(mounted: MountedOperation, key: string, input: Input): { key: string; fingerprint: Buffer } {
  if (!isIdempotencyKey(key)) {
    const takes = '1 to 255 visible ASCII characters'
    throw new Failure('invalid_parameter', {
      message: `"Idempotency-Key" must have ${takes}.`,
      details: { parameter: 'Idempotency-Key', takes },
    })
  }
  return { key, fingerprint: fingerprint(mounted.operation, input) }
}

/** Sends the stored response byte for byte. It is free, so a balance of 0 does not matter. */
async function replay(
  service: Service,
  state: RequestState,
  stored: { account_id: number; status: number; body: string },
): Promise<Answer> {
  const figures = await service.live.primary.readByKey(accountFigures, String(stored.account_id))
  const headers = figures === undefined ? {} : creditHeaders(0, figures)
  state.replayed = true
  return { status: stored.status, body: stored.body, headers: { ...headers, 'idempotency-replayed': 'true' } }
}

type Charged = {
  mounted: MountedOperation
  state: RequestState
  caller: Caller
  now: Date
  quote: AnyQuote
  delivery: AnyDelivery
  answer: { status: number; idempotency?: { key: string; fingerprint: Buffer; body: AnswerBody } }
  checks: RequestChecks | null
}

function chargeItem(charged: Charged): SettleItem {
  const { mounted, state, caller, now, quote, delivery, answer, checks } = charged
  const { request } = state
  const reservationId = checks?.reservationId
  const settlementId = newSettlementId()
  const writes = delivery.writes ?? boughtAnswer(charged, settlementId)
  const { sessionId = null, budget = null } = request.spending ?? {}
  return {
    kind: 'charge',
    accountId: caller.accountId,
    settlementId,
    credits: totalCredits(delivery.charges),
    ...minimumOf(quote),
    ...(reservationId === undefined ? {} : { reservationId }),
    ...(sessionId === null ? {} : { session: { id: sessionId, creditsMax: budget } }),
    charges: delivery.charges,
    requestId: request.id,
    answer,
    usage: {
      requestedAt: now,
      endpoint: mounted.operation.name,
      durationMs: Math.round(performance.now() - state.startedAtMs),
      requestParams: requestParams(state.input, mounted.operation.recorded),
      source: sourceOf(request.client),
      client: request.client,
      keyId: caller.keyId ?? null,
    },
    ...(writes === undefined ? {} : { writes }),
  }
}

/** Returns the row by which the dashboard shows an answer again, without a charge, while it is stored. */
function boughtAnswer(
  { mounted, state, now, delivery, answer }: Charged,
  settlementId: string,
): ChargedWrite | undefined {
  const { idempotency } = answer
  if (state.request.subject === undefined || idempotency === undefined) return undefined
  const { data } = JSON.parse(String(idempotency.body)) as { data: Record<string, never> }
  const subject = state.request.subject(data)
  if (subject === null) return undefined
  return {
    writer: 'bought_answer',
    data: {
      operation: mounted.operation.name,
      subject,
      settlement_id: settlementId,
      credits: totalCredits(delivery.charges),
      idempotency_key: idempotency.key,
      bought_at: now.toISOString(),
    },
    job: null,
  }
}

async function settle(service: Service, state: RequestState, item: SettleItem): Promise<SettleOutcome> {
  try {
    const outcome = await service.settler.settle(item)
    state.recorded = outcome.outcome !== 'busy'
    return outcome
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error
    state.recorded = true
    state.outcomeUnknown = true
    throw new Failure('service_unavailable', {
      message:
        'The database connection was lost during the charge, which may have succeeded. ' +
        'Retry with the same Idempotency-Key: the request is charged at most once.',
      retryAfterSeconds: busyRetryAfterSeconds,
      cause: error,
    })
  }
}
