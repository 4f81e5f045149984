import { companyNumberCharactersMin } from '@baize/names'
import { naturalPerson } from '@baize/registers/entries'
import { type RawBuilder, sql } from 'kysely'
import type { Transaction } from '../../database/open.ts'
import { deriveCompanies } from '../../features/companies/index.ts'
import type { IncomingSnapshot } from '../apply/incoming-snapshot.ts'
import { linkLicensees, type UnlinkedLicensees } from './link-licensees-store.ts'

type AppliedCompanies = {
  changed: number
  unlinked: UnlinkedLicensees[]
  /** The number of accounts and Companies that were linked, by evidence. */
  linked: Record<string, number>
  /** Whether accounts were compared, which may have found pairs that staff must decide. */
  seeks: boolean
  /** Domains whose Company changed because Companies were joined. */
  domainIds: number[]
  /** Companies whose identities changed. */
  companyIds: number[]
}

/**
 * Links new accounts to Companies (link-licensees-store.ts), and known ones that gained evidence. Returns how
 * many Companies changed.
 */
export async function applyCompanies(
  tx: Transaction,
  snapshot: IncomingSnapshot,
  { changesDomains = false } = {},
): Promise<AppliedCompanies> {
  const none = { changed: 0, unlinked: [], linked: {}, seeks: false, domainIds: [], companyIds: [] }
  if (!(await exists(tx, sql`select from staged_licensees`))) return none
  await stageIdentities(tx, snapshot)
  if (changesDomains && snapshot.stream.covers.includes('register')) await noteGainedDomains(tx)
  // Identities are updated before linking, so that a new account cannot match a name that a known one gave
  // up.
  const updated = await updateIdentities(tx, snapshot)
  if (!(await exists(tx, sql`select from licensee_identities where is_new or gained`))) {
    const changed = await deriveCompanies(tx, updated, snapshot.now)
    return { ...none, changed, companyIds: updated }
  }
  const { links, companyIds, domainIds, unlinked } = await linkLicensees(tx, snapshot)
  const touched = [...updated, ...companyIds]
  const changed = await deriveCompanies(tx, touched, snapshot.now)
  const linked: Record<string, number> = {}
  for (const { evidence } of links) linked[evidence] = (linked[evidence] ?? 0) + 1
  return { changed, unlinked, linked, seeks: true, domainIds, companyIds: touched }
}

/** A known account may be linked by a domain that was added to it. */
async function noteGainedDomains(tx: Transaction): Promise<void> {
  await sql`
    update licensee_identities licensee
       set gained = true
      from (
        select coalesce(change.licensee_key, license.licensee_key) as record_key
          from authorisation_changes change
          left join staged_licenses license on license.record_key = change.license_key
         where change.change = 'added'
      ) added
     where licensee.record_key = added.record_key and licensee.keeps_name and not licensee.is_new`.execute(tx)
}

async function exists(tx: Transaction, select: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (${select}) as found`.execute(tx)
  return rows[0]?.found ?? false
}

type OfStream = { stream: { key: string; market: string } }

/** Stages identities. A country that is no longer published keeps its last value. */
export async function stageIdentities(tx: Transaction, { stream }: OfStream): Promise<void> {
  await sql`
    create temp table licensee_identities on commit drop as
    select licensee.record_key, licensee.ref, licensee.legal_name, licensee.trading_names,
           nullif(licensee.name_key, '') as name_key, licensee.is_person,
           place.country,
           registered.registration,
           stored.company_id is null as is_new,
           kept.keeps_name,
           -- A changed number is no evidence: a register may number its companies anew.
           coalesce(kept.keeps_name
             and (stored.country is null and place.country is not null
                  or stored.registration is null and registered.registration is not null), false) as gained,
           stored.company_id,
           null::text as founder
      from staged_licensees licensee
      left join company_identities stored
        on stored.stream = ${stream.key} and stored.identity_key = licensee.record_key
     cross join lateral (select coalesce(licensee.country, stored.country) as country) place
     cross join lateral (
       select upper(regexp_replace(coalesce(licensee.registration_number, ''), '[^[:alnum:]]', '', 'g'))
                as canonical
     ) written
     cross join lateral (
       select canonical, canonical ~ '[1-9]' and length(canonical) >= ${companyNumberCharactersMin} as is_one
     ) number
     cross join lateral (
       select case when number.is_one
                   then coalesce(place.country, ${stream.market}) || ':' || number.canonical
              end as registration
     ) registered
     cross join lateral (
       select stored.name_key is not distinct from nullif(licensee.name_key, '') as keeps_name
     ) kept`.execute(tx)
  await sql`analyze licensee_identities`.execute(tx)
}

/** Restored states do not say whether they are a person's, unless the name was replaced. */
const kindOf = sql`
           case
             when licensee.is_person then 'unknown'
             when licensee.is_person is null and not starts_with(identity.company_name, ${naturalPerson})
               then identity.subject_kind
             else 'legal_entity'
           end`

/** A person has no key, as in what is staged. */
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
