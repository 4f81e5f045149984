import type { Static, TObject, TSchema } from 'typebox'
import type { ClientFacts } from './client-facts.ts'
import type { FailureCode } from './failure.ts'
import type { FileStore, StoredFile } from './file-store.ts'
import type { JsonText } from './json-text.ts'
import type { Sources } from './sources.ts'

export type Charge = { key: string; units: number; credits_per_unit: number; credits_charged: number }

export type Delivery<Data> = {
  data: Data
  charges: Charge[]
  /** JSON text of the members that the operation declares as `written`. */
  written?: Record<string, JsonText>
  /** Sent instead of `data`, by operations that declare `download`. */
  file?: FileAnswer
  /** Written in the transaction of the charge (a charge of 0 is one), or not at all. */
  writes?: ChargedWrite
  /** After a wait. Absent: the context's `now`. */
  deliveredAt?: Date
  /** Masked members of demo `data`, sent as `_demo_redactions.paths` (§2.1). */
  redacted?: readonly string[]
}

/** Something that a request creates with its charge, and the job that continues the work. */
export type ChargedWrite = {
  /** Names the database function `write_charged_<writer>`, which reads `data`. */
  writer: string
  /** JSON. */
  data: Record<string, unknown>
  job: { task: string; key: string; payload: Record<string, unknown>; attempts_max: number }
}

export type FileAnswer = StoredFile & {
  fileName: string
  contentType: string
  /** Letters, digits and dashes; different for different bytes. */
  etag: string
}

/** What a request may cost, and how it is delivered. Quoting may read, but not write or charge. */
export type Quote<Data> = {
  ceiling: number
  /** The balance needed, even if less is delivered. Absent: what is charged. */
  creditsRequired?: number
  deliver(): Promise<Delivery<Data>>
}

/** The accounts' plans; each includes the features of those before it (contract section 4). */
export const planNames = ['free', 'starter', 'growth', 'internal'] as const
export type PlanName = (typeof planNames)[number]

export type Caller = {
  accountId: number
  accountRef: string
  plan: PlanName
  /** The API key of the request; absent: a session's, or the demo key's. */
  keyId?: number
}

/** How a request asks for a check of a site (§4.12) or a source, and waits for it. */
export type Observe = {
  /** false: no check of a site can be asked for, only sources. */
  checksSites: boolean
  sources: Sources
  requestId: string
  idempotencyKey: string | null
  client: ClientFacts | null
  now(): Date
  /** Takes a place among the requests that may wait; 503 if there is none. */
  enter(): void
  /** Renews the reservation until the request ends. What is delivered is charged from it. */
  reserved(reservation: { reservationId: string; accountId: number; credits: number }): void
  /**
   * Until the check has ended, the time is up, or the server stops. Fails if the client leaves, unless an
   * Idempotency-Key carries the request through.
   */
  wait(checkId: number): Promise<void>
  /**
   * After `enter`: aborted with a TimeoutError when the time is up or the server stops, otherwise when the
   * client has left.
   */
  limit(): AbortSignal
}

export type Context<World> = {
  world: World
  caller: Caller
  now: Date
  logoUrl: string
  /** Base URL of images: `{imageUrl}/{domain}`, `{imageUrl}/{kind}/{slug}` (§4.14). */
  imageUrl: string
  files: FileStore
  /** null: neither a check of a site nor a source can be asked for. */
  observe: Observe | null
}

/** A request that the demo key may send; the docs show it as a curl command. */
export type DemoTemplate = {
  title: string
  query: Record<string, string | string[]>
  /** Values of the path's parameters. */
  params?: Record<string, string>
  body?: Record<string, unknown>
}

/** The least plan that includes a feature (contract section 4). */
type PlanGate = { feature: string; requiredPlan: PlanName }

type Nothing = TObject<Record<never, never>>

export type Operation<
  World,
  Query extends TObject = TObject,
  Data extends TObject = TObject,
  Params extends TObject = Nothing,
  Body extends TObject = Nothing,
> = {
  /** `resolve_domain`: the operationId, and the endpoint in usage records and metrics. */
  name: string
  method: 'GET' | 'POST'
  /** With parameters in braces: `/v1/companies/{company_ref}/people`. */
  path: `/v1/${string}`
  tag: string
  /** Of the specification: `§4.12`. */
  section: string
  summary: string
  description: string
  query: Query
  /** If `parameter` is sent, the `unread` ones are not validated, and are passed on as text. */
  exclusive?: { parameter: string; unread: readonly string[] }
  params?: Params
  /** Members of the JSON body: unknown ones are 400, invalid ones 422. Absent: the body is not read. */
  body?: Body
  /** The largest body. Absent: 64 KiB. */
  bodyBytesMax?: number
  /** Lists whose order and duplicates are part of the fingerprint. Other lists are sorted for it. */
  ordered?: readonly string[]
  /** Parameters in usage records. Absent: all. */
  recorded?: readonly string[]
  /** Schema of `data`, without the members that the envelope adds. */
  data: Data
  /** For free operations that send a file instead of the envelope: its schema by content type. */
  download?: Readonly<Record<string, TSchema>>
  /** Absent: 200 "OK". */
  success?: Success<202>
  /** How long clients may cache the response. Absent: not at all. */
  cacheSeconds?: number
  /** Members of `data` that the database writes as JSON text (decision 11). */
  written?: readonly string[]
  /** Whether it may ask sources, and checks of sites without a price (§4.6, §4.7). */
  refreshes?: true
  /** The price keys that it may charge. None: it is free and not metered. */
  prices: readonly string[]
  /** Codes of its own; src/http adds those of every operation. */
  failures: readonly FailureCode[]
  demo: readonly DemoTemplate[]
  /** The response to its first demo template, written by `npm run pictures`. */
  example: unknown
  /** The plan that this input needs; null or absent: any. */
  gate?(input: OperationInput<Query, Params, Body>): PlanGate | null
  /** Normalises validated input (canonical domains, for instance) before its fingerprint is taken. */
  canonical?(input: OperationInput<Query, Params, Body>): OperationInput<Query, Params, Body>
  /** `sent` is the input before `canonical`. */
  quote(
    context: Context<World>,
    input: OperationInput<Query, Params, Body>,
    sent: OperationInput<Query, Params, Body>,
  ): Promise<Quote<Static<Data>>>
}

/** Query, path and body as one value; their names differ. */
export type OperationInput<
  Query extends TObject,
  Params extends TObject = Nothing,
  Body extends TObject = Nothing,
> = Static<Query> & Static<Params> & Static<Body>

// biome-ignore lint/suspicious/noExplicitAny: src/http validates by schema and never reads members.
type Unseen = any

/** An operation without its type parameters, as the catalogue lists it. */
export type AnyOperation<World> = Omit<
  Operation<World>,
  'canonical' | 'gate' | 'quote' | 'params' | 'body'
> & {
  params?: TObject
  body?: TObject
  gate?(input: Unseen): PlanGate | null
  canonical?(input: Unseen): Unseen
  quote(context: Context<World>, input: Unseen, sent: Unseen): Promise<Quote<Unseen>>
}

export type { Static, TObject, TSchema }

export type Success<Status = 200 | 202> = { status: Status; message: string }

export function successOf({ success }: { success?: Success<202> }): Success {
  return success ?? { status: 200, message: 'OK' }
}
