import { sql } from 'kysely'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

/** Adds only checks that are not stored yet, because a finished check never changes. */
export async function upsertSiteChecks({ tx }: UpsertContext): Promise<UpsertResult> {
  await sql`
    create temp table new_checks on commit drop as
    select distinct on (mapped.domain_id, staged.checked_at)
           mapped.domain_id, staged.checked_at, staged.state, staged.reason, staged.findings,
           null::bigint as check_id, null::bigint as reading_id
      from staged_site_checks staged
      join mapped_domains mapped using (domain)
     where not exists (
       select from site_checks stored
        where (stored.domain_id, stored.finished_at) = (mapped.domain_id, staged.checked_at)
     )
     order by mapped.domain_id, staged.checked_at, staged.position desc`.execute(tx)
  await sql`
    with inserted as (
      insert into site_checks
        (domain_id, state, reason, asked_by, requested_at, started_at, finished_at, credits_charged)
      select domain_id, state, reason, 'staff', checked_at, checked_at, checked_at, 0
        from new_checks
       order by domain_id, checked_at
      returning id, domain_id, finished_at
    )
    update new_checks
       set check_id = inserted.id
      from inserted
     where inserted.domain_id = new_checks.domain_id
       and inserted.finished_at = new_checks.checked_at`.execute(tx)
  await sql`
    with inserted as (
      insert into site_readings (check_id, rules_version, read_at)
      select check_id, 'imported', checked_at from new_checks order by check_id
      returning id, check_id
    )
    update new_checks set reading_id = inserted.id from inserted where inserted.check_id = new_checks.check_id
  `.execute(tx)
  await sql`
    insert into site_findings
      (reading_id, section, value_key, domain_id, value, rule, strength, seen_at, snippet)
    select distinct on (stored.reading_id, line.section, line.value_key)
           stored.reading_id, line.section, line.value_key, stored.domain_id, line.value, line.rule,
           line.strength, coalesce(line.seen_at, stored.checked_at), line.snippet
      from new_checks stored
     cross join lateral jsonb_to_recordset(stored.findings) as line (
       section text, value_key text, value jsonb, rule text, strength int, seen_at timestamptz, snippet text
     )
     order by stored.reading_id, line.section, line.value_key, line.strength desc`.execute(tx)
  await sql`
    update site_checks checked
       set reading_id = stored.reading_id
      from new_checks stored
     where checked.id = stored.check_id`.execute(tx)
  await sql`
    insert into touched_domains (domain_id, in_observations)
    select distinct domain_id, true from new_checks`.execute(tx)
  const { rows } = await sql<UpsertResult>`select count(*) as added, 0 as changed from new_checks`.execute(tx)
  return rows[0] as UpsertResult
}
