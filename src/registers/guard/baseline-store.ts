/** Compares a staged baseline with the streams of other markets. */
import type { Stream } from '@baize/registers'
import type { CommonDomains, DomainsElsewhere } from '@baize/registers/guard'
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { reviewedBrandStream } from '../../journal/index.ts'

/** Selects the domains that the snapshot blocks or authorises. `domain_id` is null for a new one. */
const here = {
  blocked: sql`
    select distinct staged.domain, domain.id as domain_id
      from staged_entries staged
      left join domains domain on domain.domain = staged.domain
     where staged.listed and staged.scope = 'domain'`,
  authorised: sql`
    select distinct staged.domain, domain.id as domain_id
      from staged_authorisations staged
      left join domains domain on domain.domain = staged.domain
     where staged.counts`,
} as const

/** Selects the domains that all streams block or authorise, with the market of each. */
const stored = {
  blocked: sql`
    select stream, regulator as market, domain_id
      from blocklist_entries
     where known_to is null and listed and scope = 'domain'`,
  authorised: sql`
    select stream, market, domain_id
      from authorisations
     where known_to is null and counts and stream <> ${reviewedBrandStream}`,
} as const

type What = keyof typeof stored

export async function countCommonDomains(
  tx: Transaction,
  { market }: Stream,
  what: What,
): Promise<CommonDomains[]> {
  const { rows } = await sql<CommonDomains>`
    with here as (${here[what]}),
    elsewhere as (
      select distinct stream, market, domain_id from (${stored[what]}) stored where market <> ${market}
    )
    select elsewhere.stream,
           ${what} as what,
           count(here.domain_id) as common,
           (select count(*) from here) + count(*) - count(here.domain_id) as union
      from elsewhere
      left join here using (domain_id)
     group by elsewhere.stream, elsewhere.market
    having count(here.domain_id) > 0
     order by elsewhere.stream, elsewhere.market`.execute(tx)
  return rows
}

/** Counts domains that are `what` in the snapshot and `opposite` in another market. */
export async function countElsewhere(
  tx: Transaction,
  { market }: Stream,
  what: What,
  opposite: What,
): Promise<DomainsElsewhere> {
  const { rows } = await sql<DomainsElsewhere>`
    with here as (${here[what]})
    select count(*) as of,
           count(*) filter (where domain_id in (
             select domain_id from (${stored[opposite]}) stored where market <> ${market}
           )) as domains
      from here`.execute(tx)
  return rows[0] as DomainsElsewhere
}

/** Finds another market's stream whose last snapshot has the same files. */
export async function findSameFiles(
  tx: Transaction,
  { market }: Stream,
  contentSha256: Buffer,
): Promise<string | null> {
  const { rows } = await sql<{ stream: string }>`
    select stream.stream
      from register_streams stream
      join register_snapshots snapshot
        on snapshot.stream = stream.stream and snapshot.number = stream.snapshot_number
     where stream.market <> ${market} and snapshot.content_sha256 = ${contentSha256}
     order by stream.stream
     limit 1`.execute(tx)
  return rows[0]?.stream ?? null
}

type EarlierSnapshot = { snapshotRef: string; takenAt: Date }

/**
 * Finds an applied snapshot before the last one that had the same files or rows, unlike the last one;
 * otherwise null.
 */
export async function findEarlierSame(
  tx: Transaction,
  last: { id: number; number: number },
  { contentSha256, rowsSha256 }: { contentSha256: Buffer; rowsSha256: Buffer },
): Promise<EarlierSnapshot | null> {
  const { rows } = await sql<EarlierSnapshot>`
    select earlier.snapshot_ref as "snapshotRef", earlier.taken_at as "takenAt"
      from register_snapshots last
      join register_snapshots earlier on earlier.stream = last.stream and earlier.status = 'applied'
     where last.id = ${last.id}
       and earlier.number < ${last.number}
       and last.rows_sha256 <> ${rowsSha256}
       and (earlier.content_sha256 = ${contentSha256} or earlier.rows_sha256 = ${rowsSha256})
     order by earlier.number desc
     limit 1`.execute(tx)
  return rows[0] ?? null
}

export function servedAgain({ snapshotRef, takenAt }: EarlierSnapshot): string {
  return (
    `the rows are those of ${snapshotRef}, taken at ${takenAt.toISOString()}: ` +
    'the site may serve an old state again'
  )
}
