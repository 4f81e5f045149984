import type { Task, TaskContext } from '../../jobs/index.ts'

export type Work = (context: TaskContext) => Promise<void>

/** Creates a task that runs each minute. After a failure, it runs in the next minute. */
export function recurring(name: string, work: Work): Task {
  return {
    name,
    attemptsMax: 1,
    retryAfterMs: 0,
    everyMinute: true,
    run: (_payload, context) => work(context),
  }
}

/** Does rare work, such as listing a bucket, with a pause after each success. */
export function atMostEvery(ms: number, work: Work): Work {
  let doneAtMs = Number.NEGATIVE_INFINITY
  return async context => {
    if (performance.now() - doneAtMs < ms) return
    await work(context)
    doneAtMs = performance.now()
  }
}

/** Works once a day and at the process's start, so that no day is missed while the service was down. */
export function oncePerDay(now: () => Date, work: Work): Work {
  let doneOn = ''
  return async context => {
    const day = now().toISOString().slice(0, 10)
    if (day === doneOn) return
    await work(context)
    doneOn = day
  }
}
