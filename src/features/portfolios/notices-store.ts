import { sql } from 'kysely'
import { newRef } from '../../core/ref.ts'
import type { Database, Transaction } from '../../database/open.ts'

export async function isMember(database: Database | Transaction, accountId: number, email: string) {
  const { rows } = await sql`
    select from memberships
      join users on users.id = memberships.user_id
     where account_id = ${accountId} and email = ${email}`.execute(database)
  return rows.length > 0
}

type Channel = 'email' | 'url'
type NewNotice = { portfolioId: number; channel: Channel; target: string; secret: Buffer; now: Date }

/** Sets a target. The same one stays as it is, unless it was disabled. Returns whether the secret is new. */
export async function setNotice(tx: Transaction, { portfolioId, channel, target, secret, now }: NewNotice) {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into portfolio_notices as notice (portfolio_id, channel, target, secret, next_at)
    values (${portfolioId}, ${channel}, ${target}, ${channel === 'url' ? secret : null}, ${now})
    on conflict (portfolio_id, channel) do update
       set target = excluded.target, attempts = 0, message = null, next_at = excluded.next_at,
           secret = case when notice.target = excluded.target then notice.secret else excluded.secret end,
           failing_since = null, disabled_at = null
     where notice.target <> excluded.target or notice.disabled_at is not null
    returning secret = ${secret} as is_new`.execute(tx)
  return rows[0]?.is_new ?? false
}

export async function removeNotice(tx: Transaction, portfolioId: number, channel: Channel): Promise<void> {
  await sql`
    delete from portfolio_notices
     where portfolio_id = ${portfolioId} and channel = ${channel}`.execute(tx)
}

/** Bounds a statement: a change of a site is counted in each portfolio that has it. */
const countedAtOnceMax = 2_000

/**
 * Counts new changes for notices. The index by domain finds the portfolios of each change, so portfolios
 * without the domain cost nothing. Returns whether all changes are counted.
 */
export async function countChanges(database: Database): Promise<boolean> {
  await sql`
    insert into portfolio_sweep (last_number) select coalesce(max(number), 0) from verdict_changes
    on conflict do nothing`.execute(database)
  const { rows } = await sql<{ changes: number }>`
    with swept as (
      select last_number from portfolio_sweep for update
    ), span as materialized (
      select number, domain_id from verdict_changes
       where number > (select last_number from swept) order by number limit ${countedAtOnceMax}
    ), counted as (
      select member.portfolio_id, count(*) as changes
        from span
       cross join lateral (select domain from domains where id = span.domain_id offset 0) site
       cross join lateral (
         select portfolio_id from portfolio_members
          where domain = site.domain and added_after < span.number
          offset 0
       ) member
       group by member.portfolio_id
    ), noted as (
      update portfolio_notices notice set changes = notice.changes + counted.changes
        from counted
       where notice.portfolio_id = counted.portfolio_id and notice.disabled_at is null
    ), moved as (
      update portfolio_sweep set last_number = (select max(number) from span)
       where exists (select from span)
    )
    select count(*) as changes from span`.execute(database)
  return (rows[0]?.changes ?? 0) < countedAtOnceMax
}

/** The message of a notice. It names neither a site nor a verdict (§6). */
export type Message = { id: string; portfolio: string; changes: number; position: number; at: string }

export type DueNotice = {
  portfolio_id: number
  channel: Channel
  account_id: number
  target: string
  secret: Buffer | null
  message: Message
  attempts: number
  failing_since: Date | null
}

/** Claims due notices until `leasedUntil`, each with its message of the first attempt. */
export async function claimDue(
  database: Database,
  { now, leasedUntil, limit }: { now: Date; leasedUntil: Date; limit: number },
): Promise<DueNotice[]> {
  const { rows } = await sql<DueNotice>`
    with due as (
      select portfolio_id, channel from portfolio_notices
       where changes > 0 and disabled_at is null and next_at <= ${now}
       order by next_at limit ${limit}
       for update skip locked
    )
    update portfolio_notices notice
       set next_at = ${leasedUntil},
           message = coalesce(notice.message, json_build_object(
             'id', ${newRef('msg')} || '_' || notice.portfolio_id || '_' || notice.channel,
             'portfolio', portfolio.name, 'changes', notice.changes,
             'position', (select last_number from portfolio_sweep), 'at', ${now.toISOString()}::text))
      from due join portfolios portfolio on portfolio.id = due.portfolio_id
     where notice.portfolio_id = due.portfolio_id and notice.channel = due.channel
    returning notice.portfolio_id, notice.channel, portfolio.account_id, notice.target, notice.secret,
              notice.message, notice.attempts, notice.failing_since`.execute(database)
  return rows
}

export type Outcome = {
  outcome: string
  isDelivered: boolean
  attempts: number
  /** Whether the next attempt sends the same message. */
  isSameMessage: boolean
  nextAt: Date
  isDisabled: boolean
}

/** Stores the outcome of an attempt, unless the target was changed meanwhile. */
export async function storeOutcome(
  database: Database,
  { portfolio_id, channel, target, message }: DueNotice,
  { outcome, isDelivered, attempts, isSameMessage, nextAt, isDisabled }: Outcome,
  now: Date,
): Promise<void> {
  await sql`
    update portfolio_notices
       set changes = changes - ${isDelivered ? message.changes : 0}, attempts = ${attempts},
           next_at = ${nextAt},
           message = case when ${isSameMessage}::boolean then message end,
           failing_since = case when not ${isDelivered}::boolean then coalesce(failing_since, ${now}) end,
           last_at = ${now}, last_outcome = ${outcome},
           disabled_at = case when ${isDisabled}::boolean then ${now}::timestamptz end
     where portfolio_id = ${portfolio_id} and channel = ${channel} and target = ${target}`.execute(database)
}
