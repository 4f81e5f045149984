import { sql } from 'kysely'
import { differencesShownMax, type Verification } from '../../core/verification.ts'
import type { Database } from '../../database/open.ts'
import { factsThen, verdictsFrom } from '../domains/index.ts'

type Difference = { what: string; stored: unknown; expected: unknown }

/**
 * Verifies that numbers have no gaps, that each change of a domain begins where the one before ended, and
 * that the last one ended in the verdict of today. Derives each change anew from the facts of its event.
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
  const derived = await wronglyDerived(database, last)
  const gaps = changes === last ? [] : [{ what: 'the last number', stored: last, expected: changes }]
  return { checked: changes, differences: [...gaps, ...rows, ...derived] }
}

const changesAtOnce = 5_000

async function wronglyDerived(database: Database, last: number): Promise<Difference[]> {
  const differences: Difference[] = []
  for (let after = 0; after < last; after += changesAtOnce) {
    const { rows } = await sql<Difference>`
      with wanted as materialized (
        select change.number, change.domain_id as id, change.event, 'infinity'::timestamptz as as_of,
               -- no snapshot shows that a license ended on its day
               case when event.kind = 'snapshot' or change.is_correction or change.cause <> 'register'
                    then event.committed_at else change.detected_at end::date as day
          from verdict_changes change
          left join dataset_events event on event.number = change.event
         where change.number > ${after} and change.number <= ${after + changesAtOnce}
      ),
      ${sql.raw(verdictsFrom(factsThen))}
      select change.change_ref as what,
             json_build_array(change.verdict_after, verdict_markets(change.licensed_by_after),
                              verdict_markets(change.blocked_by_after)) as stored,
             json_build_array(derived.verdict, verdict_markets(derived.licensed_by),
                              verdict_markets(derived.blocked_by)) as expected
        from derived
        join verdict_changes change using (number)
       where (change.verdict_after, verdict_markets(change.licensed_by_after),
              verdict_markets(change.blocked_by_after))
             is distinct from
             (derived.verdict, verdict_markets(derived.licensed_by), verdict_markets(derived.blocked_by))
       limit ${differencesShownMax}`.execute(database)
    differences.push(...rows)
  }
  return differences.slice(0, differencesShownMax)
}
