import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { StagedTables } from '../read/staged-row.ts'

export async function anyReviewed(tx: Transaction): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from platforms where reviewed_at is not null) as any`.execute(tx)
  return rows[0]?.any ?? false
}

const relinked = sql`
  select domain_id
    from compared_domains
   where company_id is not null and outcome in ('added', 'changed')`

const ofCompanies = sql`
  select link.domain_id
    from touched_companies touched
   cross join lateral domains_of_company(touched.company_id) link
  union all
  select domain.id
    from touched_companies touched
    join domains domain on domain.licensee_company_id = touched.company_id`

/**
 * Gathers domains on a reviewed platform whose facts, Company link or Company changed. Reads derived
 * columns.
 */
export async function gatherTouchedSites(tx: Transaction, staged: StagedTables): Promise<void> {
  const candidates = [
    sql`select domain_id from affected_domains`,
    ...(staged.has('staged_domains') ? [relinked] : []),
    ...(staged.has('staged_companies') ? [ofCompanies] : []),
  ]
  await sql`
    create temp table touched_sites on commit drop as
    select distinct candidate.domain_id
      from (${sql.join(candidates, sql` union all `)}) candidate
     where exists (
       select from platform_readings reading
         join platforms platform on platform.id = reading.platform_id
        where reading.domain_id = candidate.domain_id and platform.reviewed_at is not null
     )`.execute(tx)
  await sql`create index on touched_sites (domain_id)`.execute(tx)
}

export async function readTouchedSites(tx: Transaction, after: number, atOnce: number): Promise<number[]> {
  const { rows } = await sql<{ domain_id: number }>`
    select domain_id
      from touched_sites
     where domain_id > ${after}
     order by domain_id
     limit ${atOnce}`.execute(tx)
  return rows.map(row => row.domain_id)
}

export async function readNewlyReviewed(tx: Transaction, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select platform.id
      from staged_platforms staged
      join platforms platform on platform.platform_key = staged.key
     where staged.reviewed and platform.reviewed_at = ${now}
     order by platform.platform_key collate "C"`.execute(tx)
  return rows.map(row => row.id)
}
