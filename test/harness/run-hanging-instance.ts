import { runUntilStopped } from '../../src/instance/run.ts'

// Prints `running`, and hangs when it is stopped: `node run-hanging-instance.ts`.
await runUntilStopped(async () => {
  process.stdout.write('running\n')
  setInterval(() => {}, 60_000)
  return { stop: () => new Promise<void>(() => {}), failed: new Promise<Error>(() => {}) }
})
