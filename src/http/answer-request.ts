import { demoKey } from '../core/api-key.ts'
import { Failure } from '../core/failure.ts'
import { type Caller, type Context, type Delivery, type FileAnswer, successOf } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import { accountFigures, demoCaller } from '../features/account/index.ts'
import { findStoredAnswer, fingerprint, isIdempotencyKey } from '../metering/idempotency.ts'
import { totalCredits } from '../metering/pricing.ts'
import { OutcomeUnknown } from '../metering/settle.ts'
import { newSettlementId } from '../metering/settlement-id.ts'
import { type ClientFacts, requestParams, sourceOf } from '../metering/usage.ts'
import type { AnswerBody } from './answer-body.ts'
import { creditHeaders } from './credit-headers.ts'
import { requireTemplate, simulate } from './demo.ts'
import { Unauthorized } from './failures.ts'
import type { MountedOperation } from './mount.ts'
import { requireCeiling, requirePlan } from './plan-gate.ts'
import type { RawInput } from './read-input.ts'
import type { Input } from './read-parameters.ts'
import type { Service } from './service.ts'
import {
  busyRetryAfterSeconds,
  deliverCovered,
  keyReused,
  minimumOf,
  settledAnswer,
} from './settled-answer.ts'

/** What a transport hands over. */
export type Request = {
  id: string
  apiKey: string | null
  input: Omit<RawInput, 'body'>
  /** What came behind the headers; throws what is wrong with it. */
  body(): unknown
  idempotencyKey: string | null
  client: ClientFacts | null
}

export type Answer = { status: number; headers: Record<string, string> } & (
  | { body: AnswerBody }
  /** Of operations that declare `download`. */
  | { file: FileAnswer }
)

/** How far a request came, so that a failed one can still be told and recorded. */
export type RequestState = {
  request: Request
  startedAtMs: number
  caller: Caller | null
  input: Input
  /** Whether a usage record of it is written already. */
  recorded: boolean
  /** Whether it was answered from what was kept, free of charge. */
  replayed: boolean
  /** Whether nobody knows if it was charged; then no figure is told. */
  outcomeUnknown: boolean
}

/**
 * The journey of every request, in the architecture's order; the throttle stands before it. Nothing is charged until
 * the bytes are rendered, and nothing is sent until the charge is durable.
 */
export async function answerRequest(
  service: Service,
  mounted: MountedOperation,
  state: RequestState,
): Promise<Answer> {
  const { operation } = mounted
  const { request } = state
  const isDemo = request.apiKey === demoKey
  if (!isDemo) state.caller = await authenticate(service, request.apiKey)
  // As sent, so that the usage record of a refused request shows what was refused.
  state.input = { ...request.input.query, ...request.input.params }
  state.input = mounted.readInput({ ...request.input, body: request.body() })
  const input: Input = operation.canonical?.(state.input) ?? state.input
  const isMetered = operation.prices.length > 0

  if (isDemo) {
    requireTemplate(mounted, input, service.settings.baseUrl)
    const context = { ...contextOf(service, service.demo), caller: await demoCaller(service.demo) }
    const quote = await operation.quote(context, input)
    requireCeiling(quote, input)
    return answerDemo(mounted, await quote.deliver(), context.now)
  }

  const caller = state.caller as Caller
  const print =
    isMetered && request.idempotencyKey !== null ? readKey(mounted, request.idempotencyKey, input) : null
  if (print !== null) {
    const kept = await findStoredAnswer(service.live, caller.accountId, print.key)
    if (kept !== undefined)
      return replay(service, state, caller, kept.fingerprint.equals(print.fingerprint) ? kept : null)
  }

  requirePlan(operation, caller, input)
  const context = { ...contextOf(service, service.live), caller }
  const quote = await operation.quote(context, input)
  requireCeiling(quote, input)
  const delivery = await deliverCovered(service, mounted, caller, quote)
  if (delivery.file !== undefined) return { status: 200, file: delivery.file, headers: {} }
  const credits = totalCredits(delivery.charges)
  const body = mounted.render(delivery, {
    timestamp: context.now.toISOString(),
    creditsCharged: isMetered ? credits : null,
    demo: false,
  })
  const status = successOf(operation).status
  if (!isMetered) return { status, body, headers: cacheHeaders(mounted) }

  const settling = service.settler.settle({
    kind: 'charge',
    accountId: caller.accountId,
    settlementId: newSettlementId(),
    credits,
    ...minimumOf(quote),
    charges: delivery.charges,
    requestId: request.id,
    answer: print === null ? { status } : { status, idempotency: { ...print, body } },
    usage: {
      requestedAt: context.now,
      endpoint: operation.name,
      durationMs: Math.round(performance.now() - state.startedAtMs),
      requestParams: requestParams(state.input),
      source: sourceOf(request.client),
      client: request.client,
    },
    ...(delivery.writes === undefined ? {} : { writes: delivery.writes }),
  })
  const outcome = await settling.catch((error: unknown) => {
    if (!(error instanceof OutcomeUnknown)) throw error
    state.recorded = true
    state.outcomeUnknown = true
    throw new Failure('service_unavailable', {
      message:
        'The database was lost while the charge was settled, so that it may stand. Send the request again with its Idempotency-Key: it is charged once at most.',
      retryAfterSeconds: busyRetryAfterSeconds,
      cause: error,
    })
  })
  state.recorded = outcome.outcome !== 'busy'
  return settledAnswer(service, mounted, quote, outcome, body)
}

