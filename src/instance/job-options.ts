import type pg from 'pg'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings.ts'
import type { FileStore } from '../core/file-store.ts'
import type { JobOutcome } from '../jobs/index.ts'
import type { CheckReport } from '../observation/index.ts'

export type JobOptions = {
  connection: pg.PoolConfig
  settings: Pick<Settings, 'network' | 'observation' | 'baseUrl' | 'logoUrl' | 'usageKeepMonths' | 'mail'>
  files: FileStore
  log: Logger
  now?: () => Date
  onOutcome?: (task: string, outcome: JobOutcome) => void
  onCharged?: (credits: number) => void
  onCheck?: (report: CheckReport) => void
}
