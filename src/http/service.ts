import type { Logger } from 'pino'
import type { FileStore } from '../core/file-store.ts'
import type { AnyOperation } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import type { KeyRing } from '../features/account/index.ts'
import type { Settler } from '../metering/settle.ts'
import type { UsageWriter } from '../metering/usage-writer.ts'
import type { Metrics } from './metrics.ts'

export type EdgeSettings = {
  /** Where clients reach the service, without a trailing slash. */
  baseUrl: string
  logoUrl: string
  imageUrl: string
  /** Requests per minute and IP; 0: no throttle. */
  throttlePerMinute: number
  /** Hops or CIDRs of proxies whose forwarded headers are believed; null: none. */
  trustProxy: number | string[] | null
}

/** Everything that the edge answers with. A value: a test makes one and throws it away. */
export type Service = {
  settings: EdgeSettings
  operations: readonly AnyOperation<World>[]
  /** Customers' data. */
  live: World
  /** The fictional world of the demo key. */
  demo: World
  /** Exports and logos. */
  files: FileStore
  settler: Settler
  keys: KeyRing
  usage: UsageWriter
  metrics: Metrics
  log: Logger
  /** Why requests cannot be answered now, in a word for the operator; null: they can. */
  notReadyBecause(timeoutMs: number): Promise<string | null>
  /** The present, so that tests and examples can hold it still. */
  now(): Date
}
