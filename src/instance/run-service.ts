import { runUntilStopped } from './run-until-stopped.ts'

export function runService({ greeting }: { greeting: boolean }): Promise<void> {
  return runUntilStopped(async (settings, log, options) => {
    // Imported after the settings are checked, so that an invalid one is reported at once.
    const { serve } = await import('./serve.ts')
    const { greet } = await import('./first-start.ts')
    const instance = await serve(settings, log, options)
    if (greeting) console.log(await greet(instance.service, settings))
    return instance
  })
}
