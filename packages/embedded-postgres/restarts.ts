import { mkdir, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type Launch, launch, type Started } from './server.ts'
import { shutDown } from './shut-down.ts'
import type { SupervisedProcess } from './supervised-process.ts'

/** A server that ends unexpectedly is started again, at most `max` times within `withinMs`. */
export type RestartLimits = { max: number; withinMs: number }

export const noRestarts: RestartLimits = { max: 0, withinMs: 0 }

const backoffFirstMs = 100
const backoffMaxMs = 3_000
/** Restarts before this period do not lengthen the next wait. */
const backoffMemoryMs = 30_000

export type Restarting = {
  stop(): Promise<void>
  /** Resolves when the server has ended and is not started again; never after stop(). */
  givenUp: Promise<Error>
}

/** Starts the server again at the same address, so that pools reconnect. */
export function restartUnexpectedEnds(
  first: Started,
  options: Launch,
  { max, withinMs }: RestartLimits,
): Restarting {
  const { log, warn, sockets } = options
  const stopping = new AbortController()
  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<Error>()
  const restartedAt: number[] = []
  let server: SupervisedProcess = first.server

  async function watch(): Promise<void> {
    for (;;) {
      const { code } = await server.ended
      server.release()
      if (stopping.signal.aborted) return
      const end = `The embedded PostgreSQL ended unexpectedly (status ${code}).`
      const failure = await startAgain(end)
      if (stopping.signal.aborted) return
      if (failure !== null) return giveUp(failure)
    }
  }

  /** Returns null if the server runs again, or is being stopped. */
  async function startAgain(end: string): Promise<Error | null> {
    let reason = `${end} ${await log.tail().catch(String)}`
    for (;;) {
      const nowMs = Date.now()
      const recent = restartedAt.filter(at => nowMs - at < withinMs)
      if (recent.length >= max) {
        const limit = max === 0 ? '' : ` It was started again ${max} times within ${withinMs / 1000} seconds.`
        return new Error(`${reason}${limit}`)
      }
      const waitMs = backoffMs(recent.filter(at => nowMs - at < backoffMemoryMs).length)
      warn(`${reason}\nStarting it again in ${waitMs} ms (${recent.length + 1} of ${max})`)
      await pause(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return null
      restartedAt.push(Date.now())
      try {
        if (sockets.temporary) await makeAgain(sockets.path)
        server = (await launch({ ...options, port: first.port, stopping: stopping.signal })).server
        warn('The embedded PostgreSQL runs again.')
        return null
      } catch (error) {
        if (stopping.signal.aborted) return null
        reason = (error as Error).message
      }
    }
  }

  const watched = watch()
  return {
    givenUp,
    stop: async () => {
      stopping.abort()
      await shutDown(server)
      await watched
      // A start may have succeeded meanwhile.
      await shutDown(server)
    },
  }
}

/** Adds a jitter of a half, so that several services of a machine do not start in step. */
function backoffMs(restarts: number): number {
  return Math.round(Math.min(backoffMaxMs, backoffFirstMs * 2 ** restarts) * (0.5 + Math.random() / 2))
}

/**
 * Creates the directory again, which the supervisor removed. Another user could have taken the name in a
 * shared folder.
 */
async function makeAgain(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { mode: 0o700 })
}
