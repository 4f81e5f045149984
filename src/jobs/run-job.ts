import type { JobHelpers } from 'graphile-worker'
import type { Database } from '../database/open.ts'
import { recordJobFailure } from './jobs-store.ts'
import { type JobOutcome, PermanentFailure, Postpone, type Task, type TaskContext } from './task.ts'

const errorCharactersMax = 1_000
const retryAfterMsMax = 6 * 60 * 60_000
/**
 * The shortest pause, so that graphile-worker records the failure before this worker can pick the job up
 * again.
 */
const pauseMsMin = 1_000

export type RunOptions = {
  /** The queue's connections, which stay open when the jobs' connections are closed. */
  database: Database
  context: Omit<TaskContext, 'signal'>
  onOutcome: (task: string, outcome: JobOutcome) => void
}

/** Runs a job. Retries back off exponentially, with 50 % jitter. */
export async function runJob(
  task: Task,
  payload: unknown,
  { job, abortSignal }: Pick<JobHelpers, 'job' | 'abortSignal'>,
  { database, context, onOutcome }: RunOptions,
): Promise<void> {
  const { log } = context
  const fields = { task: task.name, key: job.key, attempt: job.attempts, attempts_max: job.max_attempts }
  try {
    await task.run(payload, { ...context, signal: abortSignal })
    onOutcome(task.name, 'done')
    log.debug(fields, 'job done')
  } catch (error) {
    const outcome = outcomeOf(error, { job, abortSignal })
    onOutcome(task.name, outcome)
    if (outcome === 'failed') log.error({ ...fields, err: error }, 'job failed; it is not tried again')
    else if (outcome === 'retried') log.warn({ ...fields, err: error }, 'job failed; it is tried again')
    else if (outcome === 'put_off') log.debug({ ...fields, reason: storedMessage(error) }, 'job put off')
    else log.info(fields, 'job handed back')
    const failure = {
      outcome,
      delayMs: delayMsOf(outcome, error, { task, job }),
      message: storedMessage(error),
    }
    await recordJobFailure(database, job, failure).catch(cause => {
      log.warn({ ...fields, err: cause }, 'the next attempt could not be postponed')
    })
    throw new Error(storedMessage(error), { cause: error })
  }
}

type FailureOutcome = Exclude<JobOutcome, 'done'>

function outcomeOf(
  error: unknown,
  { job, abortSignal }: Pick<JobHelpers, 'job' | 'abortSignal'>,
): FailureOutcome {
  if (abortSignal.aborted) return 'handed_back'
  if (error instanceof Postpone) return 'put_off'
  return error instanceof PermanentFailure || job.attempts >= job.max_attempts ? 'failed' : 'retried'
}

function delayMsOf(
  outcome: FailureOutcome,
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

/** Removes zero bytes, which PostgreSQL text cannot contain. */
function storedMessage(error: unknown): string {
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  return message.replaceAll('\0', '').slice(0, errorCharactersMax)
}
