import { sql } from 'kysely'
import type { Database, Transaction } from '../../database/open.ts'
import { linkMailTask } from '../sessions/index.ts'

export type ListedAccount = {
  id: number
  account_ref: string
  name: string
  plan: string
  granted: number | null
  used: number
  reserved: number
  members: number
}

/** Returns accounts, the latest first. `words` are searched in the name and the ref. */
export async function readListedAccounts(
  database: Database,
  { words, before, limit }: { words?: string | undefined; before?: number | undefined; limit: number },
): Promise<ListedAccount[]> {
  const { rows } = await sql<ListedAccount>`
    select account.id, account.account_ref, account.name, account.plan, balance.granted, balance.used,
           balance.reserved,
           (select count(*) from memberships where account_id = account.id) as members
      from accounts account
      join account_balances balance on balance.account_id = account.id
     where ${before === undefined ? sql`true` : sql`account.id < ${before}`}
       and ${
         words === undefined
           ? sql`true`
           : sql`(strpos(lower(account.name), lower(${words})) > 0 or account.account_ref = ${words})`
       }
     order by account.id desc
     limit ${limit}`.execute(database)
  return rows
}

export type ListedEvent = {
  id: number
  happened_at: Date
  email: string | null
  account_ref: string | null
  action: string
  subject: string | null
  details: Record<string, unknown>
}

type EventFilters = { email?: string | undefined; account?: string | undefined; action?: string | undefined }

