import { versionedJurisdiction } from '@baize/names'
import { type DifferencesByKind, hasRows } from '@baize/registers/guard'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'
import { unionOf } from './differences-store.ts'
import { listedObject } from './entries-store.ts'

/**
 * Writes records before and after to `record_changes`. Must run before the old rows are closed. A record is
 * a license with its domains, a licensee without a license, a domain without either, or an entry.
 */
export async function describeChanges(
  tx: Transaction,
  snapshot: IncomingSnapshot,
  differences: DifferencesByKind,
): Promise<void> {
  await sql`
    create temp table record_changes (
      kind text, record_key text, before jsonb, after jsonb, was_there_before boolean,
      was_known boolean not null default false
    ) on commit drop`.execute(tx)
  await describeLicenses(tx, snapshot, differences)
  await describeLicensees(tx, snapshot, differences)
  const { key } = snapshot.stream
  if (hasRows(differences.authorisation)) await describeAuthorisations(tx, key)
  if (hasRows(differences.blocklist_entry)) await describeEntries(tx, key)
}

/** Selects rows that the register closed, because a record that a correction removed does not return. */
function wasClosedByRegister(stream: string) {
  return sql`not exists (
    select from register_snapshots correction
     where correction.stream = ${stream}
       and correction.is_correction
       and correction.applied_at = earlier.known_to
  )`
}

function storedDomains(condition: RawBuilder<unknown>) {
  return sql`left join lateral (
    select array_agg(distinct domain.domain order by domain.domain) as domains
      from authorisations authorisation
      join domains domain on domain.id = authorisation.domain_id
     where ${condition}
       and authorisation.known_to is null
       and authorisation.counts
  ) stored_domains on true`
}

/**
 * Describes licenses. `was_known` means that the license was stored before, even if a correction removed
 * it, or another source of the market has its number.
 */
async function describeLicenses(
  tx: Transaction,
  { stream: { key: stream, market }, isOtherForm }: IncomingSnapshot,
  differences: DifferencesByKind,
): Promise<void> {
  const affected = unionOf(differences, {
    license: sql`select record_key from license_changes where change <> 'restated' and not of_form`,
    licensee: sql`
      select license.record_key
        from staged_licenses license
        join licensee_changes change
          on change.record_key = license.licensee_key and change.change <> 'restated' and not change.of_form`,
    authorisation: sql`
      select license_key from authorisation_changes where license_key is not null and not of_form
      union
      select license.record_key
        from authorisation_changes change
        join authorisations authorisation on authorisation.id = change.stored_id
        join licenses license on license.id = authorisation.license_id and license.stream = ${stream}
       where not change.of_form`,
  })
  if (affected === null) return
  /** Makes a field that only one form publishes equal in both. */
  const either = (one: string, other: string) =>
    sql`coalesce(${sql.ref(one)}, case when ${isOtherForm}::boolean then ${sql.ref(other)} end)`
  await sql`
    insert into record_changes
    with affected (record_key) as (${affected}),
    authorised as (
      select license_key, array_agg(distinct domain order by domain) as domains
        from staged_authorisations
       where counts and license_key in (select record_key from affected)
       group by license_key
    )
    select 'license', affected.record_key,
           case when state.id is not null then jsonb_build_object(
             'license_number', state.license_number,
             'license_type', ${either('state.license_type', 'staged.license_type')},
             'status', ${either('state.status', 'staged.status')},
             'issued_at', state.issued_at,
             'expires_at', ${either('state.expires_at', 'staged.expires_at')},
             'source_url', state.source_url,
             'role', state.role,
             'legal_entity', ${either('holder.legal_name', 'licensee.legal_name')},
             'trading_names', coalesce(holder.trading_names, '{}'),
             'authorized_domains', coalesce(stored_domains.domains, '{}')
           ) end,
           case when staged.record_key is not null then jsonb_build_object(
             'license_number', staged.license_number,
             'license_type', ${either('staged.license_type', 'state.license_type')},
             'status', ${either('staged.status', 'state.status')},
             'issued_at', staged.issued_at,
             'expires_at', ${either('staged.expires_at', 'state.expires_at')},
             'source_url', staged.source_url,
             'role', staged.role,
             'legal_entity', ${either('licensee.legal_name', 'holder.legal_name')},
             'trading_names', coalesce(licensee.trading_names, '{}'),
             'authorized_domains', coalesce(authorised.domains, '{}')
           ) end,
           state.id is null and exists (
             select from license_states earlier
              where earlier.license_id = license.id and ${wasClosedByRegister(stream)}
           ),
           state.id is null and (
             exists (select from license_states earlier where earlier.license_id = license.id)
             or exists (
               select from license_states numbered
                where license_number_key(numbered.license_number) = license_number_key(staged.license_number)
                  and exists (
                    select from licenses other
                     where other.id = numbered.license_id
                       and other.stream <> ${stream}
                       and other.jurisdiction = ${market}
                       and (other.jurisdiction = ${versionedJurisdiction}
                            or fold_license_number(numbered.license_number)
                               = fold_license_number(staged.license_number))
                  )
             )
           )
      from affected
      left join licenses license on license.stream = ${stream} and license.record_key = affected.record_key
      left join license_states state on state.license_id = license.id and state.known_to is null
      left join licensee_states holder
        on holder.stream = ${stream} and holder.record_key = state.licensee_key and holder.known_to is null
      ${storedDomains(sql`authorisation.license_id = license.id and authorisation.stream = ${stream}`)}
      left join staged_licenses staged on staged.record_key = affected.record_key
      left join staged_licensees licensee on licensee.record_key = staged.licensee_key
      left join authorised on authorised.license_key = affected.record_key
     where state.id is not null or staged.record_key is not null`.execute(tx)
}

