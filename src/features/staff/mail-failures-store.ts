import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { linkMailTask } from '../sessions/index.ts'

export type MailFailures = {
  /** Given up; deleted after 30 days. */
  failed: number
  /** Tried in vain, and tried again. */
  retrying: number
  last_error: string
}

const errorCharactersMax = 300

/** Of sign-in mails: only staff see them, since everybody else gets one answer for every address. */
export async function readMailFailures(database: Database): Promise<MailFailures | null> {
  const queue = await sql<{ exists: boolean }>`
    select to_regclass('graphile_worker.jobs') is not null as exists`.execute(database)
  if (!queue.rows[0]?.exists) return null
  const { rows } = await sql<{ failed: number; retrying: number; last_error: string | null }>`
    select count(*) filter (where attempts >= max_attempts)::integer as failed,
           count(*) filter (where attempts < max_attempts)::integer as retrying,
           (array_agg(last_error order by updated_at desc))[1] as last_error
      from graphile_worker.jobs
     where task_identifier = ${linkMailTask.name}
       and last_error is not null
       and locked_at is null`.execute(database)
  const { failed = 0, retrying = 0, last_error: error = null } = rows[0] ?? {}
  return error === null ? null : { failed, retrying, last_error: firstLine(error) }
}

const firstLine = (error: string) => error.split('\n', 1)[0]?.slice(0, errorCharactersMax) ?? ''
