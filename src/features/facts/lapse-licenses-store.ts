import { sql } from 'kysely'
import type { Database } from '../../database/open.ts'
import { lockFacts, recordEvent } from '../../journal/index.ts'
import { endFactChange } from './end-fact-change.ts'

const lapsedAtOnceMax = 10_000

/** Derives the domains of expired licenses without a status: no register changes then. Returns a count. */
export async function lapseLicenses(database: Database): Promise<number> {
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
       limit ${lapsedAtOnceMax}`.execute(tx)
    if (rows.length === 0) return 0
    await endFactChange(tx, { domainIds: rows.map(row => row.domain_id) })
    await recordEvent(tx, { kind: 'lapse', at: new Date() })
    return rows.length
  })
}
