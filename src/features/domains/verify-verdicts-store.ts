import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { derivedVerdicts, domainsAtOnceMax } from './verdict-store.ts'

type VerdictDifference = { domain: string; stored: unknown; derived: unknown }

const differencesShownMax = 20

export async function verifyVerdicts(
  database: Database,
): Promise<{ checked: number; differences: VerdictDifference[] }> {
  const differences: VerdictDifference[] = []
  let checked = 0
  for (let after = 0; ; ) {
    const { rows } = await sql<{
      checked: number
      last: number | null
      differences: VerdictDifference[] | null
    }>`
      with wanted as materialized (
        select id from domains where id > ${after} order by id limit ${domainsAtOnceMax}
      ),
      ${derivedVerdicts}
      select count(*) as checked,
             max(domain.id) as last,
             json_agg(json_build_object(
               'domain', domain.domain,
               'stored', json_build_array(domain.verdict, domain.licensed_by, domain.blocked_by,
                                          domain.licensee_company_id, domain.first_seen_at),
               'derived', json_build_array(derived.verdict, derived.licensed_by, derived.blocked_by,
                                           derived.licensee_company_id, derived.first_seen_at)
             )) filter (where
               (domain.verdict, domain.licensed_by::text, domain.blocked_by::text, domain.licensee_company_id,
                domain.first_seen_at)
               is distinct from
               (derived.verdict, derived.licensed_by::text, derived.blocked_by::text,
                derived.licensee_company_id, derived.first_seen_at)
             ) as differences
        from derived
        join domains domain using (id)`.execute(database)
    const chunk = rows[0]
    if (chunk === undefined || chunk.last === null) return { checked, differences }
    checked += chunk.checked
    after = chunk.last
    differences.push(...(chunk.differences ?? []).slice(0, differencesShownMax - differences.length))
  }
}
