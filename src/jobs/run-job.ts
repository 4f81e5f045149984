import type { JobHelpers } from 'graphile-worker'
import type { Database } from '../database/open.ts'
import { settleFailure } from './jobs-store.ts'
import { GiveUp, type JobOutcome, type Task, type TaskContext } from './task.ts'

const errorCharactersMax = 1_000
/** A job that keeps failing is not asked for more seldom than this. */
const retryAfterMsMax = 6 * 60 * 60_000

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
    const outcome = abortSignal.aborted
      ? 'handed_back'
      : error instanceof GiveUp || job.attempts >= job.max_attempts
        ? 'failed'
        : 'retried'
    onOutcome(task.name, outcome)
    if (outcome === 'failed') log.error({ ...told, err: error }, 'job failed; it is not tried again')
    else if (outcome === 'retried') log.warn({ ...told, err: error }, 'job failed; it is tried again')
    else log.info(told, 'job handed back')
    const delayMs = outcome === 'retried' ? retryDelayMs(task, job.attempts) : 0
    await settleFailure(database, job, { outcome, delayMs }).catch(cause => {
      log.warn({ ...told, err: cause }, 'the next attempt could not be postponed')
    })
    throw new Error(storedMessage(error), { cause: error })
  }
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
