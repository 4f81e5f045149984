import type { JobHelpers } from 'graphile-worker'
import type { Database } from '../database/open.ts'
import { recordFailure } from './jobs-store.ts'
import { GiveUp, type JobOutcome, Postpone, type Task, type TaskContext } from './task.ts'

const errorCharactersMax = 1_000
/** A job that keeps failing is not asked for more seldom than this. */
const retryAfterMsMax = 6 * 60 * 60_000
/** Longer than the queue takes to say its own word on a failure: until then this worker must not have taken the job again. */
const pauseMsMin = 1_000

export type RunOptions = {
  /** The queue's own connections, which outlive the world's when jobs are cut off. */
  database: Database
  context: Omit<TaskContext, 'signal'>
  onOutcome: (task: string, outcome: JobOutcome) => void
}

/**
 * One attempt at a job: does it, and says how it ended. A failure decides when it is tried again, with a pause that
 * doubles and that chance stretches or shortens by up to a half, so that what failed together is not tried together.
 */
export async function runJob(
  task: Task,
  payload: unknown,
  { job, abortSignal }: Pick<JobHelpers, 'job' | 'abortSignal'>,
  { database, context, onOutcome }: RunOptions,
): Promise<void> {
  const { log } = context
  const told = { task: task.name, key: job.key, attempt: job.attempts, attempts_max: job.max_attempts }
  try {
    await task.run(payload, { ...context, signal: abortSignal })
    onOutcome(task.name, 'done')
    log.debug(told, 'job done')
  } catch (error) {
    const outcome = outcomeOf(error, { job, abortSignal })
    onOutcome(task.name, outcome)
    if (outcome === 'failed') log.error({ ...told, err: error }, 'job failed; it is not tried again')
    else if (outcome === 'retried') log.warn({ ...told, err: error }, 'job failed; it is tried again')
    else if (outcome === 'put_off') log.debug({ ...told, reason: storedMessage(error) }, 'job put off')
    else log.info(told, 'job handed back')
    const failure = {
      outcome,
      delayMs: delayMsOf(outcome, error, { task, job }),
      message: storedMessage(error),
    }
    await recordFailure(database, job, failure).catch(cause => {
      log.warn({ ...told, err: cause }, 'the next attempt could not be postponed')
    })
    throw new Error(storedMessage(error), { cause: error })
  }
}

type Ending = Exclude<JobOutcome, 'done'>

function outcomeOf(error: unknown, { job, abortSignal }: Pick<JobHelpers, 'job' | 'abortSignal'>): Ending {
  if (abortSignal.aborted) return 'handed_back'
  if (error instanceof Postpone) return 'put_off'
  return error instanceof GiveUp || job.attempts >= job.max_attempts ? 'failed' : 'retried'
}

/** A job that is handed back is that of another worker, at once. */
function delayMsOf(
  outcome: Ending,
  error: unknown,
  { task, job }: { task: Task; job: JobHelpers['job'] },
): number {
  if (outcome === 'retried') return Math.max(pauseMsMin, retryDelayMs(task, job.attempts))
  return outcome === 'put_off' && error instanceof Postpone ? Math.max(pauseMsMin, error.delayMs) : 0
}

function retryDelayMs({ retryAfterMs }: Task, attempts: number): number {
  const pauseMs = Math.min(retryAfterMs * 2 ** (attempts - 1), retryAfterMsMax)
  return Math.round(pauseMs * (0.5 + Math.random()))
}

/** The queue keeps it as text, which holds no zero byte. */
function storedMessage(error: unknown): string {
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  return message.replaceAll('\0', '').slice(0, errorCharactersMax)
}
