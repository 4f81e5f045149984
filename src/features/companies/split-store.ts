import { sql } from 'kysely'
import { newRef } from '../../core/ref.ts'
import type { Transaction } from '../../database/open.ts'
import { importStream } from '../../journal/events-store.ts'
import { type Identity, identityRows } from './company-store.ts'

export type SplitMove = { from: number; into: number; identities: readonly Identity[]; now: Date }

/** Finds the merged Company that had all of these identities and the fewest others; the latest on a tie. */
export async function findOrigin(tx: Transaction, companyId: number, identities: readonly Identity[]) {
  const { rows } = await sql<{ id: number; company_ref: string }>`
    with merged as (${mergedIdentities(companyId)})
    select company.id, company.company_ref
      from merged
      join companies company on company.id = merged.company_id
      left join ${identityRows(identities)} using (stream, identity_key)
     group by company.id, merged.decision_id
    having count(named.stream) = ${identities.length}
     order by count(*), merged.decision_id desc
     limit 1`.execute(tx)
  return rows[0]
}

const mergedIdentities = (companyId: number) => sql`
  select merge.company_id, merge.decision_id, element ->> 0 as stream, element ->> 1 as identity_key
    from (
      select distinct on (decision.company_id)
             decision.company_id, decision.id as decision_id, decision.identities
        from company_decisions decision
        join companies company on company.id = decision.company_id
       where company.merged_into = ${companyId} and decision.kind = 'merge'
       order by decision.company_id, decision.id desc
    ) merge
   cross join lateral jsonb_array_elements(merge.identities) element`

export async function insertCompany(tx: Transaction, now: Date) {
  const { rows } = await sql<{ id: number; company_ref: string }>`
    insert into companies (company_ref, subject_kind, first_seen_at, last_updated_at)
    values (${newRef('co')}, 'unknown', ${now}, ${now})
    returning id, company_ref`.execute(tx)
  return rows[0] as { id: number; company_ref: string }
}

/** Reactivates the target of a split. Merged Companies whose identities all move are redirected to it. */
export async function reopenMerged(tx: Transaction, { from, into, identities, now }: SplitMove) {
  await sql`
    with merged as (${mergedIdentities(from)}),
    following as (
      select merged.company_id
        from merged
        join company_identities identity using (stream, identity_key)
        left join ${identityRows(identities)} using (stream, identity_key)
       where identity.company_id = ${from}
       group by merged.company_id
      having bool_and(named.stream is not null)
    )
    update companies company
       set merged_into = case when company.id = ${into} then null else ${into}::bigint end,
           last_updated_at = ${now}
     where company.id = ${into} and company.merged_into is not null
        or company.id in (select company_id from following)`.execute(tx)
}

export async function moveIdentities(tx: Transaction, { into, identities }: SplitMove): Promise<void> {
  await sql`
    update company_identities identity
       set company_id = ${into}
      from ${identityRows(identities)}
     where (identity.stream, identity.identity_key) = (named.stream, named.identity_key)`.execute(tx)
}

const importKeysOf = (companyId: number) => sql`
  select identity_key from company_identities where company_id = ${companyId} and stream = ${importStream}
  union all
  select company_ref from companies where id = ${companyId} or merged_into = ${companyId}`

/** Moves licenses and open authorisations to the target, also licenses that a file gave it. */
export async function moveFacts(tx: Transaction, { from, into, identities }: SplitMove) {
  const { numAffectedRows } = await sql`
    update licenses license
       set company_id = ${into}
     where license.company_id = ${from}
       and (
         license.stream = ${importStream} and license.company_key in (${importKeysOf(into)})
         or exists (
           select
             from ${identityRows(identities)}
            where named.stream = license.stream
              and named.identity_key = (
                select state.licensee_key
                  from license_states state
                 where state.license_id = license.id
                 order by state.known_from desc, state.id desc
                 limit 1
              )
         )
       )`.execute(tx)
  await sql`
    update authorisations authorisation
       set company_id = ${into}
      from ${identityRows(identities)}
     where (authorisation.stream, authorisation.licensee_key) = (named.stream, named.identity_key)
       and authorisation.company_id = ${from}
       and authorisation.known_to is null`.execute(tx)
  return { licenses: Number(numAffectedRows ?? 0) }
}

