import type { Logger } from 'pino'
import { createLogger } from '../config/logger.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { operatorMessage } from './operator-message.ts'
import { exitSoon, stopSignal } from './stop-signal.ts'

/** Something that runs until it is stopped; `failed` resolves when its database ended by itself. */
export type Running = { stop(): Promise<void>; failed: Promise<Error> }

/**
 * Runs what `start` makes until a signal or the loss of its database; a second signal ends at once. While `start` waits for others
 * the first one does.
 */
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
    // Told to, it ended before it had begun: nothing of it is left.
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