export async function readStaffEvents(
  database: Database,
  filters: EventFilters,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ListedEvent[]> {
  const { email, account, action } = filters
  const { rows } = await sql<ListedEvent>`
    select event.id, event.happened_at, event.email, account.account_ref, event.action, event.subject,
           event.details
      from audit_events event
      left join accounts account on account.id = event.account_id
     where ${before === undefined ? sql`true` : sql`event.id < ${before}`}
       and ${email === undefined ? sql`true` : sql`event.email = lower(${email})`}
       and ${account === undefined ? sql`true` : sql`account.account_ref = ${account}`}
       and ${action === undefined ? sql`true` : sql`event.action = ${action}`}
     order by event.id desc
     limit ${limit}`.execute(database)
  return rows
}

export type PlatformEvidence = {
  domain: string
  seen_at: Date
  rule: string | null
  snippet: string | null
}

/** Counts the sites ever seen on a platform, and returns the latest of them with their evidence. */
export async function readPlatformEvidence(database: Database, platformId: number, limit: number) {
  const { rows } = await sql<PlatformEvidence & { sites: number }>`
    select seen.domain, seen.seen_at, seen.sites, shown.rule, shown.snippet
      from (
        select reading.domain_id, domain.domain, max(reading.seen_at) as seen_at,
               count(*) over ()::integer as sites
          from platform_readings reading
          join domains domain on domain.id = reading.domain_id
         where reading.platform_id = ${platformId}
         group by reading.domain_id, domain.domain
         order by max(reading.seen_at) desc, domain.domain
         limit ${limit}
      ) seen
      left join lateral (
        select finding.rule, finding.snippet
          from site_findings finding
          join site_checks checked on checked.reading_id = finding.reading_id
         where finding.domain_id = seen.domain_id and finding.section = 'platform'
         order by finding.seen_at desc
         limit 1
      ) shown on true
     order by seen.seen_at desc, seen.domain`.execute(database)
  return {
    sites: rows[0]?.sites ?? 0,
    evidence: rows.map(({ sites: _, ...evidence }) => evidence),
  }
}

/** A change that a quarantined snapshot would make. */
export type StaffDifference = {
  kind: string
  change: 'added' | 'removed' | 'changed'
  name: string
  fields: { name: string; before: string | null; after: string | null }[]
}

export type DecidableSnapshot = {
  snapshot_ref: string
  stream: string
  market: string
  is_quarantined: boolean
  taken_at: Date
  received_at: Date
  rows: number
  rejected: number
  added: number
  removed: number
  changed: number
  signals: number
  hold_reasons: string[]
  /** Examples of the changes it would make; null if it is not quarantined. */
  difference: StaffDifference[] | null
  /** Is true if the full list of differences can be downloaded as CSV. */
  has_all_differences: boolean
  /** The last decision about the snapshot. `is_open` is true while a worker carries it out. */
  decision: 'approve' | 'discard' | null
  decided_by: string | null
  is_open: boolean
  failure: string | null
}

/**
 * Reads the snapshots that staff can decide: quarantined ones, and each stream's latest applied one, which
 * alone can be discarded.
 */
export async function readDecidableSnapshots(database: Database): Promise<DecidableSnapshot[]> {
  const { rows } = await sql<DecidableSnapshot>`
    select snapshot.snapshot_ref, snapshot.stream, source.market, snapshot.status = 'held' as is_quarantined,
           snapshot.taken_at, snapshot.received_at, snapshot.rows, snapshot.rejected, snapshot.added,
           snapshot.removed, snapshot.changed, snapshot.signals, snapshot.hold_reasons,
           case when snapshot.status = 'held' then snapshot.difference end as difference,
           snapshot.status = 'held' and snapshot.difference_sha256 is not null as has_all_differences,
           last.decision, last.email as decided_by,
           coalesce(last.id is not null and last.finished_at is null, false) as is_open, last.failure
      from register_streams source
      join register_snapshots snapshot
        on snapshot.id = source.quarantined_snapshot_id
        or (snapshot.stream = source.stream and snapshot.number = source.snapshot_number)
      left join lateral (
        select * from snapshot_decisions where snapshot_ref = snapshot.snapshot_ref order by id desc limit 1
      ) last on true
     order by snapshot.status = 'held' desc, source.market collate "C", snapshot.stream collate "C",
              snapshot.received_at desc`.execute(database)
  return rows
}

/** Finds the digest of the archived file with all differences. */
export async function findDifference(database: Database, ref: string): Promise<Buffer | null> {
  const { rows } = await sql<{ difference_sha256: Buffer | null }>`
    select difference_sha256 from register_snapshots where snapshot_ref = ${ref}`.execute(database)
  return rows[0]?.difference_sha256 ?? null
}

export const decideTask = { name: 'decide_snapshot', attemptsMax: 3 } as const

/** Stores a decision. Returns false while another decision of the snapshot is being carried out. */
export async function insertStaffDecision(
  tx: Transaction,
  wanted: { snapshotRef: string; decision: string; reason: string; email: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    insert into snapshot_decisions (snapshot_ref, decision, reason, email, requested_at)
    values (${wanted.snapshotRef}, ${wanted.decision}, ${wanted.reason}, ${wanted.email}, ${wanted.now})
    on conflict do nothing
    returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) return false
  await sql`
    select queue_job(${decideTask.name}, ${`decide_snapshot ${wanted.snapshotRef}`},
                     ${JSON.stringify({ decision: id })}::json, ${decideTask.attemptsMax}::int,
                     0)`.execute(tx)
  return true
}

export type OpenDecision = { snapshot_ref: string; decision: 'approve' | 'discard'; reason: string }

export async function findOpenDecision(database: Database, id: number): Promise<OpenDecision | undefined> {
  const { rows } = await sql<OpenDecision>`
    select snapshot_ref, decision, reason
      from snapshot_decisions
     where id = ${id} and finished_at is null`.execute(database)
  return rows[0]
}

export async function finishDecision(
  database: Database,
  { id, failure, now }: { id: number; failure: string | null; now: Date },
): Promise<void> {
  await sql`
    update snapshot_decisions set finished_at = ${now}, failure = ${failure} where id = ${id}`.execute(
    database,
  )
}

type MailFailures = {
  /** The number of mails that failed finally; they are deleted after 30 days. */
  failed: number
  /** The number of mails that failed and will be tried again. */
  retrying: number
  last_error: string
}

const errorCharactersMax = 300

/** Reads failures of sign-in mails. Only staff see them: the sign-in page answers alike for every address. */
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
