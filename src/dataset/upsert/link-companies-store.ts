/** Links imported Companies by their Legal Entity Identifier or company number, never by name. */
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import {
  createSeekers,
  deriveCompanies,
  findCandidates,
  findParties,
  joinLinked,
  reviewLinks,
  writeLinks,
} from '../../features/companies/index.ts'
import { importStream } from '../../journal/events-store.ts'

/** Notes the lines whose identifiers are new. Call it before identities are written. */
export async function noteSeekers(tx: Transaction): Promise<void> {
  await createSeekers(tx)
  await sql`
    insert into linking_seekers (stream, identity_key, is_new, name_key, country, registration, lei)
    select ${importStream}, line.key, mapped.is_new, line.name_key, line.country, line.registration, line.lei
      from staged_companies line
      join mapped_companies mapped using (key)
      left join company_identities stored
        on stored.stream = ${importStream} and stored.identity_key = line.key
     where coalesce(line.registration, line.lei) is not null
       and (line.registration, line.lei) is distinct from (stored.registration, stored.lei)`.execute(tx)
}

/** Links them when all lines are written, and checks the evidence of earlier links again. */
export async function linkSeekers(tx: Transaction, now: Date): Promise<void> {
  const { numAffectedRows } = await sql`
    update linking_seekers seeker
       set company_id = identity.company_id
      from company_identities identity
     where (identity.stream, identity.identity_key) = (seeker.stream, seeker.identity_key)`.execute(tx)
  if (Number(numAffectedRows ?? 0) === 0) return
  const { parties, links, refusals } = await findParties(tx, ['company_number', 'lei'])
  await writeLinks(tx, links, now)
  const joined = await joinLinked(tx, { parties, links }, { stream: importStream, now })
  await deriveCompanies(tx, joined.companyIds, now)
  await sql`insert into touched_companies (company_id) select unnest(${joined.companyIds}::bigint[])`.execute(
    tx,
  )
  await sql`
    insert into touched_domains (domain_id, in_registers, in_observations)
    select unnest(${joined.domainIds}::bigint[]), true, true`.execute(tx)
  // Companies that share an identifier and were not linked become pairs for staff.
  const refused = refusals.flatMap(({ nodes }) => nodes)
  await sql`delete from linking_seekers where company_id::text <> all (${refused}::text[])`.execute(tx)
}

export async function reviewImportedLinks(tx: Transaction, now: Date): Promise<void> {
  const { rows } = await sql<{ company_id: number }>`
    select distinct company_id from touched_companies`.execute(tx)
  const ids = rows.map(row => row.company_id)
  if (ids.length > 0) await reviewLinks(tx, ids, now)
  await findCandidates(tx, now)
}
