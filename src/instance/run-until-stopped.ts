import type { Logger } from 'pino'
import { createLogger } from '../config/logger.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { operatorMessage } from './operator-message.ts'
import { exitSoon, stopSignal } from './stop-signal.ts'

/** `failed` resolves when the database ended unexpectedly. */
export type Running = { stop(): Promise<void>; failed: Promise<Error> }

/** A second signal exits at once; so does one during a wait of the start. */
export async function runUntilStopped(
  start: (settings: Settings, log: Logger, options: { stopping: AbortSignal }) => Promise<Running>,
): Promise<void> {
  const signal = stopSignal()
  const stopping = new AbortController()
  void signal.then(() => stopping.abort())
  let running: Running
  let log: Logger
  try {
    const settings = readSettings()
    log = createLogger(settings.logLevel)
    running = await start(settings, log, { stopping: stopping.signal })
  } catch (error) {
    if (stopping.signal.aborted && (error as Error).name === 'AbortError') process.exit(0)
    console.error(operatorMessage(error) ?? error)
    process.exit(1)
  }
  const failure = running.failed.then(error => {
    log.fatal({ err: error }, 'the database ended')
    process.exitCode = 1
    return 'database lost'
  })
  const reason = await Promise.race([signal, failure])
  log.info({ reason }, 'stopping')
  exitSoon()
  await running.stop()
  log.info('stopped')
  process.exit()
}
