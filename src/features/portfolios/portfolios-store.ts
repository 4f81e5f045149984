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
  add: ReadonlySet<string>
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
  const { id } = portfolio
  const removed = await removeMembers(tx, id, { add, remove })
  const added = await addMembers(tx, id, { add, position })
  const { rows } = await sql<Pick<Written, 'size'>>`
    update portfolios
       set size = size + ${added} - ${removed}, changed_at = ${now},
           note = case when ${note !== undefined}::boolean then ${note ?? null}::text else note end
     where id = ${id}
    returning size`.execute(tx)
  await requireLimits(tx, accountId)
  const target = { portfolioId: id, accountId, now }
  const secret = notify === undefined ? {} : await writeNotify(tx, { ...target, notify })
  return { isNew, size: rows[0]?.size as number, added, removed, position, ...secret }
}

/** One statement for 100,000 members takes longer than its timeout on a busy machine. */
const membersAtOnce = 5_000

type Members = Pick<Writing, 'add' | 'remove'>

async function removeMembers(tx: Transaction, id: number, { add, remove }: Members): Promise<number> {
  if (remove !== null) return inSteps(remove, domains => deleteMembers(tx, id, domains))
  let removed = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const { rows }: { rows: { domain: string }[] } = await sql<{ domain: string }>`
      select domain from portfolio_members
       where portfolio_id = ${id} and domain > ${after} order by domain limit ${membersAtOnce}`.execute(tx)
    const gone = rows.map(({ domain }) => domain).filter(domain => !add.has(domain))
    if (gone.length > 0) removed += await deleteMembers(tx, id, gone)
    after = rows.at(-1)?.domain
  }
  return removed
}

async function deleteMembers(tx: Transaction, id: number, domains: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from portfolio_members
     where portfolio_id = ${id} and domain = any (${domains}::text[])`.execute(tx)
  return Number(numAffectedRows)
}

const addMembers = (
  tx: Transaction,
  id: number,
  { add, position }: { add: Iterable<string>; position: number },
) =>
  inSteps(add, async domains => {
    const { numAffectedRows } = await sql`
      insert into portfolio_members (portfolio_id, domain, added_after)
      select ${id}, domain, ${position}
        from unnest(${domains}::text[]) with ordinality as sent (domain, place)
       order by place
      on conflict do nothing`.execute(tx)
    return Number(numAffectedRows)
  })

/** Writes domains in steps. Returns the count of rows that they changed. */
async function inSteps(domains: Iterable<string>, write: (domains: string[]) => Promise<number>) {
  let count = 0
  const all = [...domains]
  for (let at = 0; at < all.length; at += membersAtOnce)
    count += await write(all.slice(at, at + membersAtOnce))
  return count
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
