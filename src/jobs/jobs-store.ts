// This file uses graphile-worker's public functions and its view `jobs`. Only recordFailure() writes
// `_private_jobs`.

import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../database/open.ts'

export const queueSchema = 'graphile_worker'

const failedJobDays = 30
const jobsListedMax = 500

const hasFailed: RawBuilder<boolean> = sql`(locked_at is null and attempts >= max_attempts)`

export type NewJob = { task: string; payload: unknown; key: string; attemptsMax: number; delayMs: number }

/**
 * Adds the job in the caller's transaction. Does nothing if a job with its key waits or runs; replaces a
 * failed one.
 */
export async function addJob(database: Database, job: NewJob): Promise<{ isNew: boolean }> {
  await sql`
    select graphile_worker.complete_jobs(array(
             select id from graphile_worker.jobs where key = ${job.key} and ${hasFailed}))`.execute(database)
  const { rows } = await sql<{ is_new: boolean }>`
    select revision = 0 as is_new
      from graphile_worker.add_job(
             identifier := ${job.task},
             payload := ${JSON.stringify(job.payload)}::json,
             run_at := now() + ${job.delayMs} * interval '1 millisecond',
             max_attempts := ${job.attemptsMax},
             job_key := ${job.key},
             job_key_mode := 'unsafe_dedupe')`.execute(database)
  return { isNew: rows[0]?.is_new ?? false }
}

export type JobState = 'waiting' | 'running' | 'retrying' | 'failed'

const state: RawBuilder<JobState> = sql`
  case
    when locked_at is not null then 'running'
    when attempts >= max_attempts then 'failed'
    when attempts > 0 then 'retrying'
    else 'waiting'
  end`

export type ListedJob = {
  job: number
  task: string
  key: string | null
  state: JobState
  attempts: number
  attempts_max: number
  /** The time of the next attempt; null when the job is running or failed. */
  next_at: Date | null
  created_at: Date
  last_error: string | null
}

/** Lists failed jobs first, then running jobs, then waiting jobs by their next attempt. */
export async function listJobs(database: Database): Promise<ListedJob[]> {
  if (!(await hasQueue(database))) return []
  const { rows } = await sql<ListedJob>`
    select id as job, task_identifier as task, key, ${state} as state, attempts,
           max_attempts as attempts_max,
           case when locked_at is null and attempts < max_attempts then run_at end as next_at,
           created_at, last_error
      from graphile_worker.jobs
     order by ${hasFailed} desc, locked_at is null, run_at, id
     limit ${jobsListedMax}`.execute(database)
  return rows
}

export async function findJobs(
  database: Database,
  keys: readonly string[],
): Promise<{ key: string; state: JobState; last_error: string | null }[]> {
  if (!(await hasQueue(database))) return []
  const { rows } = await sql<{ key: string; state: JobState; last_error: string | null }>`
    select key, ${state} as state, last_error
      from graphile_worker.jobs
     where key = any (${[...keys]}::text[])`.execute(database)
  return rows
}

export type JobCount = { task: string; state: JobState; jobs: number }

export async function countJobs(database: Database): Promise<JobCount[]> {
  if (!(await hasQueue(database))) return []
  const { rows } = await sql<JobCount>`
    select task_identifier as task, ${state} as state, count(*) as jobs
      from graphile_worker.jobs
     group by 1, 2`.execute(database)
  return rows
}

/** Returns false before the first worker, which creates the queue's schema. */
async function hasQueue(database: Database): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('graphile_worker.jobs') is not null as exists`.execute(database)
  return rows[0]?.exists ?? false
}

/** Marks a worker as alive. The lock ends with its connection, and so with the process. */
export async function acquireWorkerLock(client: pg.ClientBase, worker: string): Promise<void> {
  await client.query(`select pg_advisory_lock(hashtextextended('baize worker ' || $1, 0))`, [worker])
}

/**
 * Unlocks jobs of dead workers, which graphile-worker does only after four hours. A job at its last attempt
 * fails, because it may have killed the worker. Returns the dead workers.
 */
export async function freeAbandonedJobs(database: Database, ownWorker: string): Promise<string[]> {
  const { rows } = await sql<{ worker: string; unlocked: string }>`
    with worker as materialized (
      select distinct locked_by as name
        from graphile_worker.jobs
       where locked_by <> ${ownWorker}
    ),
    gone as materialized (
      select name
        from worker
       where pg_try_advisory_xact_lock(hashtextextended('baize worker ' || name, 0))
    )
    select name as worker, graphile_worker.force_unlock_workers(array[name]) as unlocked from gone`.execute(
    database,
  )
  if (rows.length === 0) return []
  await sql`
    select graphile_worker.permanently_fail_jobs(
             array(select id from graphile_worker.jobs where ${hasFailed} and last_error is null),
             'the worker ended in the middle of it')`.execute(database)
  return rows.map(row => row.worker)
}

/** Removes old failures, and failures of recurring tasks, which have run again since. */
export async function dropOldFailures(database: Database, recurring: readonly string[]): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array(
             select id
               from graphile_worker.jobs
              where ${hasFailed}
                and (updated_at < now() - ${failedJobDays} * interval '1 day'
                     or (key is null and task_identifier = any (${[...recurring]})))))`.execute(database)
}

/**
 * Writes the private table, because graphile-worker's backoff cannot be configured and a postponed attempt
 * counts. Its public functions skip locked jobs. Its own update then matches no row, because `locked_by` is
 * null.
 */
export async function recordJobFailure(
  database: Database,
  job: { id: string | number; locked_by: string | null },
  failure: { outcome: 'retried' | 'failed' | 'handed_back' | 'put_off'; delayMs: number; message: string },
): Promise<void> {
  const isUncounted = failure.outcome === 'handed_back' || failure.outcome === 'put_off'
  await sql`
    update graphile_worker._private_jobs
       set run_at = now() + ${failure.delayMs} * interval '1 millisecond',
           updated_at = now(),
           locked_by = null,
           locked_at = null,
           attempts = case when ${isUncounted} then greatest(attempts - 1, 0) else attempts end,
           last_error = case when ${isUncounted} then last_error else ${failure.message} end,
           max_attempts = case ${failure.outcome} when 'failed' then attempts else max_attempts end
     where id = ${job.id}
       and locked_by = ${job.locked_by}`.execute(database)
}

/** Returns running jobs to the queue. The interrupted attempt does not count. */
export async function handBackJobs(database: Database, worker: string): Promise<number> {
  const { rows } = await sql<{ id: number; attempts: number }>`
    select id, attempts from graphile_worker.jobs where locked_by = ${worker}`.execute(database)
  if (rows.length === 0) return 0
  await sql`select graphile_worker.force_unlock_workers(array[${worker}]::text[])`.execute(database)
  for (const { id, attempts } of rows) {
    await sql`
      select graphile_worker.reschedule_jobs(
               array[${id}]::bigint[], run_at := now(), attempts := ${Math.max(attempts - 1, 0)})`.execute(
      database,
    )
  }
  return rows.length
}
