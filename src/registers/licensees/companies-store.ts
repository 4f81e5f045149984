import { naturalPerson } from '@baize/registers/entries'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { deriveCompanies } from '../../features/companies/index.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'
import { findUnlinked, linkLicensees, type UnlinkedLicensees } from './link-licensees-store.ts'

type AppliedCompanies = { changed: number; unlinked: UnlinkedLicensees[] }

/**
 * Links new accounts to Companies (link-licensees-store.ts), but not known ones. Returns how many Companies
 * changed.
 */
export async function applyCompanies(tx: Transaction, snapshot: IncomingSnapshot): Promise<AppliedCompanies> {
  if (!(await exists(tx, sql`select from staged_licensees`))) return { changed: 0, unlinked: [] }
  await stageIdentities(tx, snapshot)
  // Identities are updated before linking, so that a new account cannot match a name that a known one gave
  // up.
  const updated = await updateIdentities(tx, snapshot)
  if (!(await exists(tx, sql`select from licensee_identities where is_new`)))
    return { changed: await deriveCompanies(tx, updated, snapshot.now), unlinked: [] }
  await linkLicensees(tx, snapshot)
  const linked = await readLinked(tx)
  const changed = await deriveCompanies(tx, [...updated, ...linked], snapshot.now)
  return { changed, unlinked: await findUnlinked(tx) }
}

async function exists(tx: Transaction, select: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (${select}) as found`.execute(tx)
  return rows[0]?.found ?? false
}

type OfStream = { stream: { key: string; market: string } }

/** In these countries with several company registers, equal numbers prove nothing, but different ones do. */
const countriesOfSeveralRegisters = ['AE', 'CA', 'DE', 'US']
/** Placeholders (`-`, `N/A`, `0`, `tbc`) are shorter, or have no digit from 1 to 9. */
const numberCharactersMin = 3

/** Stages identities. A country that is no longer published keeps its last value. */
export async function stageIdentities(tx: Transaction, { stream }: OfStream): Promise<void> {
  await sql`
    create temp table licensee_identities on commit drop as
    select licensee.record_key, licensee.ref, licensee.legal_name, licensee.trading_names,
           nullif(licensee.name_key, '') as name_key, licensee.is_person,
           place.country,
           case when number.is_one then coalesce(place.country, ${stream.market})
               || ':' || number.canonical end
             as registration,
           number.is_one
             and coalesce(place.country, ${stream.market}) <> all (${countriesOfSeveralRegisters}::text[])
             as number_proves,
           stored.company_id is null as is_new,
           stored.company_id,
           null::text as founder,
           null::text as obstacle
      from staged_licensees licensee
      left join company_identities stored
        on stored.stream = ${stream.key} and stored.identity_key = licensee.record_key
     cross join lateral (select coalesce(licensee.country, stored.country) as country) place
     cross join lateral (
       select upper(regexp_replace(coalesce(licensee.registration_number, ''), '[^[:alnum:]]', '', 'g'))
                as canonical
     ) written
     cross join lateral (
       select canonical, canonical ~ '[1-9]' and length(canonical) >= ${numberCharactersMin} as is_one
     ) number`.execute(tx)
  await sql`analyze licensee_identities`.execute(tx)
}

async function readLinked(tx: Transaction): Promise<number[]> {
  const { rows } = await sql<{ company_id: number }>`
    select distinct company_id from licensee_identities where is_new`.execute(tx)
  return rows.map(row => row.company_id)
}

/** Restored states do not say whether they are a person's, unless the name was replaced. */
const kindOf = sql`
           case
             when licensee.is_person then 'unknown'
             when licensee.is_person is null and not starts_with(identity.company_name, ${naturalPerson})
               then identity.subject_kind
             else 'legal_entity'
           end`

/** A person has no key, as in `stageLicensees`. */
const nameKey = sql`case when (${kindOf}) <> 'unknown' then licensee.name_key end`

export async function updateIdentities(tx: Transaction, { stream }: OfStream): Promise<number[]> {
  const { rows } = await sql<{ company_id: number }>`
    update company_identities identity
       set company_name = licensee.legal_name,
           legal_entity = licensee.legal_name,
           country = licensee.country,
           brands = licensee.trading_names,
           subject_kind = ${kindOf},
           name_key = ${nameKey},
           registration = coalesce(licensee.registration, identity.registration)
      from licensee_identities licensee
     where identity.stream = ${stream.key}
       and identity.identity_key = licensee.record_key
       and not licensee.is_new
       and (identity.company_name, identity.legal_entity, identity.country, identity.brands,
            identity.subject_kind, identity.name_key, identity.registration)
           is distinct from
           (licensee.legal_name, licensee.legal_name, licensee.country, licensee.trading_names,
            ${kindOf}, ${nameKey}, coalesce(licensee.registration, identity.registration))
    returning identity.company_id`.execute(tx)
  return rows.map(row => row.company_id)
}

/** Marks operators. Other licensees remain `unknown`, because registers list suppliers too. */
export async function markOperators(tx: Transaction, { stream, now }: IncomingSnapshot): Promise<void> {
  const { rows } = await sql<{ company_id: number }>`
    with holders as (
      select coalesce(authorisation.licensee_key, state.licensee_key) as record_key
        from affected_domains affected
        join authorisations authorisation using (domain_id)
        left join license_states state
          on state.license_id = authorisation.license_id and state.known_to is null
       where authorisation.stream = ${stream.key}
      union
      select state.licensee_key
        from licenses license
        join license_states state on state.license_id = license.id and state.known_to is null
       where license.stream = ${stream.key} and state.role = 'operator'
    )
    update company_identities identity
       set role = array_append(array_remove(identity.role, 'unknown'), 'operator'),
           operator_since = ${now}
      from holders
     where identity.stream = ${stream.key}
       and identity.identity_key = holders.record_key
       and not 'operator' = any (identity.role)
    returning identity.company_id`.execute(tx)
  await deriveCompanies(
    tx,
    rows.map(row => row.company_id),
    now,
  )
}