async function authenticate(service: Service, apiKey: string | null): Promise<Caller> {
  const caller = apiKey === null ? null : await service.keys.authenticate(apiKey, service.now())
  if (caller === null) throw new Unauthorized()
  return caller
}

function contextOf(service: Service, world: World): Omit<Context<World>, 'caller'> {
  const { logoUrl, imageUrl } = service.settings
  return { world, now: service.now(), logoUrl, imageUrl, files: service.files }
}

/** Free answers that are the same for everybody. */
function cacheHeaders({ operation }: MountedOperation): Record<string, string> {
  const seconds = operation.cacheSeconds
  return seconds === undefined ? {} : { 'cache-control': `private, max-age=${seconds}` }
}

function readKey(mounted: MountedOperation, key: string, input: Input): { key: string; fingerprint: Buffer } {
  if (!isIdempotencyKey(key)) {
    throw new Failure('invalid_parameter', {
      message: 'Idempotency-Key takes 1 to 255 visible ASCII characters.',
      details: { parameter: 'Idempotency-Key', takes: '1 to 255 visible ASCII characters' },
    })
  }
  return { key, fingerprint: fingerprint(mounted.operation.method, mounted.operation.path, input) }
}

/** Byte for byte the first answer, free even when the balance is now 0. */
async function replay(
  service: Service,
  state: RequestState,
  caller: Caller,
  kept: { status: number; body: string } | null,
): Promise<Answer> {
  if (kept === null) throw keyReused()
  const figures = await service.live.readByKey(accountFigures, String(caller.accountId))
  const headers = figures === undefined ? {} : creditHeaders(0, figures)
  state.replayed = true
  return { status: kept.status, body: kept.body, headers: { ...headers, 'idempotency-replayed': 'true' } }
}

function answerDemo(
  mounted: MountedOperation,
  delivery: Delivery<Record<string, unknown>>,
  now: Date,
): Answer {
  if (delivery.file !== undefined) return { status: 200, file: delivery.file, headers: {} }
  const isMetered = mounted.operation.prices.length > 0
  const body = mounted.render(simulate(delivery), {
    timestamp: now.toISOString(),
    creditsCharged: isMetered ? 0 : null,
    demo: true,
  })
  const status = successOf(mounted.operation).status
  return { status, body, headers: isMetered ? { 'x-credits-charged': '0' } : cacheHeaders(mounted) }
}
