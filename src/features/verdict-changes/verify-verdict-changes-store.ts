import { sql } from 'kysely'
import { differencesShownMax, type Verification } from '../../core/verification.ts'
import type { Database } from '../../database/open.ts'

type Difference = { what: string; stored: unknown; expected: unknown }

/**
 * Verifies that numbers have no gaps, that each change of a domain begins where the one before ended, and
 * that the last one ended in the verdict of today.
 */
export async function verifyVerdictChanges(database: Database): Promise<Verification<Difference>> {
  const { rows: numbers } = await sql<{ changes: number; last: number }>`
    select count(*) as changes, coalesce(max(number), 0) as last from verdict_changes`.execute(database)
  const { changes, last } = numbers[0] as { changes: number; last: number }
  const { rows } = await sql<Difference>`
    select change.change_ref as what,
           json_build_array(change.verdict_after, verdict_markets(change.licensed_by_after),
                            verdict_markets(change.blocked_by_after)) as stored,
           json_build_array(later.verdict, verdict_markets(later.licensed_by),
                            verdict_markets(later.blocked_by)) as expected
      from verdict_changes change
     cross join lateral (
       select verdict, licensed_by, blocked_by
         from (
           select number, verdict_before as verdict, licensed_by_before as licensed_by,
                  blocked_by_before as blocked_by
             from verdict_changes next
            where next.domain_id = change.domain_id and next.number > change.number
           union all
           select null, verdict, licensed_by, blocked_by from domains where id = change.domain_id
         ) following
        order by number nulls last
        limit 1
     ) later
     where (change.verdict_after, verdict_markets(change.licensed_by_after),
            verdict_markets(change.blocked_by_after))
           is distinct from
           (later.verdict, verdict_markets(later.licensed_by), verdict_markets(later.blocked_by))
     limit ${differencesShownMax}`.execute(database)
  const gaps = changes === last ? [] : [{ what: 'the last number', stored: last, expected: changes }]
  return { checked: changes, differences: [...gaps, ...rows] }
}
