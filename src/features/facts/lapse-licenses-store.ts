import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { recomputeVerdicts } from '../domains/verdict-store.ts'

const lapsedAtOnceMax = 10_000

/**
 * Derives the domains anew whose licenses have an end that has passed and no status to say so. Nothing else tells of
 * it: no register changes on that day. Says how many domains it looked at.
 */
export async function lapseLicenses(database: Database): Promise<number> {
  return database.transaction().execute(async tx => {
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
       limit ${lapsedAtOnceMax}`.execute(tx)
    await recomputeVerdicts(
      tx,
      rows.map(row => row.domain_id),
    )
    return rows.length
  })
}
