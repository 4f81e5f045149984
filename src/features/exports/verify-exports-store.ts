import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { verifiedDays } from '../../metering/ledger.ts'

type ExportDifference = {
  export: number
  credits_used: number
  settled: number | null
  problem: string
}

const differencesShownMax = 20

export async function verifyExports(database: Database): Promise<ExportDifference[]> {
  const { rows } = await sql<ExportDifference>`
    select export.id as export, export.credits_used, settlement.credits as settled,
           'an export and its settlement differ' as problem
      from exports export
      left join settlements settlement using (settlement_id)
     where export.completed_at >= now() - make_interval(days => ${verifiedDays}::int)
       and settlement.credits is distinct from export.credits_used
    union all
    select export.id, coalesce(export.credits_used, 0), reservation.credits,
           'an export that is not running has reserved credits'
      from exports export
      join reservations reservation on reservation.reservation_id = export.attempt_id
     where export.state <> 'running'
     limit ${differencesShownMax}`.execute(database)
  return rows
}
