import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'

type ReportedRenderer = {
  worker: string
  state: 'on' | 'off' | 'unavailable'
  reason: string | null
  message: string | null
  renders: number
  failed: number
  /** How often Chromium was killed. */
  killed: number
  /** Running processes of Chromium; 0 when idle. */
  processes: number
  last_failure: string | null
}

export type Rendering = { state: ReportedRenderer['state']; reason: string | null }

/** A worker reports each minute. */
const silentMinutesMax = 5

export async function reportRenderer(
  database: Database,
  reported: ReportedRenderer,
  now: Date,
): Promise<void> {
  await sql`delete from renderers where seen_at < ${now}::timestamptz - interval '1 day'`.execute(database)
  await database
    .insertInto('renderers')
    .values({ ...reported, seen_at: now })
    .onConflict(conflict => conflict.column('worker').doUpdateSet({ ...reported, seen_at: now }))
    .execute()
}

/** Lists the renderers of workers that run, those that work first. */
export async function listRenderers(database: Database, now: Date) {
  const { rows } = await sql<ReportedRenderer & { seen_at: Date }>`
    select worker, state, reason, message, renders, failed, killed, processes, last_failure, seen_at
      from renderers
     where seen_at > ${now}::timestamptz - make_interval(mins => ${silentMinutesMax})
     order by state <> 'on', seen_at desc, worker`.execute(database)
  return rows
}

/** Says whether pages are rendered: they are if one worker does. */
export async function readRendering(database: Database, now: Date): Promise<Rendering> {
  const [best] = await listRenderers(database, now)
  return best === undefined
    ? { state: 'unavailable', reason: 'no_worker' }
    : { state: best.state, reason: best.reason }
}
