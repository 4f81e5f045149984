import { sql } from 'kysely'
import type { ClientFacts } from '../../core/client-facts.ts'
import { newRef } from '../../core/ref.ts'
import type { Database, Transaction } from '../../database/open.ts'
import type { checkStates } from './schemas.ts'

export type AskedBy = 'request' | 'enrichment' | 'refresh' | 'staff' | 'firmographics'
export type CheckState = (typeof checkStates)[number]

/** Finds a domain, or inserts it. A domain without records has the verdict `no_record`. */
export async function findOrInsertDomain(tx: Transaction, domain: string): Promise<number> {
  const find = () => sql<{ id: number }>`select id from domains where domain = ${domain}`.execute(tx)
  const stored = (await find()).rows[0]
  if (stored !== undefined) return stored.id
  await sql`
    insert into domains (domain_ref, domain)
    values (${newRef('dom')}, ${domain})
    on conflict (domain) do nothing`.execute(tx)
  const inserted = (await find()).rows[0]
  if (inserted === undefined) throw new Error(`the domain ${domain} was not inserted`)
  return inserted.id
}

export type NewCheck = {
  domainId: number
  askedBy: AskedBy
  accountId: number | null
  idempotencyKey: string | null
  requestId: string | null
  client: ClientFacts | null
  keyId: number | null
  now: Date
}

/** Inserts a check; null if the domain has an open one. Waits for a transaction that is finishing it. */
export async function insertCheck(tx: Transaction, check: NewCheck): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    insert into site_checks
      (domain_id, state, asked_by, account_id, idempotency_key, request_id, client, key_id, requested_at)
    values (${check.domainId}, 'queued', ${check.askedBy}, ${check.accountId}, ${check.idempotencyKey},
            ${check.requestId}, ${check.client && JSON.stringify(check.client)}, ${check.keyId},
            ${check.now})
    on conflict (domain_id) where state in ('queued', 'running') do nothing
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

export async function deleteCheck(tx: Transaction, checkId: number): Promise<void> {
  await sql`delete from site_checks where id = ${checkId}`.execute(tx)
}

export type StoredCheck = {
  id: number
  state: CheckState
  account_id: number | null
  finished_at: Date | null
  credits_charged: number | null
}

const storedColumns = sql.raw('id, state, account_id, finished_at, credits_charged')

export async function findOpenCheck(tx: Transaction, domainId: number): Promise<StoredCheck | undefined> {
  const { rows } = await sql<StoredCheck>`
    select ${storedColumns}
      from site_checks
     where domain_id = ${domainId} and state in ('queued', 'running')`.execute(tx)
  return rows[0]
}

/** Turns a queued background check into a requested one, which does not ask robots.txt. */
export async function askOnDemand(tx: Transaction, checkId: number): Promise<void> {
  await sql`
    update site_checks
       set asked_by = 'request'
     where id = ${checkId} and state = 'queued' and asked_by = 'refresh'`.execute(tx)
}

export async function findCheck(database: Database, checkId: number): Promise<StoredCheck | undefined> {
  const { rows } = await sql<StoredCheck>`
    select ${storedColumns} from site_checks where id = ${checkId}`.execute(database)
  return rows[0]
}

/**
 * Finds the latest completed check after `freshAfter`. Without one, it finds the last check if that failed
 * after `failedAfter`. Background checks that robots.txt refused do not count for requests.
 */
export async function findRecentEnd(
  tx: Transaction,
  domainId: number,
  { freshAfter, failedAfter }: { freshAfter: Date; failedAfter: Date },
): Promise<StoredCheck | undefined> {
  const { rows } = await sql<StoredCheck>`
    select ${storedColumns}
      from site_checks
     where domain_id = ${domainId}
       and (state = 'completed' and finished_at >= ${freshAfter}
            or state = 'failed' and finished_at > ${failedAfter}
               and not (asked_by = 'refresh' and reason = 'blocked')
               and not exists (
                 select from site_checks later
                  where later.domain_id = site_checks.domain_id
                    and later.state = 'completed'
                    and later.finished_at > site_checks.finished_at
               ))
     order by state = 'completed' desc, finished_at desc
     limit 1`.execute(tx)
  return rows[0]
}

export type CheckOfKey = StoredCheck & { domain_id: number }

