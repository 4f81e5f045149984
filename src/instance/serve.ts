import { claimWhenFree } from '@baize/data-directory'
import { requireFilePlace } from '@baize/files'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings.ts'
import { once } from '../core/once.ts'
import { migrate } from '../database/migrate.ts'
import type { OpenedService } from '../http/open-service.ts'
import { openInstanceDatabase } from './directory/database.ts'
import { isLoopback } from './loopback.ts'
import { requirePort } from './require-port.ts'

export type Instance = {
  service: OpenedService
  stop(): Promise<void>
  /** Resolves when the embedded database ended unexpectedly. The instance must then be stopped. */
  failed: Promise<Error>
}

type ServeOptions = {
  jobs?: boolean
  stopping?: AbortSignal
  /** Is called after each step that a person may wait for. */
  onStep?: ((step: string) => void) | undefined
}

/** These thousand modules load while PostgreSQL starts. */
const loadService = once(() => import('./serve-database.ts'))

/**
 * Serves the API. A failure undoes the earlier steps in reverse order, as stopping does. Without `jobs`,
 * workers must run them. `stopping` aborts the wait for a command that uses the directory.
 */
export async function serve(
  settings: Settings,
  log: Logger,
  { jobs = true, stopping, onStep = () => {} }: ServeOptions = {},
): Promise<Instance> {
  const undo: (() => Promise<unknown> | unknown)[] = []
  let ending: Promise<void> | null = null
  const stop = () => {
    ending ??= (async () => {
      for (const step of undo.reverse()) await step()
    })()
    return ending
  }
  try {
    const claim = await claimWhenFree(settings.dataDirectory, {
      onWait: owner => log.info(`waiting for ${owner}`),
      stopping,
    })
    undo.push(() => claim.release())
    await requirePort(settings.host, settings.port)
    await requireFilePlace(settings.files)
    const database = await openInstanceDatabase(settings, log, () => void loadService())
    undo.push(() => database.stop())
    onStep('PostgreSQL runs.')
    const { applied } = await migrate(database.connection, undefined, pending =>
      log.info({ migrations: pending.length }, 'migrating the database; requests are served afterwards'),
    )
    if (applied.length > 0) {
      log.info({ migrations: applied.length }, 'database migrated')
      onStep('The tables are up to date.')
    }
    warnOfPlainHttp(settings.baseUrl, log)
    const { serveDatabase } = await loadService()
    const service = await serveDatabase({ settings, log, claim, database, jobs, onStep, undo })
    return { service, stop, failed: database.unexpectedEnd }
  } catch (error) {
    await stop()
    throw error
  }
}

function warnOfPlainHttp(baseUrl: string, log: Logger): void {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'http:' && !isLoopback(hostname))
    log.warn(
      { base_url: baseUrl },
      'BASE_URL is plain http: keys and sign-ins of the dashboard can be read on the way; set it to https',
    )
}
