import type { Task, TaskContext } from '../jobs/index.ts'

export type Work = (context: TaskContext) => Promise<void>

/** A task of each minute: a failure waits for the next. */
export function recurring(name: string, work: Work): Task {
  return {
    name,
    attemptsMax: 1,
    retryAfterMs: 0,
    everyMinute: true,
    run: (_payload, context) => work(context),
  }
}
