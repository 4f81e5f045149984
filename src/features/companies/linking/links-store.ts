import type { Link } from '@baize/names'
import { sql } from 'kysely'
import type { Database, RowOf, Transaction } from '../../../database/open.ts'

export async function writeLinks(tx: Transaction, links: readonly Link[], now: Date): Promise<void> {
  if (links.length === 0) return
  await sql`
    insert into company_links (stream, identity_key, evidence, value, with_stream, with_key, linked_at)
    select link.stream, link.identity_key, link.evidence, link.value, link.with_stream, link.with_key, ${now}
      from json_populate_recordset(null::company_links, ${JSON.stringify(links)}::json) link
     order by link.stream collate "C", link.identity_key collate "C"`.execute(tx)
}

/**
 * Checks the evidence of all links of these Companies again, and of those by a domain in `affected_domains`.
 * A link without evidence is marked as lost, and a lost one whose evidence returned is not lost any more. The
 * Company stays one until staff decide.
 */
export async function reviewLinks(tx: Transaction, companyIds: readonly number[], now: Date): Promise<void> {
  await sql`
    with reviewed as (
      select link.id,
             exists (
               select from company_identities other
                where other.company_id = identity.company_id
                  and (other.stream, other.identity_key) <> (identity.stream, identity.identity_key)
                  and case link.evidence
                        when 'company_number' then other.registration = identity.registration
                        when 'lei' then other.lei = identity.lei
                        else other.name_key = identity.name_key
                      end
             )
             and (
               link.evidence <> 'name_and_domain'
               or 1 < (
                 select count(distinct relation.stream)
                   from domains domain
                   join domain_companies relation on relation.domain_id = domain.id
                  where domain.domain = link.value
                    and relation.company_id = identity.company_id
                    and relation.known_to is null
               )
             ) as stands
        from (
          select link.id
            from company_identities identity
            join company_links link using (stream, identity_key)
           where identity.company_id = any (${[...companyIds]}::bigint[])
          union
          select link.id
            from affected_domains affected
            join domains domain on domain.id = affected.domain_id
            join company_links link on link.value = domain.domain and link.evidence = 'name_and_domain'
        ) changed
        join company_links link using (id)
        join company_identities identity using (stream, identity_key)
    )
    update company_links link
       set lost_at = case when not reviewed.stands then ${now}::timestamptz end
      from reviewed
     where link.id = reviewed.id and (link.lost_at is null) <> reviewed.stands`.execute(tx)
}

export type LinkDetail = RowOf<
  'company_links',
  'stream' | 'identity_key' | 'evidence' | 'value' | 'with_stream' | 'with_key' | 'linked_at' | 'lost_at'
>

export async function readLinks(database: Database, companyId: number): Promise<LinkDetail[]> {
  const { rows } = await sql<LinkDetail>`
    select link.stream, link.identity_key, link.evidence, link.value, link.with_stream, link.with_key,
           link.linked_at, link.lost_at
      from company_identities identity
      join company_links link using (stream, identity_key)
     where identity.company_id = ${companyId}
     order by link.linked_at, link.id`.execute(database)
  return rows
}

/** Deletes the links between identities that a split separates. */
export async function endLinks(tx: Transaction, companyIds: readonly number[]): Promise<void> {
  await sql`
    delete from company_links link
     using company_identities identity, company_identities other
     where identity.company_id = any (${[...companyIds]}::bigint[])
       and (link.stream, link.identity_key) = (identity.stream, identity.identity_key)
       and (link.with_stream, link.with_key) = (other.stream, other.identity_key)
       and other.company_id <> identity.company_id`.execute(tx)
}
