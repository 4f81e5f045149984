import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/open.ts'
import { observationLapseDays } from '../../domain-entry-store.ts'
import { type EvidenceSection, type EvidenceValue, evidenceValues } from './schema.ts'

const evidenceSections = Object.keys(evidenceValues)

export type EvidenceRow = {
  [Section in EvidenceSection]: {
    domain_id: number
    section: Section
    value: EvidenceValue<Section>
    seen_at: Date
    /** The time of the domain's latest check, if it failed and has not replaced this finding. */
    failed_at: Date | null
    was_refused: boolean
  }
}[EvidenceSection]

/**
 * Reads the latest finding of each value, from the readings in force. A claim or a contact lapses when a
 * page of the site was seen without it `observationLapseDays` later, because a check may miss a page. A
 * site that was live is never before its launch (§2.10), whatever the order of the readings. Nor is a site
 * that refuses the latest check (§3).
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
         and finding.section = any (${evidenceSections}::text[])
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

/**
 * Selects when these domains showed an open site: `domain_id`, `seen_at`. A check saw the site live and not
 * `launching`, or a check or import has something that only open sites show. A casino filled by scripts is
 * live too, although a check cannot know whether it has launched.
 */
const timesSeenLive = (domainIds: readonly number[]): RawBuilder<unknown> => sql`
    select presence.domain_id, presence.seen_at
      from site_findings presence
      join site_checks checked on checked.reading_id = presence.reading_id
      left join site_findings launch on launch.reading_id = presence.reading_id and launch.section = 'launch'
     where presence.domain_id = any (${[...domainIds]}::bigint[])
       and presence.section = 'web_presence'
       and presence.value ->> 'status' = 'live'
       and launch.value ->> 'status' is distinct from 'launching'
     union all
    select domain_id, first_seen_at
      from observations
     where domain_id = any (${[...domainIds]}::bigint[])
       and section in ('payment_methods', 'supplier_brands')
     union all
    select domain_id, seen_at
      from platform_readings
     where domain_id = any (${[...domainIds]}::bigint[])`

/** Returns true if the domain showed an open site before `before`. It cannot be `pre_launch` then (§2.10). */
export async function wasLive(database: Database, domainId: number, before: Date): Promise<boolean> {
  const { rows } = await sql`
    select from (${timesSeenLive([domainId])}) live where seen_at < ${before} limit 1`.execute(database)
  return rows.length > 0
}

type RenderedLaunch = { status: EvidenceValue<'launch'>['status']; seenAt: Date }

/** Returns the launch that a browser showed last before `before`; null if none did. */
export async function lastRenderedLaunch(
  database: Database,
  domainId: number,
  before: Date,
): Promise<RenderedLaunch | null> {
  const { rows } = await sql<RenderedLaunch>`
    select finding.value ->> 'status' as status, finding.seen_at as "seenAt"
      from site_findings finding
      join site_checks checked on checked.reading_id = finding.reading_id
      join site_captures capture on capture.id = finding.capture_id
     where finding.domain_id = ${domainId}
       and finding.section = 'launch'
       and finding.seen_at < ${before}
       and capture.kind = 'dom'
     order by finding.seen_at desc
     limit 1`.execute(database)
  return rows[0] ?? null
}
