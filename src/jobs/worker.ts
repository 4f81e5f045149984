import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { isLockTimeout, openPool } from '@baize/postgres'
import type { Runner, RunnerOptions, TaskList, WorkerEvents } from 'graphile-worker'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { withMigrationLock } from '../database/migration-lock.ts'
import { openWorld } from '../database/open.ts'
import type { Tables } from '../database/tables.ts'
import {
  acquireWorkerLock,
  dropOldFailures,
  freeAbandonedJobs,
  handBackJobs,
  queueSchema,
} from './jobs-store.ts'
import { queueLog } from './queue-log.ts'
import { runJob } from './run-job.ts'
import { severable } from './severable-connection.ts'
import type { JobOutcome, Task, TaskContext } from './task.ts'

const jobsAtOnceDefault = 2
/** One connection listens for new jobs; the others fetch jobs and record their outcome. */
const queueConnectionsMax = 3
/** A register sync uses one connection for its transaction and one to record its run. */
const connectionsPerJobDefault = 2
const pollEveryMs = 2_000
const finishWithinMsDefault = 5_000
/** Aborted jobs must end within this time, or their connections are closed. */
const abortWithinMsDefault = 3_000
const severedWithinMs = 2_000
const restartAfterMs = 5_000
const tendTask = 'tend_jobs'
const reportEveryMs = 60_000
/**
 * Jobs with a lower priority run sooner; other jobs have 0. Recurring tasks are short and should not wait
 * behind exports.
 */
const recurringPriority = -10

export type WorkerOptions = {
  connection: pg.PoolConfig
  tasks: readonly Task[]
  jobsAtOnce?: number
  /** The number of connections that one job uses at once. */
  connectionsPerJob?: number
  /**
   * Whether this worker frees the jobs of dead workers and drops old failures. One worker of each process
   * does so.
   */
  tends?: boolean
  log: Logger
  /** Runs at the start and each minute, in each process; a recurring task runs in one of them. */
  report?: (context: Pick<TaskContext, 'world' | 'log'>) => Promise<void>
  onOutcome?: (task: string, outcome: JobOutcome) => void
  finishWithinMs?: number
  abortWithinMs?: number
}

export type Worker = {
  /** Reports now. A worker also does so each minute. */
  report(): Promise<void>
  /** Waits for running jobs. Jobs that do not finish in time are interrupted and returned to the queue. */
  stop(): Promise<void>
}

