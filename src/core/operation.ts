import type { Static, TObject, TSchema } from 'typebox'
import type { FailureCode } from './failure.ts'
import type { FileStore, StoredFile } from './file-store.ts'
import type { JsonText } from './json-text.ts'

/** One line of a bill: so many units of a price. */
export type Charge = { key: string; units: number; credits_per_unit: number; credits_charged: number }

/** What an operation hands over: the data of §2.1, and what it costs. */
export type Delivery<Data> = {
  data: Data
  charges: Charge[]
  /** The JSON text of the members that the operation declares as `written`. */
  written?: Record<string, JsonText>
  /** Sent instead of `data`, by operations that declare `download`. */
  file?: FileAnswer
  /** Written in the transaction of the charge (a charge of 0 is one), or not at all. */
  writes?: ChargedWrite
  /** Demo answers: which members of `data` are masked, as `_demo_redactions.paths` (§2.1). */
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

/** A file as an attachment; ranges of it can be asked for. */
export type FileAnswer = StoredFile & {
  fileName: string
  contentType: string
  /** By which whoever has the file knows it again: letters, digits and dashes, other ones for other bytes. */
  etag: string
}

/** What a request may cost, and the delivery that the caller then pays for. Quoting may read; it writes and charges nothing. */
export type Quote<Data> = {
  /** The most that the request may cost, in credits. */
  ceiling: number
  /** What the balance must cover, even if less is delivered or the request is refused. Absent: what is charged. */
  creditsRequired?: number
  deliver(): Promise<Delivery<Data>>
}

/** The plans of accounts, each of which includes what those before it do (contract section 4). */
export const planNames = ['free', 'starter', 'growth', 'internal'] as const
export type PlanName = (typeof planNames)[number]

/** Who asks. */
export type Caller = { accountId: number; accountRef: string; plan: PlanName }

export type Context<World> = {
  world: World
  caller: Caller
  now: Date
  /** Where stored logo files are served from. */
  logoUrl: string
  /** Where images of subjects are addressed: `{imageUrl}/{domain}`, `{imageUrl}/{kind}/{slug}` (§4.14). */
  imageUrl: string
  files: FileStore
}

/** An exact set of parameters that the demo key may send, shown in the docs with a curl. */
export type DemoTemplate = {
  title: string
  query: Record<string, string | string[]>
  /** What stands in the braces of the path. */
  params?: Record<string, string>
  body?: Record<string, unknown>
}

/** What a plan of the account must include, beyond credits (contract section 4). */
export type PlanGate = { feature: string; requiredPlan: PlanName }

type Nothing = TObject<Record<never, never>>

/**
 * An operation of the service, declared once, in the folder of its noun. HTTP routes, openapi.json and the docs
 * are read from it; the edge does the rest for every operation alike.
 */
export type Operation<
  World,
  Query extends TObject = TObject,
  Data extends TObject = TObject,
  Params extends TObject = Nothing,
  Body extends TObject = Nothing,
> = {
  /** `resolve_domain`: the operationId, the endpoint name in usage records and metrics. */
  name: string
  method: 'GET' | 'POST'
  /** Parameters of the path in braces: `/v1/companies/{company_ref}/people`. */
  path: `/v1/${string}`
  tag: string
  /** The section of the specification, e.g. `§4.12`. */
  section: string
  summary: string
  description: string
  query: Query
  /** The parameter of `query` beside which these are not read: any text of them is taken, and passed on as it was sent. */
  exclusive?: { parameter: string; unread: readonly string[] }
  /** The texts in the braces of the path. */
  params?: Params
  /** Members of the JSON body; those it does not name are 400, those of a wrong type 422. Absent: it takes no body. */
  body?: Body
  /** Schema of `data` without what the envelope adds. */
  data: Data
  /** Answers a file instead of the envelope: its schema by the content types that it may have. Only free operations do. */
  download?: Readonly<Record<string, TSchema>>
  /** What a success is, where it is not 200 "OK". */
  success?: Success<202>
  /** How long clients may keep the answer; absent: not at all. */
  cacheSeconds?: number
  /**
   * Members of `data` that arrive as JSON text, written by the database: a page of 1,000 rows goes three times as fast
   * as bytes than as objects through the serialiser. What `data` holds under these names is not sent.
   */
  written?: readonly string[]
  /** The price lines it may charge; none: it is free and not metered. */
  prices: readonly string[]
  /** Failures of its own; those of every operation (401, 429, 500 …) are added by the edge. */
  failures: readonly FailureCode[]
  demo: readonly DemoTemplate[]
  /** A real answer to its first demo template, written by `npm run pictures` and compared by a test. */
  example: unknown
  /** What the account's plan must include for this input; null or absent: any plan will do. */
  gate?(input: OperationInput<Query, Params, Body>): PlanGate | null
  /** Brings validated input to the one spelling that its fingerprint is made of: canonical domains, for instance. */
  canonical?(input: OperationInput<Query, Params, Body>): OperationInput<Query, Params, Body>
  quote(context: Context<World>, input: OperationInput<Query, Params, Body>): Promise<Quote<Static<Data>>>
}

/** Query, path and body as one value; no name stands in two of them. */
export type OperationInput<
  Query extends TObject,
  Params extends TObject = Nothing,
  Body extends TObject = Nothing,
> = Static<Query> & Static<Params> & Static<Body>

// biome-ignore lint/suspicious/noExplicitAny: the edge validates by the schemas at run time and looks inside nowhere.
type Unseen = any

/** An operation with its types forgotten, as the catalogue and the edge hold it. */
export type AnyOperation<World> = Omit<
  Operation<World>,
  'canonical' | 'gate' | 'quote' | 'params' | 'body'
> & {
  params?: TObject
  body?: TObject
  gate?(input: Unseen): PlanGate | null
  canonical?(input: Unseen): Unseen
  quote(context: Context<World>, input: Unseen): Promise<Quote<Unseen>>
}

export type { Static, TObject, TSchema }

export type Success<Status = 200 | 202> = { status: Status; message: string }

/** Status and message of an answer that is no failure. */
export function successOf({ success }: { success?: Success<202> }): Success {
  return success ?? { status: 200, message: 'OK' }
}
