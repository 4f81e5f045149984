import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import type { Verdict, VerdictCause } from '../domains/index.ts'

export type ChangeRow = {
  number: number
  change_ref: string
  domain: string
  /** The sides as JSON text. */
  before: string
  after: string
  occurred_at: Date
  detected_at: Date
  cause: VerdictCause['cause']
  is_correction: boolean
  correction_of: string | null
  is_free: boolean
  signal_refs: string[]
}

export type ChangeFilters = {
  verdict_before: Verdict | null
  verdict_after: Verdict | null
  geo: string | null
  /** Days in UTC, both included. */
  days: { from: string; to: string } | null
}

const side = (name: 'before' | 'after') => `
  '{"verdict":"' || change.verdict_${name} || '","licensed_by":' || change.licensed_by_${name}
    || ',"blocked_by":' || change.blocked_by_${name} || '}' as ${name}`

/** Selects a `ChangeRow` but for its domain. */
export const changeColumns = sql.raw(`
  change.number, change.change_ref, ${side('before')}, ${side('after')}, change.occurred_at,
  change.detected_at, change.cause, change.is_correction, change.correction_of, change.is_free,
  change.signal_refs`)

/** Reads changes after a number, and counts those that match. Without filters the last number is the count. */
export async function readChanges(
  database: Database,
  { verdict_before, verdict_after, geo, days }: ChangeFilters,
  { after, limit }: { after: number; limit: number },
): Promise<{ rows: ChangeRow[]; total: number }> {
  const conditions = [
    ...(verdict_before === null ? [] : [sql`change.verdict_before = ${verdict_before}`]),
    ...(verdict_after === null ? [] : [sql`change.verdict_after = ${verdict_after}`]),
    ...(geo === null ? [] : [sql`change.markets @> array[${geo}::text]`]),
    ...(days === null
      ? []
      : [sql`change.occurred_at >= ${days.from}::date and change.occurred_at < ${days.to}::date + 1`]),
  ]
  const matches = sql.join([sql`true`, ...conditions], sql` and `)
  const { rows: counted } = await sql<{ total: number }>`
    select ${conditions.length === 0 ? sql`coalesce(max(number), 0)` : sql`count(*)`} as total
      from verdict_changes change
     where ${matches}`.execute(database)
  const { rows } = await sql<ChangeRow>`
    select ${changeColumns}, domain.domain
      from verdict_changes change
      join domains domain on domain.id = change.domain_id
     where change.number > ${after} and ${matches}
     order by change.number
     limit ${limit}`.execute(database)
  return { rows, total: counted[0]?.total ?? 0 }
}

type VerdictStep = { at: string; before: string; after: string }

/** Reads when the verdict of a site changed, oldest first. */
export async function readVerdictSteps(database: Database, domain: string): Promise<VerdictStep[]> {
  const { rows } = await sql<VerdictStep>`
    select to_char(change.occurred_at at time zone 'UTC', 'YYYY-MM-DD') as at,
           change.verdict_before as before, change.verdict_after as after
      from domains domain
      join verdict_changes change on change.domain_id = domain.id
     where domain.domain = ${domain} and change.verdict_before <> change.verdict_after
     order by change.number`.execute(database)
  return rows
}
