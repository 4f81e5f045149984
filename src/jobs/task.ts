import type { Logger } from 'pino'
import type { World } from '../database/open.ts'

export type Task<Payload = unknown> = {
  name: string
  attemptsMax: number
  /** Doubles with each further failure. */
  retryAfterMs: number
  /** Starts each minute, on one of the workers. */
  everyMinute?: boolean
  run(payload: Payload, context: TaskContext): Promise<void>
}

export type TaskContext = {
  /** The worker's own connections, so that jobs do not use up those of requests. */
  world: World
  log: Logger
  /** Aborted some seconds before a stopping worker returns its jobs to the queue. */
  signal: AbortSignal
}

/** A failure that a retry would repeat: the job fails without further attempts. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure'
}

/** Delays the job until something else has happened. Does not count as an attempt. */
export class Postpone extends Error {
  override readonly name = 'Postpone'
  readonly delayMs: number

  constructor(message: string, delayMs: number) {
    super(message)
    this.delayMs = delayMs
  }
}

/** How an attempt ended. `handed_back`: the worker stopped, and another one runs the job. */
const jobOutcomes = ['done', 'retried', 'failed', 'handed_back', 'put_off'] as const
export type JobOutcome = (typeof jobOutcomes)[number]
