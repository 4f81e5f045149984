import { createLogger } from '../config/logger.ts'
import { readSettings, SettingsError } from '../config/settings.ts'
import { DataDirectoryInUse, greet, type Instance, serve } from '../instance/index.ts'

const stopWithinMs = 20_000

/** Serves until a signal or the loss of the embedded database; a second signal ends at once. */
export async function runUntilStopped({ greeting }: { greeting: boolean }): Promise<void> {
  let instance: Instance
  try {
    const settings = readSettings()
    instance = await serve(settings, createLogger(settings.logLevel))
    if (greeting) console.log(await greet(instance.service, instance.url))
  } catch (error) {
    const expected = error instanceof SettingsError || error instanceof DataDirectoryInUse
    console.error(expected ? error.message : error)
    process.exit(1)
  }
  const { log } = instance.service
  const signal = new Promise<string>(tell => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => tell(name))
  })
  const failure = instance.failed.then(error => {
    log.fatal({ err: error }, 'the database ended')
    process.exitCode = 1
    return 'database lost'
  })
  const reason = await Promise.race([signal, failure])
  log.info({ reason }, 'stopping')
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => process.exit(1))
  setTimeout(() => process.exit(1), stopWithinMs).unref()
  await instance.stop()
  log.info('stopped')
  process.exit()
}
