import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { verifiedDays } from '../../metering/ledger.ts'

type CheckDifference = { check: number; stored: number | null; found: number | null; problem: string }

const differencesShownMax = 20

/** Open checks that pay have their reservation and ended ones none; the ledger has what they charged. */
export async function verifyChecks(database: Database): Promise<CheckDifference[]> {
  const { rows } = await sql<CheckDifference>`
    select checked.id as check, null::bigint as stored, reservation.credits as found,
           case
             when reservation.credits is null then 'a check that is not finished has no reservation'
             else 'a finished check has reserved credits'
           end as problem
      from site_checks checked
      left join reservations reservation using (reservation_id)
     where checked.account_id is not null
       and (reservation.credits is null) = (checked.state in ('queued', 'running'))
    union all
    select checked.id, checked.credits_charged, entry.credits,
           'a check and its ledger entry differ'
      from site_checks checked
      left join lateral (
        select sum(credits)::bigint as credits
          from ledger_entries
         where account_id = checked.account_id
           and price_key = 'domain.refresh'
           and note = 'check ' || checked.id
      ) entry on true
     where checked.finished_at >= now() - make_interval(days => ${verifiedDays}::int)
       and coalesce(entry.credits, 0) <> coalesce(checked.credits_charged, 0)
     limit ${differencesShownMax}`.execute(database)
  return rows
}
