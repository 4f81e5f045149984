import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { deriveCompanies } from '../../features/companies/index.ts'
import { importStream } from '../../journal/events-store.ts'
import { analyse } from '../stage/staging-store.ts'
import type { UpsertContext, UpsertResult } from './upsert-context.ts'

/**
 * A changed brand closes the Company link and opens a new one. The rows of new_geos are applied after the
 * domains are locked.
 */
export async function upsertDomains({ tx, now, isFirst = false }: UpsertContext): Promise<UpsertResult> {
  await compareDomains(tx, isFirst)
  await sql`
    update domain_companies link
       set known_to = ${now}
      from compared_domains compared
     where link.id = compared.link_id and compared.outcome = 'changed'`.execute(tx)
  await sql`
    insert into domain_companies (domain_id, company_id, relation, brand, stream, company_key, known_from)
    select domain_id, company_id, relation, brand, ${importStream}, company_key, ${now}::timestamptz
      from compared_domains
     where company_id is not null and outcome in ('added', 'changed')
     order by domain_id, company_id, relation`.execute(tx)
  await deriveBrands(tx, now)
  await sql`insert into touched_domains (domain_id) select domain_id from new_geos`.execute(tx)
  const { rows } = await sql<UpsertResult>`
    select count(*) filter (where outcome = 'added') as added,
           count(*) filter (where outcome in ('changed', 'new_geo')) as changed
      from compared_domains`.execute(tx)
  return rows[0] as UpsertResult
}

async function compareDomains(tx: Transaction, isFirst: boolean): Promise<void> {
  await sql`
    create temp table new_geos on commit drop as
    select line.domain_id, line.inferred_geo
      from (
        select distinct on (mapped.domain_id) mapped.domain_id, staged.inferred_geo
          from staged_domains staged
          join mapped_domains mapped using (domain)
         where staged.inferred_geo is not null and not ${sql.lit(isFirst)}
         order by mapped.domain_id, staged.position desc
      ) line
      join domains domain on domain.id = line.domain_id
     where domain.inferred_geo is distinct from line.inferred_geo`.execute(tx)
  await analyse(tx, 'new_geos')
  await sql`
    create temp table compared_domains on commit drop as
    select distinct on (domain.domain_id, company.company_id, staged.relation)
           domain.domain_id, company.company_id, staged.relation, staged.brand, staged.company as company_key,
           link.id as link_id,
           case
             when staged.company is null and domain.is_new then 'added'
             when staged.company is not null and link.id is null then 'added'
             when link.brand is distinct from staged.brand then 'changed'
             when geo.domain_id is not null then 'new_geo'
             else 'unchanged'
           end as outcome
      from staged_domains staged
      join mapped_domains domain using (domain)
      left join mapped_companies company on company.key = staged.company
      left join new_geos geo on geo.domain_id = domain.domain_id
      left join lateral (
        select stored.id, stored.brand
          from domain_companies stored
          join companies holder on holder.id = stored.company_id
         where stored.domain_id = domain.domain_id
           and stored.relation = staged.relation
           and stored.stream = ${importStream}
           and stored.known_to is null
           and coalesce(holder.merged_into, holder.id) = company.company_id
         order by stored.id
         limit 1
      ) link on not ${sql.lit(isFirst)}
     order by domain.domain_id, company.company_id, staged.relation, staged.position desc`.execute(tx)
  await analyse(tx, 'compared_domains')
}

/** Derives the Companies that gained a brand by these links, or may have lost one. */
async function deriveBrands(tx: Transaction, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select distinct company.id
      from compared_domains compared
      join companies company on company.id = compared.company_id
     where compared.outcome = 'changed'
        or compared.outcome = 'added'
       and compared.brand is not null
       and compared.brand <> all (company.brands)`.execute(tx)
  await deriveCompanies(
    tx,
    rows.map(row => row.id),
    now,
  )
}

/** Requires that the caller has locked the rows of these domains. */
export async function writeGeos(tx: Transaction, domainIds: readonly number[]): Promise<void> {
  await sql`
    update domains domain
       set inferred_geo = geo.inferred_geo
      from new_geos geo
     where geo.domain_id = domain.id and domain.id = any (${[...domainIds]}::bigint[])`.execute(tx)
}
