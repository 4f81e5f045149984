import type { Leashed, ServerSignal } from './leash.ts'

/** How long each kind of shutdown may take before the next, harder one; all three keep what was committed. */
const shutdownSteps: readonly [ServerSignal, waitMs: number][] = [
  ['INT', 20_000], // fast: connections are ended, everything is written out
  ['QUIT', 5_000], // immediate: the log is replayed at the next start
  ['KILL', 5_000],
]

export async function shutDown(leashed: Leashed): Promise<void> {
  for (const [signal, waitMs] of shutdownSteps) {
    leashed.signal(signal)
    if (await endsWithin(leashed, waitMs)) return
  }
  leashed.release()
  throw new Error('The embedded PostgreSQL does not end, not even killed: its disk does not answer.')
}

async function endsWithin(leashed: Leashed, waitMs: number): Promise<boolean> {
  const { promise: late, resolve: settle } = Promise.withResolvers<false>()
  const timer = setTimeout(settle, waitMs, false)
  return Promise.race([leashed.ended.then(() => true), late]).finally(() => clearTimeout(timer))
}
