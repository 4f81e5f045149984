import type { DifferencesByKind } from '@baize/registers/guard'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'
import { unionOf } from './differences-store.ts'

/** Inserts domains in name order in every sync, which avoids deadlocks. */
export async function insertDomains(tx: Transaction, differences: DifferencesByKind): Promise<void> {
  const named = unionOf(differences, {
    blocklist_entry: sql`select ref, domain from entry_changes where domain is not null`,
    authorisation: sql`select ref, domain from authorisation_changes where domain is not null`,
  })
  if (named === null) return
  await sql`
    insert into domains (domain_ref, domain)
    select distinct on (named.domain) named.ref, named.domain
      from (${named}) named
     where not exists (select from domains domain where domain.domain = named.domain)
     order by named.domain
    on conflict (domain) do nothing`.execute(tx)
}

export async function lockAffectedDomains(tx: Transaction, differences: DifferencesByKind): Promise<void> {
  const affected = unionOf(differences, {
    blocklist_entry: sql`
      select stored_domain_id as domain_id from entry_changes where stored_domain_id is not null
      union
      select domain.id from entry_changes join domains domain using (domain)`,
    authorisation: sql`
      select stored_domain_id as domain_id from authorisation_changes where stored_domain_id is not null
      union
      select domain.id from authorisation_changes join domains domain using (domain)`,
    license: sql`
      select authorisation.domain_id
        from license_changes change
        join authorisations authorisation on authorisation.license_id = change.stored_license_id
       where authorisation.known_to is null`,
  })
  await lockDomainsOf(tx, affected ?? sql`select null::bigint as domain_id where false`)
}

/**
 * Locks the domains whose verdict may change, in id order. Writing facts share-locks them, and upgrading a
 * shared lock can deadlock.
 */
export async function lockDomainsOf(tx: Transaction, affected: RawBuilder<unknown>): Promise<void> {
  await sql`
    create temp table affected_domains on commit drop as
    select distinct domain_id from (${affected}) affected`.execute(tx)
  await sql`create unique index on affected_domains (domain_id)`.execute(tx)
  await sql`analyze affected_domains`.execute(tx)
  await sql`
    select count(*)
      from (
        select from domains where id in (select domain_id from affected_domains) order by id for update
      ) locked`.execute(tx)
}

const idsAtOnceMax = 10_000

export async function readAffectedDomains(tx: Transaction): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const { rows } = await sql<{ domain_id: number }>`
      select domain_id
        from affected_domains
       where domain_id > ${ids.at(-1) ?? 0}
       order by domain_id
       limit ${idsAtOnceMax}`.execute(tx)
    for (const row of rows) ids.push(row.domain_id)
    if (rows.length < idsAtOnceMax) return ids
  }
}

export async function relateLicensees(
  tx: Transaction,
  { stream, now }: Pick<IncomingSnapshot, 'now'> & { stream: { key: string } },
): Promise<void> {
  const named = sql`
    named as (
      select distinct authorisation.domain_id,
             coalesce(authorisation.company_id, license.company_id) as company_id
        from affected_domains affected
        join authorisations authorisation using (domain_id)
        left join licenses license on license.id = authorisation.license_id
       where authorisation.stream = ${stream.key}
         and authorisation.known_to is null
         and coalesce(authorisation.company_id, license.company_id) is not null
    )`
  await sql`
    with ${named}
    update domain_companies relation
       set known_to = ${now}
      from affected_domains affected
     where relation.domain_id = affected.domain_id
       and relation.stream = ${stream.key}
       and relation.relation = 'licensee'
       and relation.known_to is null
       and (relation.domain_id, relation.company_id)
           not in (select domain_id, company_id from named)`.execute(tx)
  await sql`
    with ${named}
    insert into domain_companies (domain_id, company_id, relation, stream, known_from)
    select domain_id, company_id, 'licensee', ${stream.key}, ${now}
      from named
     where not exists (
       select from domain_companies relation
        where (relation.domain_id, relation.company_id, relation.relation, relation.stream)
            = (named.domain_id, named.company_id, 'licensee', ${stream.key})
          and relation.known_to is null
     )
     order by domain_id, company_id`.execute(tx)
}