/** Moves contacts. Suppressed names are copied to both Companies, because either may have been meant. */
export async function movePeople(tx: Transaction, { from, into }: SplitMove): Promise<void> {
  await sql`
    update contacts
       set company_id = ${into}
     where company_id = ${from} and company_key in (${importKeysOf(into)})`.execute(tx)
  await sql`
    insert into suppressions (decision_id, handle, company_id, digest)
    select decision_id, handle, ${into}, digest
      from suppressions
     where company_id = ${from}
    on conflict do nothing`.execute(tx)
}

/**
 * Moves imported relations. A relation of both Companies is reopened for the Company that would lose it.
 * Two statements are needed: in one, the new rows would conflict with the rows being closed.
 */
export async function moveImportedRelations(tx: Transaction, { from, into, now }: SplitMove): Promise<void> {
  await sql`
    create temp table split_relations on commit drop as
    with open_relations as (
      select id, domain_id, relation, brand, company_key, company_key in (${importKeysOf(into)}) as moves
        from domain_companies
       where company_id = ${from} and stream = ${importStream} and known_to is null
    ),
    folded as (
      select folded.id, folded.domain_id, folded.relation, folded.brand, folded.company_key,
             open_relations.moves as open_moves, folded.company_key in (${importKeysOf(into)}) as moves
        from open_relations
        join domain_companies folded using (domain_id, relation)
       where folded.stream = ${importStream}
         and folded.company_key in (${importKeysOf(into)} union all ${importKeysOf(from)})
         and exists (
           select from company_decisions decision
            where decision.kind = 'merge'
              and decision.company_id = folded.company_id
              and decision.decided_at = folded.known_to
         )
    ),
    wanted as (
      select *, ${into}::bigint as company_id, id as open_id, null::bigint as folded_id
        from open_relations
       where moves
      union all
      select id, domain_id, relation, brand, company_key, moves, ${into}::bigint, null, id
        from folded
       where moves
      union all
      select id, domain_id, relation, brand, company_key, moves, ${from}::bigint, null, id
        from folded
       where open_moves and not moves
    )
    select distinct on (domain_id, company_id, relation)
           domain_id, company_id, relation, brand, company_key, open_id
      from wanted
     order by domain_id, company_id, relation, folded_id desc nulls first`.execute(tx)
  await sql`
    update domain_companies
       set known_to = ${now}
     where id in (select open_id from split_relations)`.execute(tx)
  await sql`
    insert into domain_companies (domain_id, company_id, relation, brand, stream, company_key, known_from)
    select domain_id, company_id, relation, brand, ${importStream}, company_key, ${now}
      from split_relations
     order by domain_id, company_id, relation`.execute(tx)
  await sql`drop table split_relations`.execute(tx)
}

export async function updateLicensees(
  tx: Transaction,
  { from, into, identities, now }: SplitMove,
  domainIds: readonly number[],
): Promise<void> {
  const streams = [...new Set(identities.map(([stream]) => stream))].filter(stream => stream !== importStream)
  const named = sql`
    named as (
      select distinct authorisation.domain_id, authorisation.stream,
             coalesce(authorisation.company_id, license.company_id) as company_id
        from authorisations authorisation
        left join licenses license on license.id = authorisation.license_id
       where authorisation.domain_id = any (${[...domainIds]}::bigint[])
         and authorisation.stream = any (${streams}::text[])
         and authorisation.known_to is null
    )`
  await sql`
    with ${named}
    update domain_companies relation
       set known_to = ${now}
     where relation.domain_id = any (${[...domainIds]}::bigint[])
       and relation.company_id = ${from}
       and relation.relation = 'licensee'
       and relation.stream = any (${streams}::text[])
       and relation.known_to is null
       and not exists (
         select from named
          where (named.domain_id, named.stream, named.company_id)
              = (relation.domain_id, relation.stream, relation.company_id)
       )`.execute(tx)
  await sql`
    with ${named}
    insert into domain_companies (domain_id, company_id, relation, stream, known_from)
    select domain_id, company_id, 'licensee', stream, ${now}
      from named
     where company_id = ${into}
     order by domain_id`.execute(tx)
}
