import type { FileStore } from '@baize/files'
import type { StandbyWatch } from '@baize/postgres'
import type { Logger } from 'pino'
import type { Sources } from '../core/observe.ts'
import type { AnyOperation } from '../core/operation.ts'
import type { World } from '../database/open.ts'
import type { KeyRing } from '../features/account/index.ts'
import type { CheckWaits } from '../features/enrichments/index.ts'
import type { Settler } from '../metering/settle.ts'
import type { UsageWriter } from '../metering/usage-writer.ts'
import type { Metrics } from './health/metrics.ts'
import type { Readiness } from './health/readiness.ts'

export type EdgeSettings = {
  /** The address where clients reach the service, without a trailing slash. */
  baseUrl: string
  logoUrl: string
  imageUrl: string
  /** The requests per minute and IP address that are accepted; 0 turns the throttle off. */
  throttlePerMinute: number
  /**
   * The number of hops, or the CIDRs, of proxies whose forwarded headers are trusted; null if no proxy is
   * trusted.
   */
  trustProxy: number | string[] | null
  /** Whether requests may ask for checks of sites, and how many seconds they wait. */
  observation: { isOn: boolean; waitSeconds: number }
  /** A mailto or https URL for reports of vulnerabilities; absent or null for the public form. */
  securityContact?: string | null
  /** The sender of mails; absent or null when no mail is sent. */
  mail?: { from: string } | null
  /** Lines that an operator's shell needs before a command. Signed-in people see them. */
  commandVariables?: readonly string[]
}

export type Service = {
  settings: EdgeSettings
  operations: readonly AnyOperation<World>[]
  live: World
  /** The data for the demo key. */
  demo: World
  /** The store of exports and logos. */
  files: FileStore
  settler: Settler
  waits: CheckWaits
  sources: Sources
  keys: KeyRing
  usage: UsageWriter
  metrics: Metrics
  log: Logger
  readiness: Readiness
  standbys: StandbyWatch
  /** The clock, which tests and examples replace. */
  now(): Date
}
