import type { FileStore } from '@baize/files'
import type { FileAnswer } from '@baize/http-content'
import type { Static, TObject, TSchema } from 'typebox'
import type { FailureCode } from './failure.ts'
import type { JsonText } from './json-text.ts'
import type { Observe } from './observe.ts'

export type Charge<Key extends string = string> = {
  key: Key
  units: number
  credits_per_unit: number
  credits_charged: number
}

export type Delivery<Data> = {
  data: Data
  /** The message of the envelope, if it is not that of the operation. */
  message?: string | undefined
  charges: Charge[]
  /** The JSON text of the members that the operation declares as `written`. */
  written?: Record<string, JsonText>
  /** The file that an operation with `download` sends instead of `data`. */
  file?: FileAnswer
  /** Whether it created the object of an operation with `created`. */
  isCreated?: boolean
  /** Is written in the transaction of the charge, even if the charge is 0. */
  writes?: ChargedWrite
  /** The time when the data was ready after a wait. The default is the context's `now`. */
  deliveredAt?: Date
  /** What the receipt of this answer says besides it; absent if the request asked for none. */
  receipt?: ReceiptFacts
  /** The masked members of demo `data`, sent as `_demo_redactions.paths` (§2.1). */
  redacted?: readonly string[]
}

export type ReceiptFacts = {
  /** The key that signed at the moment of the evidence; null if the world has none. */
  kid: string | null
  /** Members of the payload as JSON text, such as `evidence`. */
  members: Readonly<Record<string, string>>
  /** The list of `data` whose elements can be shown one by one. */
  items?: string
  /** The instants that an answer of another day is about, as members of `request`. */
  times?: { as_of: string; known_at: string }
}

/** An object that a request creates with its charge, and the job that continues the work. */
export type ChargedWrite = {
  /** The suffix of the database function `write_charged_<writer>`, which reads `data`. */
  writer: string
  data: Record<string, unknown>
  /** null: the rows need no work. */
  job: { task: string; key: string; payload: Record<string, unknown>; attempts_max: number } | null
}

/** The cost of a request, and the function that delivers it. Quoting may read, but not write or charge. */
export type Quote<Data> = {
  ceiling: number
  /** The balance that the request needs, even if it delivers less. The default is the charge. */
  creditsRequired?: number
  deliver(): Promise<Delivery<Data>>
}

/** The plans of accounts. Each includes the features of the plans before it (contract section 4). */
export const planNames = ['free', 'starter', 'growth', 'internal'] as const
export type PlanName = (typeof planNames)[number]

export type Caller = {
  accountId: number
  accountRef: string
  plan: PlanName
  /** The API key of the request; absent for a session and for the demo key. */
  keyId?: number
}

export type Context<World> = {
  world: World
  caller: Caller
  now: Date
  logoUrl: string
  /** The base URL of images: `{imageUrl}/{domain}`, `{imageUrl}/{kind}/{slug}` (§4.14). */
  imageUrl: string
  files: FileStore
  /** Null when the instance can check no sites and ask no sources. */
  observe: Observe | null
}

/** A request that the demo key may send. The docs show it as a curl command. */
export type DemoTemplate = {
  title: string
  query: Record<string, string | string[]>
  /** Values for the parameters in the path. */
  params?: Record<string, string>
  body?: Record<string, unknown>
}

/** The smallest plan that includes a feature (contract section 4). */
type PlanGate = { feature: string; requiredPlan: PlanName }

type Nothing = TObject<Record<never, never>>

export type Operation<
  World,
  Query extends TObject = TObject,
  Data extends TObject = TObject,
  Params extends TObject = Nothing,
  Body extends TObject = Nothing,
  Written extends string = never,
> = {
  /** The operationId, such as `resolve_domain`. Usage records and metrics name the endpoint by it. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, with parameters in braces: `/v1/companies/{company_ref}/people`. */
  path: `/v1/${string}`
  tag: string
  /** The section of the specification, such as `§4.12`. */
  section: string
  summary: string
  description: string
  query: Query
  /** If `parameter` is sent, the `unread` parameters are passed on as text without validation. */
  exclusive?: { parameter: string; unread: readonly string[] }
  params?: Params
  /**
   * The members of the JSON body. Unknown ones return 400, invalid ones 422. Without a schema the body is
   * not read.
   */
  body?: Body
  /** The largest accepted body; 64 KiB by default. */
  bodyBytesMax?: number
  /**
   * Lists whose order and duplicates change the fingerprint. Other lists are sorted before it is computed.
   */
  ordered?: readonly string[]
  /** The parameters that usage records store; all by default. */
  recorded?: readonly string[]
  /** The schema of `data`, without the members that the envelope adds. */
  data: Data
  /** The schema by content type of the file that a free operation sends instead of the envelope. */
  download?: Readonly<Record<string, TSchema>>
  /** The default is 200 "OK". */
  success?: Success<202>
  /** The message of the 201 of a free operation that may create its object. */
  created?: string
  /** The number of seconds that clients may cache the response. The default forbids caching. */
  cacheSeconds?: number
  /**
   * Members of `data` that the database returns as JSON text (decision 11). They appear only in
   * `Delivery.written`.
   */
  written?: readonly Written[]
  /** Whether it may ask sources, and start checks of sites without a price (§4.6, §4.7). */
  refreshes?: true
  /** The prices that it may charge. An operation without prices is free and not metered. */
  prices: readonly string[]
  /** The error codes of this operation. src/http adds the codes of every operation. */
  failures: readonly FailureCode[]
  demo: readonly DemoTemplate[]
  /** The response to the first demo template. `npm run generate` writes it. */
  example: unknown
  /** Returns the plan that this input needs; null or undefined if any plan may send it. */
  gate?(input: OperationInput<Query, Params, Body>): PlanGate | null
  /** Normalises validated input, such as domains, before its fingerprint is computed. */
  canonical?(input: OperationInput<Query, Params, Body>): OperationInput<Query, Params, Body>
  /** `sent` is the input before `canonical` normalised it. */
  quote(
    context: Context<World>,
    input: OperationInput<Query, Params, Body>,
    sent: OperationInput<Query, Params, Body>,
  ): Promise<Quote<Omit<Static<Data>, Written>>>
}

/** Joins query, path and body into one value, because their names differ. */
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
  'canonical' | 'gate' | 'quote' | 'params' | 'body' | 'written'
> & {
  written?: readonly string[]
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
