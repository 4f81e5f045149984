import type { Logger } from 'pino'
import { createLogger } from '../config/logger.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { operatorMessage } from '../instance/operator-message.ts'
import { endSoon, toldToStop } from './told-to-stop.ts'

/** Something that runs until it is stopped; `failed` resolves when its database ended by itself. */
export type Running = { stop(): Promise<void>; failed: Promise<Error> }

/** Runs what `start` makes until a signal or the loss of its database; a second signal ends at once. */
export async function untilStopped(
  start: (settings: Settings, log: Logger) => Promise<Running>,
): Promise<void> {
  const signal = toldToStop()
  let running: Running
  let log: Logger
  try {
    const settings = readSettings()
    log = createLogger(settings.logLevel)
    running = await start(settings, log)
  } catch (error) {
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
  endSoon()
  await running.stop()
  log.info('stopped')
  process.exit()
}
