import type { LobbyGame, LobbySection } from '@baize/lobby-reader'
import type { Device } from '@baize/lobby-reader/see'
import { type RawBuilder, sql } from 'kysely'
import type { ClientFacts } from '../../core/client-facts.ts'
import { newRef } from '../../core/ref.ts'
import { differencesShownMax } from '../../core/verification.ts'
import type { Database, Transaction } from '../../database/open.ts'
import type { JobRequest } from '../../metering/job-credits.ts'
import type { RunState } from './schemas.ts'

export type Target = { domain: string; url: string | null; device: Device }

export type StoredRun = Target & {
  id: number
  ref: string
  visitId: number
  state: RunState
  reason: string | null
  suppliers: string[]
  requestedAt: Date
  finishedAt: Date | null
  finalUrl: string | null
  country: string | null
  creditsCharged: number
  isPaid: boolean
  sections: LobbySection[] | null
  games: LobbyGame[] | null
  titlesSeen: number
}

const ofTarget = ({ domain, url, device }: Target): RawBuilder<boolean> =>
  sql`visit.domain = ${domain} and visit.url is not distinct from ${url} and visit.device = ${device}`

/** Reads runs without their games, unless they are asked for. */
async function readRuns(
  database: Database,
  rest: RawBuilder<unknown>,
  hasGames = true,
): Promise<StoredRun[]> {
  const games = hasGames
    ? sql`visit.sections, visit.games`
    : sql`null::jsonb as sections, null::jsonb as games`
  const { rows } = await sql<StoredRun>`
    select run.id, run.run_ref as ref, run.visit_id as "visitId", visit.domain, visit.url, visit.device,
           visit.state, visit.reason, run.suppliers, run.requested_at as "requestedAt",
           visit.finished_at as "finishedAt", visit.final_url as "finalUrl", visit.country,
           run.credits_charged as "creditsCharged", run.reservation_id is not null as "isPaid",
           coalesce((select count(distinct lower(game ->> 'title'))
                       from jsonb_array_elements(visit.games) game), 0)::int as "titlesSeen", ${games}
      from lobby_runs run
      join lobby_visits visit on visit.id = run.visit_id
     where ${rest}`.execute(database)
  return rows
}

export const findRun = async (database: Database, accountId: number, ref: string) =>
  (await readRuns(database, sql`run.account_id = ${accountId} and run.run_ref = ${ref}`))[0]

type Listing = { accountId: number; domain: string | undefined; before: number | null; rows: number }

export const listRuns = (database: Database, { accountId, domain, before, rows }: Listing) =>
  readRuns(
    database,
    sql`run.account_id = ${accountId}
        and (${domain ?? null}::text is null or visit.domain = ${domain ?? null})
        and (${before}::bigint is null or run.id < ${before})
      order by run.id desc
      limit ${rows}`,
    false,
  )

const comparedMax = 20

/** Lists this run and the account's earlier ones with games of the same page and device, the newest first. */
export const listRunsUntil = (database: Database, accountId: number, { id, ...run }: StoredRun) =>
  readRuns(
    database,
    sql`run.account_id = ${accountId} and run.id <= ${id} and ${ofTarget(run)} and visit.games is not null
      order by run.id desc limit ${comparedMax}`,
  )

/** Finds the account's open run of a target, or its last one that ended with games after `freshAfter`. */
export const findOwnRun = async (database: Database, accountId: number, target: Target, freshAfter: Date) =>
  (
    await readRuns(
      database,
      sql`run.account_id = ${accountId} and ${ofTarget(target)}
          and (visit.state in ('queued', 'running')
               or visit.state in ('completed', 'partial') and visit.finished_at > ${freshAfter})
        order by run.id desc limit 1`,
      false,
    )
  )[0]

export const findRunOfKey = async (database: Database, accountId: number, key: string, after: Date) =>
  (
    await readRuns(
      database,
      sql`run.account_id = ${accountId} and run.idempotency_key = ${key} and run.requested_at > ${after}
        order by run.id desc limit 1`,
      false,
    )
  )[0]

export async function countFailedRuns(database: Database, accountId: number, after: Date): Promise<number> {
  const { rows } = await sql<{ failed: number }>`
    select count(*)::int as failed
      from lobby_runs run
      join lobby_visits visit on visit.id = run.visit_id
     where run.account_id = ${accountId} and visit.state = 'failed' and visit.finished_at > ${after}`.execute(
    database,
  )
  return rows[0]?.failed ?? 0
}

/** Inserts a visit; null if one of the target is open. Waits for a transaction that is ending it. */
export async function insertVisit(tx: Transaction, { domain, url, device }: Target, now: Date) {
  const { rows } = await sql<{ id: number }>`
    insert into lobby_visits (domain, url, device, state, requested_at)
    values (${domain}, ${url}, ${device}, 'queued', ${now})
    on conflict (domain, coalesce(url, ''), device) where state in ('queued', 'running') do nothing
    returning id`.execute(tx)
  return rows[0]?.id ?? null
}

export async function deleteVisit(tx: Transaction, visitId: number): Promise<void> {
  await sql`delete from lobby_visits where id = ${visitId}`.execute(tx)
}

