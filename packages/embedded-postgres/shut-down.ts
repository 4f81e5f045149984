import type { ServerSignal, SupervisedProcess } from './supervised-process.ts'

/**
 * Each kind of shutdown may take this long before the next, harder one. Committed data survives all three.
 */
const shutdownSteps: readonly [ServerSignal, waitMs: number][] = [
  ['INT', 20_000], // A fast shutdown ends connections and writes everything to disk.
  ['QUIT', 5_000], // After an immediate shutdown, the next start replays the log.
  ['KILL', 5_000],
]

export async function shutDown(server: SupervisedProcess): Promise<void> {
  for (const [signal, waitMs] of shutdownSteps) {
    server.signal(signal)
    if (await endsWithin(server, waitMs)) return
  }
  server.release()
  throw new Error('The embedded PostgreSQL does not stop, even when killed: its disk does not respond.')
}

async function endsWithin(server: SupervisedProcess, waitMs: number): Promise<boolean> {
  const { promise: late, resolve: settle } = Promise.withResolvers<false>()
  const timer = setTimeout(settle, waitMs, false)
  return Promise.race([server.ended.then(() => true), late]).finally(() => clearTimeout(timer))
}
