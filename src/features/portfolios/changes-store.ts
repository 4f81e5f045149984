import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { type ChangeRow, changeColumns } from '../verdict-changes/index.ts'

/** The most changes of the feed that one page looks through, which takes about 0.3 seconds. */
const scannedMax = 50_000

/**
 * Reads changes of members after a number. `lateral … offset 0` looks up each change of the feed among the
 * members, so that a quiet feed costs one look-up. `last` is the last number that was looked through.
 */
export async function readChanges(
  database: Database,
  { portfolioId, after, limit }: { portfolioId: number; after: number; limit: number },
): Promise<{ rows: ChangeRow[]; last: number; isWhole: boolean }> {
  const { rows } = await sql<ChangeRow & { last: number | null; scanned: number }>`
    with scanned as materialized (
      select number, domain_id from verdict_changes
       where number > ${after} order by number limit ${scannedMax}
    )
    select found.*, (select max(number) from scanned) as last, (select count(*) from scanned) as scanned
      from (select) one
      left join lateral (
        select ${changeColumns}, site.domain
          from scanned
         cross join lateral (select domain from domains where id = scanned.domain_id offset 0) site
         cross join lateral (
           select from portfolio_members
            where portfolio_id = ${portfolioId} and domain = site.domain and added_after < scanned.number
            offset 0
         ) member
          join verdict_changes change on change.number = scanned.number
         order by scanned.number
         limit ${limit}
      ) found on true
     order by found.number`.execute(database)
  const { last = null, scanned = 0 } = rows[0] ?? {}
  return {
    rows: rows.filter(({ number }) => number !== null).map(({ last: _, scanned: __, ...row }) => row),
    last: last ?? after,
    isWhole: scanned < scannedMax,
  }
}
