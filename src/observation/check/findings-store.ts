import type { Finding } from '@baize/site-reader'
import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'

export type NewReading = {
  checkId: number
  /** Whether the site was licensed at the check. If unknown, the first reading decides. */
  wasLicensed?: boolean
  domainId: number
  rulesVersion: string
  readAt: Date
  findings: readonly Finding[]
  /** The captures of the check, in order. */
  captures: readonly { id: number; seenAt: Date }[]
}

/** Stores a reading with its findings, puts it in force for its check, and returns its id. */
export async function insertReading(tx: Transaction, reading: NewReading): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into site_readings (check_id, rules_version, read_at)
    values (${reading.checkId}, ${reading.rulesVersion}, ${reading.readAt})
    returning id`.execute(tx)
  const readingId = rows[0]?.id as number
  const lines = reading.findings.map(({ section, valueKey, value, rule, strength, capture, snippet }) => ({
    section,
    value_key: valueKey,
    value,
    rule,
    strength,
    capture_id: reading.captures[capture]?.id ?? null,
    seen_at: reading.captures[capture]?.seenAt ?? reading.readAt,
    snippet,
  }))
  await sql`
    insert into site_findings
      (reading_id, section, value_key, domain_id, value, rule, strength, capture_id, seen_at, snippet)
    select ${readingId}, section, value_key, ${reading.domainId}, value, rule, strength, capture_id, seen_at,
           snippet
      from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as line (
        section text, value_key text, value jsonb, rule text, strength int, capture_id bigint,
        seen_at timestamptz, snippet text
      )`.execute(tx)
  await sql`
    update site_checks
       set reading_id = ${readingId}, was_licensed = coalesce(was_licensed, ${reading.wasLicensed ?? null})
     where id = ${reading.checkId}`.execute(tx)
  return readingId
}

export type CheckToRead = {
  check_id: number
  domain_id: number
  domain: string
  started_at: Date
  was_licensed: boolean
}

/** Returns finished checks with stored captures that another version of the rules read, oldest first. */
export async function checksToReread(
  database: Database,
  rulesVersion: string,
  after: number,
  atOnce: number,
): Promise<CheckToRead[]> {
  const { rows } = await sql<CheckToRead>`
    select checked.id as check_id, checked.domain_id, domain.domain, checked.started_at,
           checked.was_licensed
      from site_checks checked
      join domains domain on domain.id = checked.domain_id
      join site_readings reading on reading.id = checked.reading_id
     where checked.id > ${after}
       and reading.rules_version <> ${rulesVersion}
       -- All of them, or its reading would lose what the others showed.
       and (select count(*) = max(capture.position) + 1
              from site_captures capture
             where capture.check_id = checked.id)
     order by checked.id
     limit ${atOnce}`.execute(database)
  return rows
}

/** Puts an older reading of this version in force again, after the rules were changed back. */
export async function reviveReading(
  tx: Transaction,
  checkId: number,
  rulesVersion: string,
): Promise<boolean> {
  const { rows } = await sql`
    update site_checks checked
       set reading_id = reading.id
      from site_readings reading
     where checked.id = ${checkId}
       and reading.check_id = checked.id
       and reading.rules_version = ${rulesVersion}
    returning 1`.execute(tx)
  return rows.length > 0
}

export type ShownFinding = {
  section: string
  value_key: string
  value: Record<string, unknown>
  rule: string
  strength: number
  url: string | null
  /** Is true for a value that only a browser saw. */
  is_rendered: boolean
  seen_at: Date
  snippet: string | null
}

/** Returns the findings in force of a check, for staff. */
export async function findingsOfCheck(database: Database, checkId: number): Promise<ShownFinding[]> {
  const { rows } = await sql<ShownFinding>`
    select finding.section, finding.value_key, finding.value, finding.rule, finding.strength,
           coalesce(capture.final_url, capture.url) as url,
           coalesce(capture.kind = 'dom', false) as is_rendered, finding.seen_at, finding.snippet
      from site_checks checked
      join site_findings finding on finding.reading_id = checked.reading_id
      left join site_captures capture on capture.id = finding.capture_id
     where checked.id = ${checkId}
     order by finding.section, finding.value_key`.execute(database)
  return rows
}
