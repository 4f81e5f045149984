import { greet } from '../instance/first-start.ts'
import { serve } from '../instance/serve.ts'
import { untilStopped } from './until-stopped.ts'

/** Serves until a signal or the loss of the embedded database. */
export function runUntilStopped({ greeting }: { greeting: boolean }): Promise<void> {
  return untilStopped(async (settings, log, options) => {
    const instance = await serve(settings, log, options)
    if (greeting) console.log(await greet(instance.service, settings, instance.url))
    return instance
  })
}
