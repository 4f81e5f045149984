import { sql } from 'kysely'
import { dayMs } from '../../core/time.ts'
import type { Database, World } from '../../database/open.ts'
import { storedAnswersDays } from '../../metering/idempotency.ts'

export type StoredPurchase = { subject: string; bought_at: Date; credits: number; body: string }

type Of = { accountId: number; now: Date }

const since = (now: Date) => new Date(now.getTime() - storedAnswersDays * dayMs)

/** The rows whose answer is still stored. */
const stored = sql`bought_answers bought
      join idempotency_records record
        on record.account_id = bought.account_id
       and record.idempotency_key = bought.idempotency_key
       and record.settlement_id = bought.settlement_id`

/** The subjects of a page: one by one, or all that begin so. */
export type Subjects = readonly string[] | { prefix: string }

/** Limits the answers of a page. */
const answersMax = 50

/** Reads what the account bought of these subjects, the newest first. */
export async function readPurchases(
  database: Database,
  { accountId, now, operation, subjects }: Of & { operation: string; subjects: Subjects },
): Promise<StoredPurchase[]> {
  const isOfThem =
    'prefix' in subjects
      ? sql`starts_with(bought.subject, ${subjects.prefix})`
      : sql`bought.subject = any (${[...subjects]}::text[])`
  const { rows } = await sql<StoredPurchase>`
    select bought.subject, bought.bought_at, record.credits, record.body
      from ${stored}
     where bought.account_id = ${accountId}
       and bought.operation = ${operation}
       and ${isOfThem}
       and record.created_at > ${since(now)}
     order by bought.bought_at desc
     limit ${answersMax}`.execute(database)
  return rows
}

export type Recent = {
  kind: 'domain' | 'company' | 'license'
  subject: string
  name: string
  bought_at: Date
}

/** Lists the sites, Companies and licenses that the account bought and whose name has the text, newest first. */
export async function listPurchases(
  { database, primary }: World,
  { accountId, now, text, limit }: Of & { text: string; limit: number },
): Promise<Recent[]> {
  const query = sql`
    select named.kind, named.subject, named.name, named.bought_at
      from (
        select case bought.operation when 'resolve_domain' then 'domain'
                                     when 'resolve_company' then 'company'
                                     else 'license' end as kind,
               bought.subject, bought.bought_at,
               case bought.operation
                 when 'resolve_domain' then bought.subject
                 when 'resolve_company' then (
                   select company_name from companies where company_ref = bought.subject
                 )
                 else (
                   select search_row.hit ->> 'license_number'
                     from licenses license
                     join license_search search_row on search_row.id = license.id
                    where license.license_ref = bought.subject
                 )
               end as name
          from (
            select bought.operation, split_part(bought.subject, ' ', 1) as subject,
                   max(bought.bought_at) as bought_at
              from ${stored}
             where bought.account_id = ${accountId}
               and bought.operation in ('resolve_domain', 'resolve_company', 'resolve_license')
               and record.created_at > ${since(now)}
             group by 1, 2
          ) bought
      ) named
     where strpos(lower(named.name), lower(${text})) > 0
     order by named.bought_at desc
     limit ${limit}`.compile(database)
  const { sql: statement, parameters } = query
  const values = [...parameters]
  return primary.read<Recent>({ name: 'purchases_named', text: statement, values, genericPlan: true })
}
