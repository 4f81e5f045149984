import { sql } from 'kysely'
import { dayMs } from '../../core/time.ts'
import type { Database, Transaction } from '../../database/open.ts'
import { instantText } from '../json-text-store.ts'

export type Screening = {
  known_at: string
  credits: number
  is_running: boolean
  version: number
  /** The members that it has not screened. */
  left: number
}

/** Reads the last screening of a portfolio, whether its file is stored, and its members by bought verdict. */
export async function readScreening(database: Database, portfolioId: number) {
  const [{ rows }, counted] = await Promise.all([
    sql<{ screening: Screening | null; has_file: boolean }>`
      select (select json_build_object(
                       'known_at', ${sql.raw(instantText('known_at'))}, 'credits', credits,
                       'is_running', stopped_at is null, 'version', version,
                       'left', (select count(*) from portfolio_members
                                 where portfolio_id = screening.portfolio_id and id > screening.position))
                from portfolio_screenings screening
               where portfolio_id = ${portfolioId}) as screening,
             exists (select from portfolio_files where portfolio_id = ${portfolioId}) as has_file`.execute(
      database,
    ),
    sql<{ verdict: string | null; sites: number }>`
      select verdict, count(*) as sites from portfolio_members
       where portfolio_id = ${portfolioId}
       group by verdict order by sites desc`.execute(database),
  ])
  const { screening = null, has_file = false } = rows[0] ?? {}
  return { screening, has_file, counts: counted.rows }
}

/**
 * Starts a screening, or continues it. A form of an earlier version changes nothing. The moment of knowledge
 * is not after the database's time, because a later commit would be known to some batches only.
 */
export async function startScreening(
  tx: Transaction,
  portfolioId: number,
  of: { version: number; isAgain: boolean; creditsMax: number; now: Date },
): Promise<boolean> {
  const kept = (column: string) => sql.raw(`${of.isAgain ? 'excluded' : 'screening'}.${column}`)
  const { rows } = await sql`
    insert into portfolio_screenings as screening (portfolio_id, known_at, credits_max)
    select ${portfolioId}, least(${of.now}::timestamptz, date_trunc('milliseconds', clock_timestamp())),
           ${of.creditsMax}::bigint
     where ${of.version} = (select coalesce(max(version), 0) from portfolio_screenings
                             where portfolio_id = ${portfolioId})
    on conflict (portfolio_id) do update
       set known_at = ${kept('known_at')}, position = ${kept('position')}, credits = ${kept('credits')},
           credits_max = excluded.credits_max + ${kept('credits')}, stopped_at = null,
           version = screening.version + 1
     where screening.version = ${of.version}
    returning 1`.execute(tx)
  if (rows.length === 0) return false
  const { name, attemptsMax } = screenTask
  await sql`select queue_job(${name}, ${name}, '{}'::json, ${attemptsMax}::int, 0)`.execute(tx)
  return true
}

export const screenTask = { name: 'screen_portfolios', attemptsMax: 1 } as const

export type RunningScreening = {
  portfolio_id: number
  account_id: number
  known_at: Date
  position: number
  /** The credits that it may still be charged. */
  credits_left: number
}

export async function listRunningScreenings(database: Database) {
  const { rows } = await sql<RunningScreening>`
    select portfolio_id, account_id, known_at, position, credits_max - credits as credits_left
      from portfolio_screenings
      join portfolios on portfolios.id = portfolio_id
     where stopped_at is null
     order by portfolio_id`.execute(database)
  return rows
}

export type Screened = { domain: string; verdict: string; licensed_in: string[]; blocked_in: string[] }

/**
 * Stores the verdicts of a batch, and moves the screening on. Returns false if it was moved or started again
 * since it was read: then nothing may be charged.
 */
export async function storeBatch(
  tx: Transaction,
  { portfolio_id, known_at, position }: RunningScreening,
  { verdicts, last, credits }: { verdicts: readonly Screened[]; last: number; credits: number },
): Promise<boolean> {
  const { rows } = await sql`
    update portfolio_screenings
       set position = ${last}, credits = credits + ${credits}, version = version + 1
     where portfolio_id = ${portfolio_id} and position = ${position} and known_at = ${known_at}
       and stopped_at is null
    returning 1`.execute(tx)
  if (rows.length === 0) return false
  await sql`
    update portfolio_members member
       set verdict = screened.verdict, licensed_in = screened.licensed_in,
           blocked_in = screened.blocked_in, known_at = ${known_at}
      from json_to_recordset(${JSON.stringify(verdicts)}::json)
             as screened (domain text, verdict text, licensed_in text[], blocked_in text[])
     where portfolio_id = ${portfolio_id} and member.domain = screened.domain`.execute(tx)
  return true
}

export async function stopScreening(
  database: Database,
  { portfolio_id, position, known_at }: RunningScreening,
  now: Date,
): Promise<void> {
  await sql`
    update portfolio_screenings set stopped_at = ${now}, version = version + 1
     where portfolio_id = ${portfolio_id} and position = ${position} and known_at = ${known_at}
       and stopped_at is null`.execute(database)
}

export type ScreenedMember = {
  id: number
  domain: string
  verdict: string | null
  licensed_in: string[] | null
  blocked_in: string[] | null
  known_at: Date | null
}

/** Reads members with the verdicts that screenings bought, in the order in which they were added. */
export async function readScreened(
  database: Database,
  { portfolioId, verdict, after }: { portfolioId: number; verdict?: string | undefined; after: number },
  limit: number,
): Promise<ScreenedMember[]> {
  const { rows } = await sql<ScreenedMember>`
    select id, domain, verdict, licensed_in, blocked_in, known_at
      from portfolio_members
     where portfolio_id = ${portfolioId} and id > ${after}
       and (${verdict ?? null}::text is null or coalesce(verdict, 'none') = ${verdict ?? null})
     order by id limit ${limit}`.execute(database)
  return rows
}

export type PortfolioFile = { content: Buffer; site_column: number; uploaded_at: Date }

export async function readPortfolioFile(database: Database, portfolioId: number) {
  const { rows } = await sql<PortfolioFile>`
    select content, site_column, uploaded_at from portfolio_files
     where portfolio_id = ${portfolioId}`.execute(database)
  return rows[0]
}

export async function storePortfolioFile(
  database: Database,
  portfolioId: number,
  { content, site_column, uploaded_at }: PortfolioFile,
): Promise<void> {
  await sql`
    insert into portfolio_files (portfolio_id, content, site_column, uploaded_at)
    values (${portfolioId}, ${content}, ${site_column}, ${uploaded_at})
    on conflict (portfolio_id) do update
       set content = excluded.content, site_column = excluded.site_column,
           uploaded_at = excluded.uploaded_at`.execute(database)
}

const fileDays = 30

export async function purgePortfolioFiles(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - fileDays * dayMs)
  const { rows } = await sql`
    delete from portfolio_files where uploaded_at < ${before} returning 1`.execute(database)
  return rows.length
}
