import { createLogger } from '../config/logger.ts'
import { readSettings } from '../config/settings.ts'
import { greet, type Instance, operatorMessage, serve } from '../instance/index.ts'

const stopWithinMs = 20_000

/** Serves until a signal or the loss of the embedded database; a second signal ends at once. */
export async function runUntilStopped({ greeting }: { greeting: boolean }): Promise<void> {
  const signal = firstSignal()
  let instance: Instance
  try {
    const settings = readSettings()
    instance = await serve(settings, createLogger(settings.logLevel))
    if (greeting) console.log(await greet(instance.service, instance.url))
  } catch (error) {
    console.error(operatorMessage(error) ?? error)
    process.exit(1)
  }
  const { log } = instance.service
  const failure = instance.failed.then(error => {
    log.fatal({ err: error }, 'the database ended')
    process.exitCode = 1
    return 'database lost'
  })
  const reason = await Promise.race([signal, failure])
  log.info({ reason }, 'stopping')
  setTimeout(() => process.exit(1), stopWithinMs).unref()
  await instance.stop()
  log.info('stopped')
  process.exit()
}

/** Listened for before the start: the first process of a container is not ended by a signal that nobody awaits. */
function firstSignal(): Promise<string> {
  return new Promise(tell => {
    let told = false
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.on(name, () => {
        if (told) process.exit(1)
        told = true
        tell(name)
      })
    }
  })
}
