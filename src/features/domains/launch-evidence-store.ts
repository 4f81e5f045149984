import { sql } from 'kysely'
import { observationLapseDays } from '../../core/observation-lapse.ts'
import type { Database } from '../../database/open.ts'
import { timesSeenLive } from './earlier-live-store.ts'

/** Components of a launch profile that findings of checks show. */
export type EvidenceSection =
  | 'registration'
  | 'dns'
  | 'web_presence'
  | 'launch'
  | 'legal_claims'
  | 'public_contacts'

const evidenceSections: readonly EvidenceSection[] = [
  'registration',
  'dns',
  'web_presence',
  'launch',
  'legal_claims',
  'public_contacts',
]

export type EvidenceRow = {
  domain_id: number
  section: EvidenceSection
  value: Record<string, unknown>
  seen_at: Date
  /** Of the domain's latest check, if it failed after this finding and has not replaced it. */
  failed_at: Date | null
  was_refused: boolean
}

/**
 * The latest finding of each value, of the readings in force. A claim or a contact counts until a page of the
 * site was seen this many days later without it: a check may miss a page. Nothing is before its launch after
 * a live site (§2.10), whichever reading came first, and while the site refuses the latest check (§3).
 */
export async function readLaunchEvidence(
  database: Database,
  domainIds: readonly number[],
): Promise<Map<number, EvidenceRow[]>> {
  if (domainIds.length === 0) return new Map()
  const { rows } = await sql<EvidenceRow>`
    with found as (
      select finding.domain_id, finding.section, finding.value_key, finding.value, finding.seen_at,
             checked.id as check_id, checked.state,
             -- A refusal says little beside what was seen shortly before.
             finding.seen_at - case when checked.state = 'failed'
                                    then make_interval(days => ${observationLapseDays}::int)
                                    else interval '0' end as weighed_at
        from site_findings finding
        join site_checks checked on checked.reading_id = finding.reading_id
       where finding.domain_id = any (${[...domainIds]}::bigint[])
         and finding.section = any (${[...evidenceSections]}::text[])
    ),
    latest as (
      select distinct on (domain_id, section, value_key) *
        from found
       order by domain_id, section, value_key, weighed_at desc, check_id desc
    ),
    pages as (
      select domain_id, max(seen_at) as seen_at
        from found
       where section = 'web_presence' and value ->> 'status' = 'live'
       group by domain_id
    ),
    live as (
      select domain_id, min(seen_at) as seen_at
        from (${timesSeenLive(domainIds)}) seen
       group by domain_id
    ),
    newest as (
      select distinct on (domain_id)
             domain_id, seen_at, state, value ->> 'status' = 'blocked' as is_refusal
        from found
       where section = 'web_presence'
       order by domain_id, seen_at desc, check_id desc
    )
    select latest.domain_id, latest.section, latest.seen_at,
           case when newest.state = 'failed' and newest.seen_at > latest.seen_at
                then newest.seen_at
           end as failed_at,
           coalesce(newest.is_refusal, false) as was_refused,
           case
             when latest.section = 'launch' and latest.value ->> 'status' = 'pre_launch'
                  and (live.seen_at < latest.seen_at
                       or newest.is_refusal and newest.seen_at > latest.seen_at)
             then latest.value || '{"status": "unknown"}'
             else latest.value
           end as value
      from latest
      left join pages using (domain_id)
      left join live using (domain_id)
      left join newest using (domain_id)
     where latest.section not in ('legal_claims', 'public_contacts')
        or pages.seen_at is null
        or latest.seen_at >= pages.seen_at - make_interval(days => ${observationLapseDays}::int)
     order by latest.domain_id, latest.section, latest.value_key`.execute(database)
  return Map.groupBy(rows, row => row.domain_id)
}