/**
 * Describes licensees without licenses, because licenses include their holder and domains. If only the
 * other form names holders, a licensee was there before as its domains were, and is still there.
 */
async function describeLicensees(
  tx: Transaction,
  { stream: { key: stream }, isOtherForm }: IncomingSnapshot,
  differences: DifferencesByKind,
): Promise<void> {
  const affected = unionOf(differences, {
    licensee: sql`select record_key from licensee_changes where change <> 'restated' and not of_form`,
    authorisation: sql`
      select licensee_key from authorisation_changes
       where licensee_key is not null and license_key is null and not of_form
      union
      select authorisation.licensee_key
        from authorisation_changes change
        join authorisations authorisation on authorisation.id = change.stored_id
       where authorisation.licensee_key is not null and authorisation.license_id is null
         and not change.of_form`,
  })
  if (affected === null) return
  await sql`
    insert into record_changes
    with affected (record_key) as (${affected}),
    authorised as (
      select licensee_key, array_agg(distinct domain order by domain) as domains
        from staged_authorisations
       where counts and license_key is null and licensee_key in (select record_key from affected)
       group by licensee_key
    ),
    sides as (
      select affected.record_key,
             unnamed_before.domains is not null
               or state.id is not null and (stored_domains.domains is not null or not exists (
               select from licenses license
                 join license_states stored on stored.license_id = license.id and stored.known_to is null
                where license.stream = ${stream} and stored.licensee_key = affected.record_key
             )) as was_record,
             unnamed_after.domains is not null
               or licensee.record_key is not null and (authorised.domains is not null or not exists (
               select from staged_licenses staged where staged.licensee_key = affected.record_key
             )) as is_record,
             state.id is not null as was_listed,
             licensee.record_key is not null as is_listed,
             jsonb_build_object(
               'legal_entity', coalesce(state.legal_name, licensee.legal_name),
               'trading_names', coalesce(state.trading_names, '{}'),
               'authorized_domains',
                 coalesce(stored_domains.domains, unnamed_before.domains, '{}')) as before,
             jsonb_build_object(
               'legal_entity', coalesce(licensee.legal_name, state.legal_name),
               'trading_names', coalesce(licensee.trading_names, '{}'),
               'authorized_domains', coalesce(authorised.domains, unnamed_after.domains, '{}')) as after,
             state.id is null and exists (
               select from licensee_states earlier
                where earlier.stream = ${stream} and earlier.record_key = affected.record_key
                  and ${wasClosedByRegister(stream)}
             ) as was_there_before
        from affected
        left join licensee_states state
          on state.stream = ${stream} and state.record_key = affected.record_key and state.known_to is null
        ${storedDomains(sql`authorisation.stream = ${stream}
          and authorisation.licensee_key = affected.record_key
          and authorisation.license_id is null`)}
        left join staged_licensees licensee on licensee.record_key = affected.record_key
        left join authorised on authorised.licensee_key = affected.record_key
        left join lateral (
          select array_agg(distinct staged.domain order by staged.domain) as domains
            from staged_authorisations staged
            join domains domain on domain.domain = staged.domain
            join authorisations stored on stored.domain_id = domain.id
           where staged.licensee_key = affected.record_key and staged.license_key is null
             and stored.stream = ${stream} and stored.known_to is null and stored.counts
        ) unnamed_before on ${isOtherForm}::boolean and state.id is null
        left join lateral (
          select array_agg(distinct staged.domain order by staged.domain) as domains
            from authorisations stored
            join domains domain on domain.id = stored.domain_id
            join staged_authorisations staged on staged.domain = domain.domain and staged.counts
           where stored.stream = ${stream} and stored.known_to is null
             and stored.licensee_key = affected.record_key and stored.license_id is null
        ) unnamed_after on ${isOtherForm}::boolean and licensee.record_key is null
    )
    select 'licensee', record_key,
           -- a licensee that only gains or loses its license is described there
           case when was_record or (is_record and was_listed) then before end,
           case when is_record or (was_record and is_listed) then after end,
           was_there_before
      from sides
     where was_record or is_record`.execute(tx)
}