/** Finds the latest check that a request with this Idempotency-Key started since `after`. */
export async function findCheckOfKey(
  database: Database,
  { accountId, idempotencyKey, after }: { accountId: number; idempotencyKey: string; after: Date },
): Promise<CheckOfKey | undefined> {
  const { rows } = await sql<CheckOfKey>`
    select ${storedColumns}, domain_id
      from site_checks
     where account_id = ${accountId} and idempotency_key = ${idempotencyKey} and requested_at > ${after}
     order by requested_at desc, id desc
     limit 1`.execute(database)
  return rows[0]
}

export type CheckJob = { task: string; key: string; checkId: number; attemptsMax: number; priority: number }

export async function queueCheckJob(tx: Transaction, job: CheckJob): Promise<void> {
  const payload = JSON.stringify({ check: job.checkId })
  await sql`
    select queue_job(${job.task}, ${job.key}, ${payload}::json, ${job.attemptsMax}::int,
                     ${job.priority}::int)`.execute(tx)
}

/** Gives a waiting job a lower number, so that it starts earlier. */
export async function hastenCheckJob(tx: Transaction, key: string, priority: number): Promise<void> {
  await sql`select hasten_job(${key}, ${priority}::int)`.execute(tx)
}

export type ClaimedCheck = {
  checkId: number
  domainId: number
  domain: string
  askedBy: AskedBy
  accountId: number | null
  reservationId: string | null
  requestId: string | null
  client: ClientFacts | null
  keyId: number | null
  requestedAt: Date
  startedAt: Date
  /** The number of this attempt, from 1. */
  attempt: number
}

export async function markCheckRunning(database: Database, checkId: number, now: Date) {
  const { rows } = await sql<ClaimedCheck>`
    update site_checks checked
       set state = 'running', started_at = ${now}, attempts = attempts + 1
      from domains domain
     where checked.id = ${checkId} and checked.state in ('queued', 'running')
       and domain.id = checked.domain_id
    returning checked.id as "checkId", domain.id as "domainId", domain.domain,
              checked.asked_by as "askedBy", checked.account_id as "accountId",
              checked.reservation_id as "reservationId", checked.request_id as "requestId", checked.client,
              checked.key_id as "keyId", checked.requested_at as "requestedAt",
              checked.started_at as "startedAt",
              checked.attempts as attempt`.execute(database)
  return rows[0]
}

export type CheckEnd = {
  checkId: number
  state: 'completed' | 'failed'
  reason: string | null
  readingId: number | null
  creditsCharged: number
  now: Date
}

/** Marks a check as finished; false if it already is. The commit wakes the requests that wait for it. */
export async function markFinished(tx: Transaction, end: CheckEnd): Promise<boolean> {
  const { rows } = await sql`
    update site_checks
       set state = ${end.state}, reason = ${end.reason}, reading_id = ${end.readingId},
           credits_charged = ${end.creditsCharged}, finished_at = ${end.now}
     where id = ${end.checkId} and state in ('queued', 'running')
    returning pg_notify(${finishedChannel}, id::text)`.execute(tx)
  return rows.length === 1
}

export const finishedChannel = 'site_check_finished'

export type OpenCheck = ClaimedCheck & { state: 'queued' | 'running' }

const openListedMax = 1_000

export async function listOpenChecks(database: Database): Promise<OpenCheck[]> {
  const { rows } = await sql<OpenCheck>`
    select checked.id as "checkId", domain.id as "domainId", domain.domain, checked.state,
           checked.asked_by as "askedBy", checked.account_id as "accountId",
           checked.reservation_id as "reservationId", checked.request_id as "requestId", checked.client,
           checked.key_id as "keyId", checked.requested_at as "requestedAt",
           coalesce(checked.started_at, checked.requested_at) as "startedAt", checked.attempts as attempt
      from site_checks checked
      join domains domain on domain.id = checked.domain_id
     where checked.state in ('queued', 'running')
     order by checked.id
     limit ${openListedMax}`.execute(database)
  return rows
}

export async function listEnded(database: Database, checkIds: readonly number[]): Promise<number[]> {
  if (checkIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select id
      from site_checks
     where id = any (${[...checkIds]}::bigint[]) and state in ('completed', 'failed')`.execute(database)
  return rows.map(row => row.id)
}

/** Finds the latest completed check of a domain. */
export async function findLastCompleted(database: Database, domain: string) {
  const { rows } = await sql<{ id: number; finished_at: Date }>`
    select checked.id, checked.finished_at
      from domains domain
      join site_checks checked on checked.domain_id = domain.id and checked.state = 'completed'
     where domain.domain = ${domain}
     order by checked.finished_at desc
     limit 1`.execute(database)
  return rows[0]
}
