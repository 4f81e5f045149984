-- §2.2: only a legal entity has a filed name (features/companies/combine-identities.ts). The name of another kind is an alias.
-- A Company without a name is called by its legal one. Search rows are rebuilt when an instance starts.

update companies company
   set company_name = coalesce(identity.company_name, identity.legal_entity),
       legal_entity = case when identity.subject_kind = 'legal_entity' then identity.legal_entity end,
       aliases = case
         when identity.subject_kind <> 'legal_entity'
           and identity.legal_entity <> identity.company_name
           and identity.legal_entity <> all (identity.aliases)
         then array_append(identity.aliases, identity.legal_entity)
         else identity.aliases
       end
  from company_identities identity
 where company.id = identity.company_id
   and identity.legal_entity is not null
   and (identity.subject_kind <> 'legal_entity' or identity.company_name is null)
   and not exists (
     select from company_identities other
      where other.company_id = identity.company_id
        and (other.stream, other.identity_key) <> (identity.stream, identity.identity_key)
   );

with ordered as (
  select identity.*,
         row_number() over (
           partition by company_id
           order by seniority, known_from, stream collate "C", identity_key collate "C"
         ) as place
    from company_identities identity
   where company_id in (
     select company_id from company_identities group by company_id having count(*) > 1
     intersect
     select company_id
       from company_identities
      where legal_entity is not null and (subject_kind <> 'legal_entity' or company_name is null)
   )
),
named as (
  select company_id,
         coalesce(
           (array_agg(company_name order by place) filter (where company_name is not null))[1],
           (array_agg(legal_entity order by place) filter (where legal_entity is not null))[1]
         ) as company_name,
         (
           array_agg(legal_entity order by place)
             filter (where legal_entity is not null and subject_kind = 'legal_entity')
         )[1] as legal_entity
    from ordered
   group by company_id
),
called as (
  select distinct on (company_id, listed.name) company_id, listed.name, listed.list, place, listed.position
    from ordered
   cross join lateral (
     select name, 1 as list, position from unnest(aliases) with ordinality as alias (name, position)
     union all
     select name, 2, position from unnest(array[company_name, legal_entity]) with ordinality as own (name, position)
   ) listed
   where listed.name is not null
   order by company_id, listed.name, listed.list, place, listed.position
)
update companies company
   set company_name = named.company_name,
       legal_entity = named.legal_entity,
       aliases = array(
         select called.name
           from called
          where called.company_id = named.company_id
            and called.name is distinct from named.company_name
            and called.name is distinct from named.legal_entity
          order by called.list, called.place, called.position
       )
  from named
 where company.id = named.company_id;
