import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { lockFacts } from '../../journal/index.ts'
import { endFactChange } from './end-fact-change.ts'

const lapsedAtOnceMax = 10_000

/**
 * Derives the domains of expired licenses without a status: no register changes then. Returns a count, with
 * the domains that another license still licenses.
 */
export async function lapseLicenses(database: Database): Promise<number> {
  let lapsed = 0
  for (let after = 0; ; ) {
    const ids = await lapseAfter(database, after)
    lapsed += ids.length
    if (ids.length < lapsedAtOnceMax) return lapsed
    after = ids.at(-1) as number
  }
}

async function lapseAfter(database: Database, after: number): Promise<number[]> {
  return database.transaction().execute(async tx => {
    await lockFacts(tx)
    const { rows } = await sql<{ domain_id: number }>`
      select distinct authorisation.domain_id
        from license_states state
        join authorisations authorisation on authorisation.license_id = state.license_id
        join domains domain on domain.id = authorisation.domain_id
       where state.known_to is null
         and state.status is null
         and state.expires_at < current_date
         and authorisation.known_to is null
         and authorisation.counts
         and domain.verdict in ('licensed', 'mixed')
         and domain.id > ${after}
       order by authorisation.domain_id
       limit ${lapsedAtOnceMax}`.execute(tx)
    const domainIds = rows.map(row => row.domain_id)
    if (domainIds.length > 0) await endFactChange(tx, { domainIds })
    return domainIds
  })
}
