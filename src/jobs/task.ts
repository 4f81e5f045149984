import type { Logger } from 'pino'
import type { World } from '../database/open.ts'

export type Task<Payload = unknown> = {
  name: string
  attemptsMax: number
  /** The pause before the first retry. It doubles with each further failure. */
  retryAfterMs: number
  /** Whether the task starts each minute, on one of the workers. */
  everyMinute?: boolean
  run(payload: Payload, context: TaskContext): Promise<void>
}

export type TaskContext = {
  /** Uses the worker's connections, so that jobs do not use up those of requests. */
  world: World
  log: Logger
  /** The signal aborts some seconds before a stopping worker returns its jobs to the queue. */
  signal: AbortSignal
}

/** Fails the job without further attempts, because a retry would fail in the same way. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure'
}

/** Delays the job until something else has happened. This does not count as an attempt. */
export class Postpone extends Error {
  override readonly name = 'Postpone'
  readonly delayMs: number

  constructor(message: string, delayMs: number) {
    super(message)
    this.delayMs = delayMs
  }
}

/** The ways in which an attempt ends. `handed_back`: the worker stopped, and another one runs the job. */
const jobOutcomes = ['done', 'retried', 'failed', 'handed_back', 'put_off'] as const
export type JobOutcome = (typeof jobOutcomes)[number]
