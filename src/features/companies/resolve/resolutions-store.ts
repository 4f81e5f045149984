import type { PointRead } from '../../../database/batch-reader.ts'
import { licensesOfNumber } from '../../licenses/index.ts'
import { profileOf } from './profile-text-store.ts'

/** What an identifier leads to. */
export type Resolution = {
  /** The identifier, as `resolutionKey` writes it. */
  key: string
  /** The Companies, of merged ones those that answer for them; null: none. */
  ids: number[] | null
  /** The ref of the first of them. */
  first_ref: string | null
  is_merged: boolean
  /** Where a license number is used, when that is in several jurisdictions; it leads nowhere then. */
  jurisdictions: string[] | null
  /** The profiles, a line of JSON text each, in the order of `ids`; null where there is nothing to deliver. */
  profiles: string | null
}

/** What is wanted and the kind of identifier end at the first two colons; a license number has its jurisdiction before it. */
export function resolutionKey(
  wanted: 'profiles' | 'ids',
  kind: string,
  value: string,
  jurisdiction = '',
): string {
  const identifier = kind === 'license_number' ? `${jurisdiction}:${value}` : value
  return `${wanted}:${kind}:${identifier}`
}

/** A Company of ten thousand domains holds nobody else up. */
const uneven = { overtakenAfterMs: 20, keysMax: 32 }

/**
 * From identifiers to profiles in one round trip, gathered over requests: what each costs to send and to set up is most of what it
 * costs, and is shared. Of each kind the look-up that is not asked for is not run.
 *
 * - domain: its licensees, that of its verdict first, then who else owns its brand. Whoever holds a listing of the domain in
 *   a register is a licensee of it; an interchange file also tells it without any.
 * - legal_entity: Companies of which a source filed this legal name; one that tells of a trade name, platform or domain by whom
 *   it belongs to has filed none. name: those that are published under this name or
 *   brand. Several are a collision: no profile is read (§4.6).
 * - license_number: who holds a license of this number; its jurisdiction stands before it, or nothing does.
 *
 * The keys pass through a subquery, so that the planner cannot count them, and keeps the plan that it has made.
 */
export const resolutions: PointRead<Resolution> = {
  name: 'company_resolutions',
  text: `
    select asked.key, to_json(found.ids) as ids, found.first_ref, found.is_merged,
           case when cardinality(found.jurisdictions) > 1 then to_json(found.jurisdictions) end as jurisdictions,
           told.profiles
      from (
        select key, split_part(key, ':', 1) as wanted, split_part(key, ':', 2) as kind,
               substr(key, length(split_part(key, ':', 1)) + length(split_part(key, ':', 2)) + 3) as value
          from unnest((select $1::text[])) as key
        offset 0
      ) asked
     cross join lateral (
       select case when asked.kind in ('legal_entity', 'name') then fold_names(array[asked.value]) end as names
       offset 0
     ) folded
     cross join lateral (
       select array_agg(led.company_id order by led.place, led.ref collate "C") filter (where led.company_id is not null) as ids,
              array_agg(led.matched_as order by led.place, led.ref collate "C") filter (where led.company_id is not null) as matched_as,
              (array_agg(led.ref order by led.place, led.ref collate "C") filter (where led.company_id is not null))[1] as first_ref,
              coalesce(bool_or(led.is_merged), false) as is_merged,
              array_agg(distinct led.jurisdiction collate "C" order by led.jurisdiction collate "C")
                filter (where led.jurisdiction is not null) as jurisdictions
         from (
           select company.id as company_id, company.company_ref as ref, '[]' as matched_as,
                  named.merged_into is not null as is_merged, null as jurisdiction, 1::bigint as place
             from companies named
             join companies company on company.id = coalesce(named.merged_into, named.id)
            where asked.kind = 'company_ref' and named.company_ref = asked.value
           union all
           select company.id, company.company_ref,
                  to_json(array_agg(distinct owner.relation order by owner.relation desc))::text, false, null,
                  case when bool_or(owner.company_id = domain.licensee_company_id) then 1
                       when bool_or(owner.relation = 'licensee') then 2 else 3 end
             from domains domain
            cross join lateral companies_of_domain(domain.id) owner
             join companies named on named.id = owner.company_id
             join companies company on company.id = coalesce(named.merged_into, named.id)
            where asked.kind = 'domain' and domain.domain = asked.value
            group by company.id
           union all
           select company.id, company.company_ref, '[]', false, null, 1
             from companies company
            where asked.kind = 'legal_entity'
              and company.merged_into is null
              and company.id in (
                select identity.company_id
                  from company_identities identity
                 where identity.legal_entity is not null
                   and identity.subject_kind = 'legal_entity'
                   and fold_names(array[identity.legal_entity]) = folded.names
                   and folded.names <> '{}'
              )
           union all
           select company.id, company.company_ref, '[]', false, null, 1
             from companies company
            where asked.kind = 'name'
              and company.merged_into is null
              and fold_names(array[company.company_name, company.legal_entity] || company.brands || company.aliases)
                  @> folded.names
              and folded.names <> '{}'
           union all
           select company.id, company.company_ref, '[]', false, license.jurisdiction, min(license.license_id)
             from ${licensesOfNumber(
               "substr(asked.value, strpos(asked.value, ':') + 1)",
               "nullif(split_part(asked.value, ':', 1), '')",
               "asked.kind = 'license_number'",
             )} license
             left join lateral (
               select coalesce(merged_into, id) as id from companies where id = license.company_id offset 0
             ) named on true
             left join lateral (select id, company_ref from companies where id = named.id offset 0) company on true
            group by company.id, company.company_ref, license.jurisdiction
         ) led
       offset 0
     ) found
     cross join lateral (
       select string_agg(profile.text, E'\\n' order by one.place) as profiles
         from unnest(found.ids, found.matched_as) with ordinality as one (company_id, matched_as, place)
         join companies company on company.id = one.company_id
         ${profileOf('one.matched_as')}
        where asked.wanted = 'profiles'
          and not (asked.kind in ('legal_entity', 'name') and cardinality(found.ids) > 1)
          and coalesce(cardinality(found.jurisdictions), 0) <= 1
     ) told`,
  keyOf: row => row.key,
  from: 'replica',
  uneven,
}