/** Locks the open visit of a target, so that it does not end before the run is stored. */
export async function lockOpenVisit(tx: Transaction, target: Target): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from lobby_visits visit
     where ${ofTarget(target)} and state in ('queued', 'running')
       for no key update`.execute(tx)
  return rows[0]?.id ?? null
}

/** Finds the last visit of a target if it failed after `failedAfter`. */
export async function findRecentFailure(tx: Transaction, target: Target, failedAfter: Date) {
  const { rows } = await sql<{ id: number; isFailed: boolean }>`
    select id, state = 'failed' and reason <> 'interrupted' as "isFailed"
      from lobby_visits visit
     where ${ofTarget(target)} and finished_at > ${failedAfter}
     order by finished_at desc
     limit 1`.execute(tx)
  return rows[0]?.isFailed === true ? rows[0].id : null
}

export type NewRun = {
  accountId: number
  visitId: number
  suppliers: readonly string[]
  requestId: string
  client: ClientFacts | null
  keyId: number | null
  idempotencyKey: string | null
  now: Date
}

/** Inserts a run, or finds the account's run of the visit, which another request has stored. */
export async function insertRun(tx: Transaction, run: NewRun) {
  const ref = newRef('lr')
  const { rows } = await sql<{ id: number; ref: string }>`
    insert into lobby_runs
      (run_ref, account_id, visit_id, suppliers, requested_at, request_id, client, key_id, idempotency_key)
    values (${ref}, ${run.accountId}, ${run.visitId}, ${[...run.suppliers]}, ${run.now}, ${run.requestId},
            ${run.client && JSON.stringify(run.client)}, ${run.keyId}, ${run.idempotencyKey})
    on conflict (account_id, visit_id) do update set suppliers = lobby_runs.suppliers
    returning id, run_ref as ref`.execute(tx)
  const stored = rows[0] as { id: number; ref: string }
  return { ...stored, isNew: stored.ref === ref }
}

export async function queueVisit(tx: Transaction, { task, key, visitId, attemptsMax }: VisitJob) {
  const payload = JSON.stringify({ visit: visitId })
  await sql`select queue_job(${task}, ${key}, ${payload}::json, ${attemptsMax}::int, -10)`.execute(tx)
}
export type VisitJob = { task: string; key: string; visitId: number; attemptsMax: number }

export type ClaimedVisit = Target & { visitId: number; startedAt: Date; attempt: number }
const claimed = sql`id as "visitId", domain, url, device, coalesce(started_at, requested_at) as "startedAt",
                    attempts as attempt`

/** Claims a visit; undefined if it has ended. One whose worker died is claimed again. */
export async function claimVisit(database: Database, visitId: number, now: Date) {
  const { rows } = await sql<ClaimedVisit>`
    update lobby_visits set state = 'running', started_at = ${now}, attempts = attempts + 1
     where id = ${visitId} and state in ('queued', 'running')
       and not exists (
         select from lobby_visits other
          where other.domain = lobby_visits.domain and other.id < lobby_visits.id
            and other.state in ('queued', 'running'))
    returning ${claimed}`.execute(database)
  return rows[0]
}

export async function isOpenVisit(database: Database, visitId: number): Promise<boolean> {
  const { rows } = await sql`
    select from lobby_visits where id = ${visitId} and state in ('queued', 'running')`.execute(database)
  return rows.length > 0
}

export async function listOpenVisits(database: Database): Promise<ClaimedVisit[]> {
  const { rows } = await sql<ClaimedVisit>`
    select ${claimed} from lobby_visits where state in ('queued', 'running') order by id limit 1000`.execute(
    database,
  )
  return rows
}

export type VisitEnd = {
  /** The country from which the lobby was seen; null: not configured. */
  country?: string | null
  state: 'completed' | 'partial' | 'failed'
  reason: string | null
  finalUrl: string | null
  sections: readonly LobbySection[] | null
  games: readonly LobbyGame[] | null
}

/** Marks a visit as ended; false if it already is. */
export async function markEnded(
  tx: Transaction,
  visitId: number,
  end: VisitEnd,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update lobby_visits
       set state = ${end.state}, reason = ${end.reason}, final_url = ${end.finalUrl},
           country = ${end.country ?? null}, finished_at = ${now},
           sections = ${end.sections && JSON.stringify(end.sections)},
           games = ${end.games && JSON.stringify(end.games)}
     where id = ${visitId} and state in ('queued', 'running')
    returning 1`.execute(tx)
  return rows.length === 1
}

export type PaidRun = Omit<JobRequest, 'startedAt'> & { id: number }

/** Lists the runs of a visit that have reserved credits, in the order in which accounts are locked. */
export async function listPaidRuns(tx: Transaction, visitId: number): Promise<PaidRun[]> {
  const { rows } = await sql<PaidRun>`
    select id, account_id as "accountId", reservation_id as "reservationId", request_id as "requestId",
           client, key_id as "keyId"
      from lobby_runs
     where visit_id = ${visitId} and reservation_id is not null
     order by account_id`.execute(tx)
  return rows
}

export async function storeCharge(tx: Transaction, runId: number, credits: number): Promise<void> {
  await sql`update lobby_runs set credits_charged = ${credits} where id = ${runId}`.execute(tx)
}

type RunDifference = { run: number; stored: number | null; found: number | null; problem: string }

/** Returns differences between runs, reservations and the ledger. */
export async function verifyLobbyRuns(database: Database): Promise<RunDifference[]> {
  const { rows } = await sql<RunDifference>`
    select run.id as run, run.credits_charged as stored,
           coalesce(entry.credits, reservation.credits) as found,
           'a lobby run differs from its reservation or its ledger entry' as problem
      from lobby_runs run
      join lobby_visits visit on visit.id = run.visit_id
      left join reservations reservation using (reservation_id)
      left join lateral (
        select sum(credits)::bigint as credits
          from ledger_entries
         where account_id = run.account_id and price_key = 'lobby.run' and note = 'lobby run ' || run.id
      ) entry on true
     where coalesce(entry.credits, 0) <> run.credits_charged
        or (reservation.credits is not null)
           <> (run.reservation_id is not null and visit.state in ('queued', 'running'))
     limit ${differencesShownMax}`.execute(database)
  return rows
}
