import type { Logger } from 'pino'
import type { FileStore } from '../core/file-store.ts'
import type { MailSettings } from '../core/mail-settings.ts'
import type { AnyOperation } from '../core/operation.ts'
import type { Sources } from '../core/sources.ts'
import type { World } from '../database/open.ts'
import type { KeyRing } from '../features/account/index.ts'
import type { CheckWaits } from '../features/enrichments/index.ts'
import type { Settler } from '../metering/settle.ts'
import type { UsageWriter } from '../metering/usage-writer.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'

export type EdgeSettings = {
  /** Where clients reach the service, without a trailing slash. */
  baseUrl: string
  logoUrl: string
  imageUrl: string
  /** Requests per minute and IP address; 0: no throttle. */
  throttlePerMinute: number
  /** Number of hops, or CIDRs, of proxies whose forwarded headers are trusted; null: none. */
  trustProxy: number | string[] | null
  /** Whether requests may ask for checks of sites, and how long they wait. */
  observation: { isOn: boolean; waitSeconds: number }
  /** The sender of mails; absent or null: no mail is sent. */
  mail?: Pick<MailSettings, 'from'> | null
  /** Lines that an operator's shell needs before a command; shown to people who are signed in. */
  commandVariables?: readonly string[]
}

export type Service = {
  settings: EdgeSettings
  operations: readonly AnyOperation<World>[]
  live: World
  /** The demo key's data. */
  demo: World
  /** Exports and logos. */
  files: FileStore
  settler: Settler
  waits: CheckWaits
  sources: Sources
  keys: KeyRing
  usage: UsageWriter
  metrics: Metrics
  log: Logger
  readiness: Readiness
  /** The clock, which tests and examples replace. */
  now(): Date
}
