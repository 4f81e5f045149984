import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

/** The `stream` of readings that checks found. */
const checkStream = 'site_check'

type PlatformReading = { platform_key: string; name: string; seen_at: string }

/** Readings that changed. They are recorded for replays. */
export type ReadingChange = { domain: string; added: PlatformReading[]; removed: PlatformReading[] }

/**
 * Compares the platform readings of a site with the reading in force of a check. Returns the readings to
 * add, and the readings that an earlier reading of the same captures added.
 */
export async function comparePlatformReadings(tx: Transaction, checkId: number): Promise<ReadingChange> {
  const { rows } = await sql<ReadingChange>`
    with found as (
      select distinct checked.domain_id, finding.value ->> 'platform' as platform_key,
             coalesce(finding.value ->> 'name', finding.value ->> 'platform') as name, finding.seen_at
        from site_checks checked
        join site_findings finding on finding.reading_id = checked.reading_id and finding.section = 'platform'
       where checked.id = ${checkId}
    ),
    earlier as (
      select distinct checked.domain_id, finding.value ->> 'platform' as platform_key, finding.seen_at
        from site_checks checked
        join site_readings reading on reading.check_id = checked.id and reading.id <> checked.reading_id
        join site_findings finding on finding.reading_id = reading.id and finding.section = 'platform'
       where checked.id = ${checkId}
    ),
    stored as (
      select reading.domain_id, platform.platform_key, platform.name, reading.seen_at, reading.stream
        from platform_readings reading
        join platforms platform on platform.id = reading.platform_id
       where reading.domain_id = (select domain_id from site_checks where id = ${checkId})
    ),
    added as (
      select found.* from found
       where not exists (select from stored
                          where (stored.platform_key, stored.seen_at) = (found.platform_key, found.seen_at))
    ),
    removed as (
      select stored.* from stored
        join earlier using (platform_key, seen_at)
       where stored.stream = ${checkStream}
         and not exists (select from found
                          where (found.platform_key, found.seen_at) = (stored.platform_key, stored.seen_at))
    )
    select domain.domain,
           (select coalesce(json_agg(json_build_object(
                     'platform_key', platform_key, 'name', name, 'seen_at', seen_at)
                     order by platform_key collate "C", seen_at), '[]')
              from added) as added,
           (select coalesce(json_agg(json_build_object(
                     'platform_key', platform_key, 'name', name, 'seen_at', seen_at)
                     order by platform_key collate "C", seen_at), '[]')
              from removed) as removed
      from site_checks checked
      join domains domain on domain.id = checked.domain_id
     where checked.id = ${checkId}`.execute(tx)
  return rows[0] as ReadingChange
}

/** Writes readings. New platforms await their review (§2.9). */
export async function writePlatformReadings(
  tx: Transaction,
  domainId: number,
  { added, removed }: ReadingChange,
): Promise<void> {
  await sql`
    insert into platforms (platform_key, name, aliases)
    select distinct on (platform_key collate "C") platform_key, name, '{}'::text[]
      from json_to_recordset(${JSON.stringify(added)}::json) as line (platform_key text, name text)
     order by platform_key collate "C", name
    on conflict do nothing`.execute(tx)
  await sql`
    insert into platform_readings (domain_id, seen_at, platform_id, stream)
    select ${domainId}, line.seen_at, platform.id, ${checkStream}
      from json_to_recordset(${JSON.stringify(added)}::json)
             as line (platform_key text, seen_at timestamptz)
      join platforms platform on platform.platform_key = line.platform_key
     order by line.seen_at, platform.id
    on conflict do nothing`.execute(tx)
  await sql`
    delete from platform_readings reading
     using json_to_recordset(${JSON.stringify(removed)}::json)
             as line (platform_key text, seen_at timestamptz)
      join platforms platform on platform.platform_key = line.platform_key
     where reading.domain_id = ${domainId}
       and reading.stream = ${checkStream}
       and (reading.platform_id, reading.seen_at) = (platform.id, line.seen_at)`.execute(tx)
}

export async function requireDomain(tx: Transaction, domain: string, domainRef: string): Promise<number> {
  await sql`
    insert into domains (domain_ref, domain) values (${domainRef}, ${domain})
    on conflict (domain) do nothing`.execute(tx)
  const { rows } = await sql<{ id: number }>`select id from domains where domain = ${domain}`.execute(tx)
  return rows[0]?.id as number
}

export async function lockDomain(tx: Transaction, domainId: number): Promise<void> {
  await sql`select from domains where id = ${domainId} for update`.execute(tx)
}
