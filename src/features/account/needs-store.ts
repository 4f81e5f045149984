import { sql } from 'kysely'
import { dayMs } from '../../core/time.ts'
import type { Database } from '../../database/open.ts'

/** Work of the account that is new, runs or failed, by kind. */
export type Need = {
  kind: 'list_ready' | 'list_waiting' | 'export_ready' | 'export_waiting' | 'export_failed' | 'check_running'
  count: number
  /** The address of the only one; null for several. */
  ref: string | null
}

const recentDays = 7

/** Counts what needs a person of the account, by kind. */
export async function readNeeds(database: Database, accountId: number, now: Date): Promise<Need[]> {
  const since = new Date(now.getTime() - recentDays * dayMs)
  const { rows } = await sql<Need>`
    select kind, count(*)::int as count, case count(*) when 1 then min(ref) end as ref
      from (
        select case status when 'ready' then 'list_ready' else 'list_waiting' end as kind,
               prospect_list_ref as ref
          from prospect_lists
         where account_id = ${accountId}
           and (status in ('requested', 'preparing') or status = 'ready' and ready_at > ${since})
        union all
        select case state when 'completed' then 'export_ready' when 'failed' then 'export_failed'
                          else 'export_waiting' end,
               id::text
          from exports
         where account_id = ${accountId}
           and state in ('queued', 'running', 'completed', 'failed')
           and requested_at > ${since}
        union all
        select 'check_running', enrichment.enrichment_ref
          from enrichments enrichment
          join site_checks site_check on site_check.id = enrichment.check_id
         where enrichment.account_id = ${accountId}
           and enrichment.requested_at > ${since}
           and site_check.state in ('queued', 'running')
      ) needed
     group by kind
     order by kind`.execute(database)
  return rows
}
