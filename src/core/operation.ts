import type { Static, TObject, TSchema } from 'typebox'
import type { FailureCode } from './failure.ts'

/** One line of a bill: so many units of a price. */
export type Charge = { key: string; units: number; credits_per_unit: number; credits_charged: number }

/** What an operation hands over: the data of §2.1, and what it costs. */
export type Delivery<Data> = {
  data: Data
  charges: Charge[]
  /** The JSON text of the members that the operation declares as `written`. */
  written?: Record<string, string>
}

/** What a request would do, before it does it: nothing is fetched, delivered or charged until `deliver`. */
export type Plan<Data> = {
  /** The most that this may cost, in credits. */
  ceiling: number
  deliver(): Promise<Delivery<Data>>
}

export type PlanName = 'free' | 'starter' | 'growth' | 'internal'

/** Who asks. */
export type Caller = { accountId: number; accountRef: string; plan: PlanName }

export type Context<World> = {
  world: World
  caller: Caller
  now: Date
  /** Where stored logo files are served from. */
  logoUrl: string
}

/** An exact set of parameters that the demo key may send, shown in the docs with a curl. */
export type DemoTemplate = { title: string; query: Record<string, string | string[]> }

/**
 * An operation of the service, declared once, in the folder of its noun. HTTP routes, openapi.json and the docs
 * are read from it; the edge does the rest for every operation alike.
 */
export type Operation<World, Query extends TObject = TObject, Data extends TObject = TObject> = {
  /** `resolve_domain`: the operationId, the endpoint name in usage records and metrics. */
  name: string
  method: 'GET' | 'POST'
  path: `/v1/${string}`
  tag: string
  /** The section of the specification, e.g. `§4.12`. */
  section: string
  summary: string
  description: string
  query: Query
  /** Schema of `data` without what the envelope adds. */
  data: Data
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
  /** Brings validated input to the one spelling that its fingerprint is made of: canonical domains, for instance. */
  canonical?(input: Static<Query>): Static<Query>
  plan(context: Context<World>, input: Static<Query>): Promise<Plan<Static<Data>>>
}

// biome-ignore lint/suspicious/noExplicitAny: the edge validates by the schemas at run time and looks inside nowhere.
type Unseen = any

/** An operation with its types forgotten, as the catalogue and the edge hold it. */
export type AnyOperation<World> = Omit<Operation<World>, 'canonical' | 'plan'> & {
  canonical?(input: Unseen): Unseen
  plan(context: Context<World>, input: Unseen): Promise<Plan<Unseen>>
}

export type { Static, TObject, TSchema }
