import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { derivedVerdicts, domainsAtOnceMax, verdictColumns } from './verdict-store.ts'

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
               'stored', json_build_array(${verdictColumns('domain')}),
               'derived', json_build_array(${verdictColumns('derived')})
             )) filter (where (${verdictColumns('domain')}) is distinct from (${verdictColumns('derived')}))
               as differences
        from derived
        join domains domain using (id)`.execute(database)
    const chunk = rows[0]
    if (chunk === undefined || chunk.last === null) return { checked, differences }
    checked += chunk.checked
    after = chunk.last
    differences.push(...(chunk.differences ?? []).slice(0, differencesShownMax - differences.length))
  }
}
