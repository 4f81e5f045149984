import { sql } from 'kysely'
import { Failure } from '../../core/failure.ts'
import type { Static } from '../../core/operation.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { instantText } from '../json-text-store.ts'
import { type notifyInput, type notifyState, writeNotify } from './notify.ts'
import { accountMembersMax, portfoliosMax } from './schemas.ts'

export type PortfolioKey = { accountId: number; name: string }

export type PortfolioRow = {
  id: number
  name: string
  note: string | null
  size: number
  notify: Static<typeof notifyState>
  created_after: number
  created_at: Date
  changed_at: Date
}

/** Numbers follow the order of commits, so no change after a committed number is missed. */
export async function lastChangeNumber(database: Database | Transaction): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(number), 0)::bigint as last from verdict_changes`.execute(database)
  return rows[0]?.last ?? 0
}

export async function readPortfolios(
  database: Database | Transaction,
  accountId: number,
  name: string | null = null,
): Promise<PortfolioRow[]> {
  const { rows } = await sql<PortfolioRow>`
    select id, name, note, size, created_after, created_at, changed_at,
           (select json_object_agg(channel, json_build_object(
                     'to', target, 'last_sent_at', ${sql.raw(instantText('last_at'))},
                     'last_outcome', last_outcome, 'disabled_at', ${sql.raw(instantText('disabled_at'))}))
              from portfolio_notices where portfolio_id = portfolios.id) as notify
      from portfolios
     where account_id = ${accountId} and (${name}::text is null or name = ${name})
     order by name`.execute(database)
  return rows
}

export async function deletePortfolio(database: Database, { accountId, name }: PortfolioKey) {
  const { rows } = await sql`
    delete from portfolios where account_id = ${accountId} and name = ${name} returning id`.execute(database)
  return rows.length > 0
}

/** Returns where the dashboard last read the changes of a portfolio. */
export async function readSeenCursor(database: Database, { accountId, name }: PortfolioKey) {
  const { rows } = await sql<{ seen_cursor: string | null }>`
    select seen_cursor from portfolios
     where account_id = ${accountId} and name = ${name}`.execute(database)
  return rows[0]?.seen_cursor ?? null
}

/** Moves the position on, unless it moved since it was read: a late request never moves it back. */
export async function storeSeenCursor(
  database: Database,
  { accountId, name }: PortfolioKey,
  { seen, next, number }: { seen: string | null; next: string; number: number },
) {
  await sql`
    update portfolios set seen_cursor = ${next}, seen_number = ${number}
     where account_id = ${accountId} and name = ${name}
       and seen_cursor is not distinct from ${seen}::text`.execute(database)
}

export type Writing = {
  /** Replaced if present, as `notify` is. */
  note?: string | null | undefined
  notify?: Static<typeof notifyInput> | undefined
  add: readonly string[]
  /** The members to remove; null removes all that are not added. */
  remove: readonly string[] | null
  now: Date
  /** The start of new members in the feed; the default is its end. */
  position?: number
}

export type Written = {
  isNew: boolean
  size: number
  added: number
  removed: number
  position: number
  /** The secret of a new URL. */
  notify?: { secret: string }
}

/** Creates or changes a portfolio; one without `remove: null` must exist. Returns null if it does not. */
export async function writePortfolio(
  tx: Transaction,
  { accountId, name }: PortfolioKey,
  { note, notify, add, remove, now, position: start }: Writing,
): Promise<Written | null> {
  // One write of an account at a time, so that its limits are exact.
  await sql`select pg_advisory_xact_lock(hashtextextended('portfolios ' || ${accountId}::text, 0))`.execute(
    tx,
  )
  let [portfolio] = await readPortfolios(tx, accountId, name)
  const isNew = portfolio === undefined
  if (isNew && remove !== null) return null
  const position = start ?? (await lastChangeNumber(tx))
  portfolio ??= await insertPortfolio(tx, { accountId, name, position, now })
  const { rows } = await sql<Pick<Written, 'size' | 'added' | 'removed'>>`
    with sent as materialized (
      select * from unnest(${add}::text[]) with ordinality as sent (domain, place)
    ), gone as materialized (
      select member.domain
        from portfolio_members member
        left join sent using (domain)
       where ${remove === null}::boolean and member.portfolio_id = ${portfolio.id} and sent.domain is null
      union all
      select * from unnest(${remove}::text[])
    ), removed as (
      delete from portfolio_members member
       using gone
       where member.portfolio_id = ${portfolio.id} and member.domain = gone.domain
      returning 1
    ), added as (
      insert into portfolio_members (portfolio_id, domain, added_after)
      select ${portfolio.id}, domain, ${position} from sent order by place
      on conflict do nothing
      returning 1
    ), counted as (
      select (select count(*) from added) as added, (select count(*) from removed) as removed
    )
    update portfolios
       set size = size + counted.added - counted.removed, changed_at = ${now},
           note = case when ${note !== undefined}::boolean then ${note ?? null}::text else note end
      from counted
     where id = ${portfolio.id}
    returning size, counted.added, counted.removed`.execute(tx)
  await requireLimits(tx, accountId)
  const target = { portfolioId: portfolio.id, accountId, now }
  const secret = notify === undefined ? {} : await writeNotify(tx, { ...target, notify })
  return { isNew, ...(rows[0] as (typeof rows)[number]), position, ...secret }
}

type NewPortfolio = PortfolioKey & { position: number; now: Date }

async function insertPortfolio(tx: Transaction, { accountId, name, position, now }: NewPortfolio) {
  const { rows } = await sql<PortfolioRow>`
    insert into portfolios (account_id, name, created_after, created_at, changed_at)
    values (${accountId}, ${name}, ${position}, ${now}, ${now})
    returning id, name, note, size, null as notify, created_after, created_at, changed_at`.execute(tx)
  return rows[0] as PortfolioRow
}

async function requireLimits(tx: Transaction, accountId: number): Promise<void> {
  const { rows } = await sql<{ portfolios: number; members: number }>`
    select count(*) as portfolios, coalesce(sum(size), 0)::bigint as members
      from portfolios
     where account_id = ${accountId}`.execute(tx)
  const { portfolios = 0, members = 0 } = rows[0] ?? {}
  if (portfolios > portfoliosMax) throw overLimit(portfoliosMax, 'portfolios')
  if (members > accountMembersMax) throw overLimit(accountMembersMax, 'members')
}

function overLimit(limit: number, counted: 'portfolios' | 'members'): Failure {
  const message = `An account may have at most ${limit.toLocaleString('en')} ${counted}.`
  return new Failure('portfolio_limit', { message, details: { limit, counted } })
}
