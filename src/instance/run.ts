import type { Logger } from 'pino'
import { createLogger } from '../config/logger.ts'
import { isRunByNpm } from '../config/program.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { operatorMessage } from './operator-message.ts'

/** `failed` resolves when the database ended unexpectedly. */
export type Running = { stop(): Promise<void>; failed: Promise<Error> }

/** Serves the API until a signal. */
export function runService({ greeting }: { greeting: boolean }): Promise<void> {
  return runUntilStopped(async (settings, log, options) => {
    // The import follows the check of the settings, so that an invalid one is reported at once.
    const { serve } = await import('./serve.ts')
    const { greet } = await import('./first-start.ts')
    const onStep = greeting ? printStep : undefined
    const instance = await serve(settings, log, { ...options, onStep })
    if (greeting) await print(greet(instance.service, settings), log)
    return instance
  })
}

/** A database that ends meanwhile is started again, so a failed greeting does not end the service. */
async function print(greeting: Promise<string>, log: Logger): Promise<void> {
  try {
    console.log(await greeting)
  } catch (error) {
    log.error({ err: error }, 'the service runs, but its greeting could not be made')
  }
}

/** Prints a finished step of the start, with the seconds since the process began. */
const printStep = (step: string) => console.log(`${process.uptime().toFixed(1).padStart(5)} s  ${step}`)

/** Runs until a signal. A second signal exits at once, and so does one during a wait of the start. */
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

const stopWithinMs = 20_000
const parentPollMs = 500

/** Exits even if a start or a stop hangs. */
function exitSoon(): void {
  setTimeout(() => process.exit(1), stopWithinMs).unref()
}

/**
 * Must be called before the start, because Node ignores signals without a listener as the first process of
 * a container.
 */
function stopSignal(): Promise<string> {
  return new Promise(resolve => {
    if (isRunByNpm()) void parentEnded().then(() => resolve('npm ended'))
    let signalled = false
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        if (signalled) process.exit(1)
        signalled = true
        exitSoon()
        resolve(name)
      })
    }
  })
}

/** Resolves when npm ends, because npm signals only the shell, which passes no signal on. */
function parentEnded(): Promise<void> {
  const parent = process.ppid
  return new Promise(ended => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(timer)
      ended()
    }, parentPollMs).unref()
  })
}
