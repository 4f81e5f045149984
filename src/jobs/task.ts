import type { Logger } from 'pino'
import type { World } from '../database/open.ts'

/** A kind of work that the queue carries; whoever starts a worker hands them in. */
export type Task<Payload = unknown> = {
  name: string
  /** How often a job is tried before it stands as failed. */
  attemptsMax: number
  /** The pause after a first failure; each further one is twice as long. */
  retryAfterMs: number
  /** Begun by itself each minute, by one of all the workers. */
  everyMinute?: boolean
  run(payload: Payload, context: TaskContext): Promise<void>
}

export type TaskContext = {
  /** Connections of the worker's own, so that work does not stand in the way of requests. */
  world: World
  log: Logger
  /** Aborted some seconds before a worker that stops hands its jobs back. */
  signal: AbortSignal
}

/** A failure that trying again would only repeat: the job stands as failed at once. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp'
}

/** Not yet: something else has to happen first. The job waits for so long, and this was no attempt. */
export class Postpone extends Error {
  override readonly name = 'Postpone'
  readonly delayMs: number

  constructor(message: string, delayMs: number) {
    super(message)
    this.delayMs = delayMs
  }
}

/** How an attempt at a job ended; `handed_back`: the worker was stopped, and another goes on. */
export const jobOutcomes = ['done', 'retried', 'failed', 'handed_back', 'put_off'] as const
export type JobOutcome = (typeof jobOutcomes)[number]
