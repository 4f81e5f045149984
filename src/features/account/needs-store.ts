import { sql } from 'kysely'
import { dayMs } from '../../core/time.ts'
import type { Database } from '../../database/open.ts'

/** Work of the account that is new, runs or failed, by kind. */
export type Need = {
  kind:
    | 'list_ready'
    | 'list_waiting'
    | 'export_ready'
    | 'export_waiting'
    | 'export_failed'
    | 'check_running'
    | 'license_expiring'
    | 'portfolio_changed'
    | 'screening_running'
    | 'screening_stopped'
  count: number
  /** The address of the only one; null for several. */
  ref: string | null
}

const recentDays = 7
const expiringDays = 60
/** Limits the newest changes that are looked for among the sites of each portfolio. */
const changesMax = 5_000

/** Counts what needs a person of the account, by kind. */
export async function readNeeds(database: Database, accountId: number, now: Date): Promise<Need[]> {
  const since = new Date(now.getTime() - recentDays * dayMs)
  const until = new Date(now.getTime() + expiringDays * dayMs)
  const { rows } = await sql<Need>`
    select kind, count(*)::int as count, case count(distinct ref) when 1 then min(ref) end as ref
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
        union all
        select 'license_expiring', followed.company_ref
          from saved_pages saved
          join companies followed
            on followed.company_ref = substring(saved.address from '^/dashboard/companies/([^?]+)$')
          join licenses license on license.company_id in (followed.id, followed.merged_into)
          join license_states state on state.license_id = license.id and state.known_to is null
         where saved.account_id = ${accountId}
           and state.expires_at between ${now}::date and ${until}::date
        union all
        select 'portfolio_changed', portfolio.name
          from portfolios portfolio
         cross join lateral (
           select number, domain_id from verdict_changes
            where number > coalesce(portfolio.seen_number, portfolio.created_after)
            order by number desc limit ${changesMax}
         ) change
          join domains site on site.id = change.domain_id
          join portfolio_members member
            on member.portfolio_id = portfolio.id and member.domain = site.domain
           and member.added_after < change.number
         where portfolio.account_id = ${accountId}
        union all
        select case when stopped_at is null then 'screening_running' else 'screening_stopped' end,
               portfolio.name
          from portfolio_screenings screening
          join portfolios portfolio on portfolio.id = screening.portfolio_id
         where portfolio.account_id = ${accountId}
           and exists (select from portfolio_members
                        where portfolio_id = portfolio.id and id > screening.position)
      ) needed
     group by kind
     order by kind`.execute(database)
  return rows
}
