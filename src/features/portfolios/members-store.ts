import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'

type MemberRow = {
  id: number
  /** JSON text: the domain and its verdict. */
  row: string
}

/** Reads members in the order in which they were added. */
export async function readMembers(
  database: Database,
  { portfolioId, after, limit }: { portfolioId: number; after: number; limit: number },
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select member.id,
           '{"domain":"' || member.domain || '","verdict":"' || coalesce(site.verdict, 'no_record')
             || '","licensed_by":' || coalesce(site.licensed_by::text, '[]')
             || ',"blocked_by":' || coalesce(site.blocked_by::text, '[]') || '}' as row
      from (
        select id, domain
          from portfolio_members
         where portfolio_id = ${portfolioId} and id > ${after}
         order by id
         limit ${limit}
      ) member
      left join lateral (select * from domains where domain = member.domain offset 0) site on true
     order by member.id`.execute(database)
  return rows
}