async function describeAuthorisations(tx: Transaction, stream: string): Promise<void> {
  await sql`
    insert into record_changes
    select 'authorisation', change.record_key,
           case when stored.id is not null then jsonb_build_object(
             'status', stored.status, 'legal_entity', null, 'domain', stored_domain.domain,
             'published', stored.published, 'trading_names', '{}'::text[],
             'authorized_domains',
               array_remove(array[case when stored.counts then stored_domain.domain end], null)) end,
           case when change.domain is not null then jsonb_build_object(
             'status', change.status, 'legal_entity', null, 'domain', change.domain,
             'published', change.published,
             'trading_names', '{}'::text[],
             'authorized_domains',
               array_remove(array[case when change.counts then change.domain end], null)) end,
           stored.id is null and exists (
             select from authorisations earlier
              where earlier.stream = ${stream} and earlier.record_key = change.record_key
                and ${wasClosedByRegister(stream)}
           )
      from authorisation_changes change
      left join authorisations stored on stored.id = change.stored_id
      left join domains stored_domain on stored_domain.id = stored.domain_id
     where change.change <> 'restated'
       and not change.of_form
       and change.license_key is null and change.licensee_key is null
       and stored.license_id is null and stored.licensee_key is null`.execute(tx)
}

const changedObject = listedObject(sql`change.record_key`)
const earlierObject = listedObject(sql`earlier.record_key`)

/** Selects ended listings. A row that was closed for another spelling is still listed. */
function hasEnded(stream: string) {
  return sql`not exists (
    select from blocklist_entries entry
     where entry.stream = ${stream}
       and entry.record_key = earlier.record_key
       and entry.known_to is null
       and entry.listed
  )`
}

/**
 * Describes entries. `was_there_before` compares objects by key without date, domain or text, even if both
 * listings are new in this snapshot.
 */
async function describeEntries(tx: Transaction, stream: string): Promise<void> {
  await sql`
    insert into record_changes
    with listed_again as (
      select distinct change.record_key
        from entry_changes change
        join staged_entries earlier
          on earlier.scope = change.scope and ${earlierObject} = ${changedObject}
       where not earlier.listed
         and earlier.listed_at < change.listed_at
         and earlier.delisted_at <= change.listed_at
    )
    select 'blocklist_entry', change.record_key,
           case when stored.id is not null then jsonb_build_object(
             'domain', stored_domain.domain, 'published', stored.published, 'scope', stored.scope,
             'listed', stored.listed, 'listed_at', stored.listed_at, 'delisted_at', stored.delisted_at) end,
           case when change.published is not null then jsonb_build_object(
             'domain', change.domain, 'published', change.published, 'scope', change.scope,
             'listed', change.listed, 'listed_at', change.listed_at, 'delisted_at', change.delisted_at) end,
           case
             when stored.id is not null then not stored.listed
             when again.record_key is not null then true
             when change.domain is null then exists (
               select from blocklist_entries earlier
                where earlier.stream = ${stream}
                  and earlier.domain_id is null
                  and earlier.scope = change.scope
                  and (earlier.published = change.published or ${earlierObject} = ${changedObject})
                  and ${hasEnded(stream)}
                  and ${wasClosedByRegister(stream)})
             else exists (
               select from blocklist_entries earlier
                where earlier.stream = ${stream}
                  and earlier.domain_id = domain.id
                  and earlier.scope = change.scope
                  and (earlier.published = change.published or ${earlierObject} = ${changedObject})
                  and ${hasEnded(stream)}
                  and ${wasClosedByRegister(stream)})
           end
      from entry_changes change
      left join listed_again again on again.record_key = change.record_key
      left join blocklist_entries stored on stored.id = change.stored_id
      left join domains stored_domain on stored_domain.id = stored.domain_id
      left join domains domain on domain.domain = change.domain
     where not change.of_form`.execute(tx)
}
