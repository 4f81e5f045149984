import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'

/** The brand subject of this site alone: assigned to it, or of a brand that no other site has. null: none. */
export async function findOwnSubject(tx: Transaction, domainId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select subject.id
      from logo_subjects subject
      left join domain_companies link on link.domain_id = ${domainId} and link.known_to is null
      left join logo_names named
        on named.subject_id = subject.id and named.company_id = link.company_id and named.name = link.brand
     where subject.kind = 'operator_brand'
       and (
         subject.domain_id = ${domainId}
         or (
           named.subject_id is not null
           and subject.domain_id is null
           and not exists (
             select from domain_companies other
              where other.brand = link.brand and other.domain_id <> ${domainId} and other.known_to is null
           )
         )
       )
     order by subject.domain_id is null, subject.id
     limit 1`.execute(tx)
  return rows[0]?.id ?? null
}