/** Loads graphile-worker, which a process that only serves requests does not need. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const worker = new QueueWorker(options)
  await worker.start()
  return worker
}

class QueueWorker implements Worker {
  readonly #options: WorkerOptions
  readonly #pool: pg.Pool
  readonly #database: Kysely<Tables>
  readonly #work: ReturnType<typeof severable>
  readonly #world: ReturnType<typeof openWorld>
  readonly #stopping = new AbortController()
  readonly #stopped = new Promise<void>(resolve =>
    this.#stopping.signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  /** The `locked_by` of its jobs, which changes with each restart of the runner. */
  #name = ''
  #runner: Runner | null = null
  #supervised: Promise<void> = Promise.resolve()
  #reported: Promise<void> = Promise.resolve()

  constructor(options: WorkerOptions) {
    this.#options = options
    const {
      connection,
      log,
      jobsAtOnce = jobsAtOnceDefault,
      connectionsPerJob = connectionsPerJobDefault,
    } = options
    const onError = (error: unknown) => {
      if (!this.#stopping.signal.aborted) log.warn({ err: error }, 'database connection of the jobs lost')
    }
    this.#pool = openPool(connection, 'public', { connectionsMax: queueConnectionsMax, onError })
    this.#database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: this.#pool }) })
    this.#work = severable(connection)
    this.#world = openWorld('public', {
      connection: this.#work.connection,
      connectionsMax: jobsAtOnce * connectionsPerJob,
      onError,
    })
  }

  async start(): Promise<void> {
    try {
      const { runMigrations } = await import('graphile-worker')
      const shared = await this.#queueOptions()
      // graphile-worker's migrations are not safe when several processes start at once.
      await withMigrationLock(this.#options.connection, () => runMigrations(shared))
      // This frees jobs now, so that a service restarted after a kill need not wait for the next minute.
      if (this.#options.tends !== false) await this.#freeAbandoned()
      this.#runner = await this.#run()
    } catch (error) {
      await this.#close()
      throw error
    }
    this.#supervised = this.#supervise()
    this.#reported = this.#reportEachMinute()
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#stopping.abort()
    const {
      log,
      finishWithinMs = finishWithinMsDefault,
      abortWithinMs = abortWithinMsDefault,
    } = this.#options
    const stopped = this.#runner === null ? Promise.resolve() : this.#runner.stop().catch(() => {})
    if (!(await resolvesWithin(stopped, finishWithinMs + abortWithinMs))) {
      const handedBack = await handBackJobs(this.#database, this.#name).catch(error => {
        log.warn(
          { err: error },
          'jobs could not be returned to the queue; another worker runs them in some minutes',
        )
        return 0
      })
      if (handedBack > 0)
        log.warn({ jobs: handedBack }, 'jobs that did not finish were returned to the queue')
      await this.#work.sever()
      await resolvesWithin(stopped, severedWithinMs)
    }
    await resolvesWithin(Promise.all([this.#supervised, this.#reported]), severedWithinMs)
    await this.#close()
  }

  async #close(): Promise<void> {
    const closed = Promise.allSettled([this.#world.close(), this.#database.destroy()])
    await resolvesWithin(closed, severedWithinMs)
  }

  async #queueOptions(): Promise<RunnerOptions> {
    const { Logger: QueueLogger } = await import('graphile-worker')
    const { log, finishWithinMs = finishWithinMsDefault, jobsAtOnce = jobsAtOnceDefault } = this.#options
    return {
      pgPool: this.#pool,
      schema: queueSchema,
      logger: new QueueLogger(queueLog(log)),
      noHandleSignals: true,
      concurrency: jobsAtOnce,
      pollInterval: pollEveryMs,
      gracefulShutdownAbortTimeout: finishWithinMs,
      // Batching retries reports that the database lost; otherwise they would end the process as unhandled
      // rejections. A delay of 0 reports at once.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    }
  }

  async #run(): Promise<Runner> {
    const { parseCronItems, run } = await import('graphile-worker')
    const { tasks, tends = true } = this.#options
    const everyMinute = tasks.filter(task => task.everyMinute).map(task => task.name)
    const recurring = tends ? [...everyMinute, tendTask] : everyMinute
    const locked = Promise.withResolvers<void>()
    const events: WorkerEvents = new EventEmitter()
    events.on('pool:create', ({ workerPool }) => {
      this.#name = workerPool.id
    })
    events.on('pool:listen:success', ({ workerPool, client }) => {
      // The drained queue shows that `listen` has completed. This runs again for each new connection of
      // graphile-worker.
      client.once('drain', () => void this.#lock(client, workerPool.id).then(locked.resolve, () => {}))
    })
    const { preset, ...shared } = await this.#queueOptions()
    const runner = await run({
      ...shared,
      preset: { ...preset, plugins: [startsWhen(Promise.race([locked.promise, this.#stopped]))] },
      events,
      taskList: this.#taskList(recurring),
      parsedCronItems: parseCronItems(
        recurring.map(task => ({
          task,
          identifier: task,
          match: '* * * * *',
          options: {
            maxAttempts: 1,
            jobKey: task,
            jobKeyMode: 'preserve_run_at',
            backfillPeriod: 0,
            priority: recurringPriority,
          },
        })),
      ),
    })
    // #supervise handles the error; this line prevents an unhandled rejection before that.
    runner.promise.catch(() => {})
    return runner
  }

  /**
   * The lock belongs to an earlier connection until PostgreSQL notices that it has ended. An error other
   * than that of the wait means that this connection has ended too, and the next one is locked.
   */
  async #lock(client: pg.PoolClient, name: string): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        return await acquireWorkerLock(client, name)
      } catch (error) {
        if (!isLockTimeout(error)) throw error
      }
    }
  }

  #taskList(recurring: readonly string[]): TaskList {
    const { log, onOutcome = () => {}, tasks } = this.#options
    const run = { database: this.#database, context: { world: this.#world, log }, onOutcome }
    const all = recurring.includes(tendTask) ? [...tasks, this.#tend(recurring)] : tasks
    return Object.fromEntries(
      all.map(task => [task.name, (payload: unknown, helpers) => runJob(task, payload, helpers, run)]),
    ) as TaskList
  }

  #tend(recurring: readonly string[]): Task {
    return {
      name: tendTask,
      attemptsMax: 1,
      retryAfterMs: 0,
      everyMinute: true,
      run: async () => {
        await this.#freeAbandoned()
        await dropOldFailures(this.#database, recurring)
      },
    }
  }

  async #freeAbandoned(): Promise<void> {
    const gone = await freeAbandonedJobs(this.#database, this.#name)
    if (gone.length > 0) this.#options.log.warn({ workers: gone }, 'jobs of dead workers were unlocked')
  }

  async report(): Promise<void> {
    const { report, log } = this.#options
    const { signal } = this.#stopping
    if (signal.aborted) return
    await report?.({ world: this.#world, log }).catch(error => {
      if (!signal.aborted) log.warn({ err: error }, 'the report of this worker was not stored')
    })
  }

  async #reportEachMinute(): Promise<void> {
    const { signal } = this.#stopping
    while (this.#options.report !== undefined && !signal.aborted) {
      await this.report()
      await pause(reportEveryMs, undefined, { signal }).catch(() => {})
    }
  }

  async #supervise(): Promise<void> {
    const { signal } = this.#stopping
    const { log } = this.#options
    while (!signal.aborted) {
      const ended = this.#runner?.promise.catch(error => log.warn({ err: error }, 'the job queue ended'))
      await Promise.race([ended, this.#stopped])
      if (signal.aborted) return
      this.#runner = null
      await pause(restartAfterMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const restarted = await this.#run().catch(error => {
        log.warn({ err: error }, 'the job queue could not be restarted yet')
        return null
      })
      if (signal.aborted) await restarted?.stop()
      else this.#runner = restarted
    }
  }
}

/** Delays the first job until the worker has its lock: other workers treat a job without one as abandoned. */
function startsWhen(ready: Promise<void>): GraphileConfig.Plugin {
  return { name: 'baize-worker-lock', worker: { hooks: { startWorker: () => ready } } }
}

async function resolvesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController()
  const late = pause(ms, false, { signal: timer.signal }).catch(() => false)
  const inTime = await Promise.race([promise.then(() => true), late])
  timer.abort()
  return inTime
}
