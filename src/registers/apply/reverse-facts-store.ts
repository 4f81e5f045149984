/**
 * Reverses what one snapshot wrote. `appliedAt` is the known_from and known_to of its rows, and no other
 * snapshot of the stream has it (applyTime). Rows are closed before they are deleted, because the triggers
 * of the search react only to updates.
 */
import { sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { lockDomainsOf } from '../changes/domains-store.ts'

export type AppliedFacts = { stream: { key: string; market: string }; appliedAt: Date; now: Date }

/** Lists what the snapshot touched in temporary tables, and locks the domains. */
export async function gatherTouched(tx: Transaction, { stream, appliedAt }: AppliedFacts): Promise<void> {
  const { key } = stream
  await sql`
    create temp table touched_licenses on commit drop as
    select distinct state.license_id
      from license_states state
      join licenses license on license.id = state.license_id
     where license.stream = ${key} and ${appliedAt} in (state.known_from, state.known_to)`.execute(tx)
  await sql`
    create temp table touched_licensees on commit drop as
    select record_key
      from licensee_states
     where stream = ${key} and ${appliedAt} in (known_from, known_to)
    union
    select identity_key from company_identities where stream = ${key} and known_from = ${appliedAt}`.execute(
    tx,
  )
  await sql`
    create temp table touched_authorisations on commit drop as
    select id, domain_id
      from authorisations
     where stream = ${key} and ${appliedAt} in (known_from, known_to)`.execute(tx)
  await lockDomainsOf(
    tx,
    sql`
    select domain_id from touched_authorisations
    union
    select domain_id
      from blocklist_entries
     where stream = ${key} and ${appliedAt} in (known_from, known_to) and domain_id is not null
    union
    select authorisation.domain_id
      from touched_licenses touched
      join authorisations authorisation on authorisation.license_id = touched.license_id
     where authorisation.known_to is null
    union
    select domain_id
      from domain_companies
     where stream = ${key} and ${appliedAt} in (known_from, known_to)`,
  )
}

/** Open rows of registers have no last_seen_at, except entries that are no longer listed. */
export async function reverseRows(tx: Transaction, { stream, appliedAt, now }: AppliedFacts): Promise<void> {
  const { key } = stream
  for (const table of ['licensee_states', 'authorisations', 'blocklist_entries', 'domain_companies']) {
    const rows = sql.table(table)
    await sql`
      update ${rows} set known_to = ${now}
       where stream = ${key} and known_from = ${appliedAt} and known_to is null`.execute(tx)
    await sql`delete from ${rows} where stream = ${key} and known_from = ${appliedAt}`.execute(tx)
  }
  await sql`
    update license_states state set known_to = ${now}
      from touched_licenses touched
     where touched.license_id = state.license_id and known_from = ${appliedAt} and known_to is null`.execute(
    tx,
  )
  await sql`
    delete from license_states state
     using touched_licenses touched
     where touched.license_id = state.license_id and known_from = ${appliedAt}`.execute(tx)
  for (const table of ['licensee_states', 'authorisations'])
    await sql`
      update ${sql.table(table)} set known_to = null, last_seen_at = null
       where stream = ${key} and known_to = ${appliedAt}`.execute(tx)
  await sql`
    update license_states state set known_to = null, last_seen_at = null
      from touched_licenses touched
     where touched.license_id = state.license_id and known_to = ${appliedAt}`.execute(tx)
  await sql`
    update blocklist_entries
       set known_to = null, last_seen_at = case when not listed then last_seen_at end, withdrawn = false
     where stream = ${key} and known_to = ${appliedAt}`.execute(tx)
  // A merge or split since then may have opened the relation again.
  await sql`
    update domain_companies relation set known_to = null
     where relation.stream = ${key} and relation.known_to = ${appliedAt}
       and not exists (
         select from domain_companies other
          where (other.domain_id, other.company_id, other.relation, other.stream)
                = (relation.domain_id, relation.company_id, relation.relation, relation.stream)
            and other.known_to is null
       )`.execute(tx)
}

/** Returns the Companies of these identities. */
export async function deleteIdentities(
  tx: Transaction,
  { stream, appliedAt }: AppliedFacts,
): Promise<number[]> {
  const { rows } = await sql<{ company_id: number }>`
    delete from company_identities where stream = ${stream.key} and known_from = ${appliedAt}
    returning company_id`.execute(tx)
  return rows.map(row => row.company_id)
}

/**
 * Reassigns licenses and authorisations to their holder's identity, which a merge or split may have moved
 * since.
 */
export async function reassignCompanies(tx: Transaction, { stream }: AppliedFacts): Promise<void> {
  await sql`
    update licenses license
       set company_id = holder.company_id
      from (
        select touched.license_id, identity.company_id
          from touched_licenses touched
          left join lateral (
            select licensee_key
              from license_states state
             where state.license_id = touched.license_id
             order by known_from desc, id desc
             limit 1
          ) last on true
          left join company_identities identity
            on identity.stream = ${stream.key} and identity.identity_key = last.licensee_key
      ) holder
     where license.id = holder.license_id and license.company_id is distinct from holder.company_id`.execute(
    tx,
  )
  await sql`
    update authorisations authorisation
       set company_id = identity.company_id
      from touched_authorisations touched
      join authorisations reopened on reopened.id = touched.id and reopened.known_to is null
      left join company_identities identity
        on identity.stream = ${stream.key} and identity.identity_key = reopened.licensee_key
     where authorisation.id = reopened.id
       and authorisation.company_id is distinct from identity.company_id`.execute(tx)
}

/** Removes the role operator from identities that this snapshot gave it. Returns their Companies. */
export async function unmarkOperators(
  tx: Transaction,
  { stream, appliedAt }: AppliedFacts,
): Promise<number[]> {
  const { rows } = await sql<{ company_id: number }>`
    update company_identities identity
       set role = case when array_remove(role, 'operator') = '{}' then '{unknown}'
                       else array_remove(role, 'operator') end,
           operator_since = null
     where identity.stream = ${stream.key}
       and identity.operator_since = ${appliedAt}
    returning identity.company_id`.execute(tx)
  return rows.map(row => row.company_id)
}
