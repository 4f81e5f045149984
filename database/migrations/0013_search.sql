-- Company and license search (§4.4, §4.5, §4.10, §4.11): one row per Company that answers for itself and per license that a
-- source has today, kept in the transaction that changes what it is made of. What a row says is derived in Node
-- (features/search/), checked by `baize verify`, and never typed in.

-- When a Company was last observed is when one of its domains was; the column was never written.
alter table companies drop column last_observed_at;

-- Brands that a source gives a Company's domains are the Company's, behind those that it is told to have.
update companies company
   set brands = company.brands || shown.brands
  from (
    select company_id, array_agg(distinct brand collate "C" order by brand collate "C") as brands
      from domain_companies link
      join companies holder on holder.id = link.company_id
     where link.known_to is null and link.brand is not null and link.brand <> all (holder.brands)
     group by company_id
  ) shown
 where shown.company_id = company.id;

create table search_terms (
  id int generated always as identity primary key,
  subject text not null check (subject in ('company', 'license')),
  field text not null,
  value text collate "C" not null,
  rows bigint not null default 0,
  unique (subject, field, value)
);
comment on table search_terms is
  'The dictionary of exact filters: a row of search holds the ids of its terms. Derived, save for the ids, which stay.';
comment on column search_terms.field is
  'As the filter is called; with "as spelt", what answers count of a filter whose values are folded. Empty: the term of every row, which no row lists.';
comment on column search_terms.value is
  'Folded where case and accents do not count (geo, license_type, payment_method, platform, supplier_brand).';
comment on column search_terms.rows is
  'How many rows of search hold it: totals of one filter and facets without any are read here. 0: none does any more.';

create table company_search (
  id bigint primary key references companies,
  ref text collate "C" not null,
  missing int not null check (missing between 0 and 1000),
  sort_name text collate "C" not null,
  document tsvector not null,
  terms int[] not null,
  facets int[] not null,
  hit json not null
);
comment on table company_search is 'Derived: what is searched of the Companies that were not merged, and what a hit shows (§2.6).';
comment on column company_search.missing is 'How much of a profile is not known, in thousandths: 1 - data_completeness. First in the order without text.';
comment on column company_search.sort_name is 'Its name folded; empty: it has none.';
comment on column company_search.document is
  'Words of its names and domains; `=` stands before a whole name as it is spelt, `~` before one without blanks and legal form, `*` before each word of a legal form. The weights A to D tell names, brands, aliases and domains apart; positions repeat them.';
comment on column company_search.terms is 'Ids of search_terms.';
comment on column company_search.facets is 'Those of terms that answers count.';
comment on column company_search.hit is 'The row as it is sent, without what depends on the question: json keeps the bytes.';
create index company_search_by_document on company_search using gin (document, terms);
create index company_search_in_order on company_search (missing, sort_name, ref);

create table license_search (
  id bigint primary key references licenses,
  ref text collate "C" not null,
  missing int not null check (missing between 0 and 1000),
  sort_name text collate "C" not null,
  document tsvector not null,
  terms int[] not null,
  facets int[] not null,
  hit json not null
);
comment on table license_search is 'Derived: what is searched of the licenses that a source has today. Columns as in company_search.';
comment on column license_search.document is
  'Words of its number, what its holder is called, what it is known as with the type, and the jurisdiction, weighted A to D; `#` stands before the whole number, `%` before one of the UKGC without its version counter.';
create index license_search_by_document on license_search using gin (document, terms);
create index license_search_in_order on license_search (missing, sort_name, ref);

create table search_words (
  subject text not null check (subject in ('company', 'license')),
  word text collate "C" not null,
  primary key (subject, word)
);
comment on table search_words is
  'Every word of the documents, and words that were in them once: what a word that nobody bears is compared with.';
-- Words within an edit or two begin or end alike, and are nearly as long.
create index search_words_by_beginning on search_words (subject, char_length(word), word);
create index search_words_by_end on search_words (subject, char_length(word), (reverse(word) collate "C"));
create index search_words_by_part on search_words using gin (word gin_trgm_ops);

create table search_stale (
  subject text not null check (subject in ('company', 'license')),
  id bigint not null,
  primary key (subject, id)
);
comment on table search_stale is
  'Companies and licenses whose row is older than their facts: filled by triggers, so that no writer can forget, and emptied before the transaction ends. Empty in every committed state.';

-- Which domains are a Company's today, the one meaning of it, looked up from either side: those that a source says it stands
-- behind, those that a register lists for it, and those of its licenses. One may stand several times. Inside a query they are
-- taken apart (inlined), and what is looked up in them goes by index whatever the planner believes (`offset 0`).

create function companies_of_domain(of_domain bigint)
returns table (company_id bigint, relation text, brand text, known_from timestamptz)
language sql
stable
as $$
  select link.company_id, link.relation, link.brand, link.known_from
    from domain_companies link
   where link.domain_id = of_domain and link.known_to is null
   union all
  select holder.company_id, 'licensee', null, listed.known_from
    from (select * from authorisations where domain_id = of_domain offset 0) listed
   cross join lateral (
     -- a source that names the license alone names its holder with it
     select coalesce(listed.company_id, (select license.company_id from licenses license where license.id = listed.license_id))
   ) holder (company_id)
   where listed.known_to is null and holder.company_id is not null
$$;

create function domains_of_company(of_company bigint)
returns table (domain_id bigint, relation text, known_from timestamptz)
language sql
stable
as $$
  select link.domain_id, link.relation, link.known_from
    from domain_companies link
   where link.company_id = of_company and link.known_to is null
   union all
  select listed.domain_id, 'licensee', listed.known_from
    from (select * from authorisations where company_id = of_company offset 0) listed
   where listed.known_to is null
   union all
  select covered.domain_id, 'licensee', covered.known_from
    from licenses license
   cross join lateral (select * from authorisations where license_id = license.id offset 0) covered
   where license.company_id = of_company and covered.company_id is null and covered.known_to is null
$$;

-- What makes a row stale. Triggers of statements: a sync of a million rows pays once. Old and new are compared without
-- a join of the two, whose plan would be that of the first, small statement of a connection. The rest is looked up by index
-- in laterals that no planner turns round (`offset 0`), whatever it believes of tables that were empty a moment ago: as joins,
-- 30,000 domains took 6 s instead of 0.1.

create function note_stale_companies() returns trigger
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
  if tg_op = 'INSERT' then
    insert into search_stale (subject, id)
    select 'company', id from after_rows order by id
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select 'company', id
    from (select * from after_rows except select * from before_rows) changed
   order by id
  on conflict do nothing;
  insert into search_stale (subject, id)
  select 'license', license.id
    from (
      select id, company_ref, company_name, legal_entity, brands, aliases, merged_into from after_rows
      except
      select id, company_ref, company_name, legal_entity, brands, aliases, merged_into from before_rows
    ) changed
   cross join lateral (select id from licenses where company_id = changed.id offset 0) license
   order by license.id
  on conflict do nothing;
  return null;
end $$;
create trigger search_of_new_companies after insert on companies
  referencing new table as after_rows for each statement execute function note_stale_companies();
create trigger search_of_changed_companies after update on companies
  referencing old table as before_rows new table as after_rows for each statement execute function note_stale_companies();

create function note_stale_licenses() returns trigger
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
  if tg_op = 'INSERT' then
    insert into search_stale (subject, id)
    select 'license', id from after_rows
    union
    select 'company', company_id from after_rows where company_id is not null
     order by 1, 2
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select distinct noted.subject, noted.id
    from (
      (
        select id, license_ref, jurisdiction, company_id from after_rows
        except
        select id, license_ref, jurisdiction, company_id from before_rows
      )
      union all
      (
        select id, license_ref, jurisdiction, company_id from before_rows
        except
        select id, license_ref, jurisdiction, company_id from after_rows
      )
    ) changed
   cross join lateral (values ('license', changed.id), ('company', changed.company_id)) noted (subject, id)
   where noted.id is not null
   order by 1, 2
  on conflict do nothing;
  return null;
end $$;
create trigger search_of_new_licenses after insert on licenses
  referencing new table as after_rows for each statement execute function note_stale_licenses();
create trigger search_of_changed_licenses after update on licenses
  referencing old table as before_rows new table as after_rows for each statement execute function note_stale_licenses();

-- A later last_seen_at alone says nothing new.
create function note_stale_license_states() returns trigger
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
  if tg_op = 'INSERT' then
    insert into search_stale (subject, id)
    select distinct noted.subject, noted.id
      from after_rows state
     cross join lateral (select id, company_id from licenses where id = state.license_id offset 0) license
     cross join lateral (values ('license', license.id), ('company', license.company_id)) noted (subject, id)
     where state.known_to is null and noted.id is not null
     order by 1, 2
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select distinct noted.subject, noted.id
    from (
      select id, license_id, license_number, status, license_type, issued_at, expires_at, known_to from after_rows
      except
      select id, license_id, license_number, status, license_type, issued_at, expires_at, known_to from before_rows
    ) changed
   cross join lateral (select id, company_id from licenses where id = changed.license_id offset 0) license
   cross join lateral (values ('license', license.id), ('company', license.company_id)) noted (subject, id)
   where noted.id is not null
   order by 1, 2
  on conflict do nothing;
  return null;
end $$;
create trigger search_of_new_license_states after insert on license_states
  referencing new table as after_rows for each statement execute function note_stale_license_states();
create trigger search_of_changed_license_states after update on license_states
  referencing old table as before_rows new table as after_rows for each statement execute function note_stale_license_states();

-- A source that names the license alone names its holder with it.
create function note_stale_authorisations() returns trigger
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
  if tg_op = 'INSERT' then
    insert into search_stale (subject, id)
    select distinct noted.subject, noted.id
      from after_rows added
     cross join lateral (
       values ('license', added.license_id),
              ('company', coalesce(added.company_id, (select company_id from licenses where id = added.license_id)))
     ) noted (subject, id)
     where added.known_to is null and noted.id is not null
     order by 1, 2
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select distinct noted.subject, noted.id
    from (
      (
        select id, license_id, company_id, domain_id, market, status, counts, known_to from after_rows
        except
        select id, license_id, company_id, domain_id, market, status, counts, known_to from before_rows
      )
      union all
      (
        select id, license_id, company_id, domain_id, market, status, counts, known_to from before_rows
        except
        select id, license_id, company_id, domain_id, market, status, counts, known_to from after_rows
      )
    ) changed
   cross join lateral (
     values ('license', changed.license_id),
            ('company', coalesce(changed.company_id, (select company_id from licenses where id = changed.license_id)))
   ) noted (subject, id)
   where noted.id is not null
   order by 1, 2
  on conflict do nothing;
  return null;
end $$;
create trigger search_of_new_authorisations after insert on authorisations
  referencing new table as after_rows for each statement execute function note_stale_authorisations();
create trigger search_of_changed_authorisations after update on authorisations
  referencing old table as before_rows new table as after_rows for each statement execute function note_stale_authorisations();

create function note_stale_domain_companies() returns trigger
language plpgsql
set jit = off
as $$
begin
  if tg_op = 'INSERT' then
    insert into search_stale (subject, id)
    select distinct 'company', company_id from after_rows where known_to is null order by 2
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select distinct 'company', company_id
    from (
      (
        select id, domain_id, company_id, relation, known_from, known_to from after_rows
        except
        select id, domain_id, company_id, relation, known_from, known_to from before_rows
      )
      union all
      (
        select id, domain_id, company_id, relation, known_from, known_to from before_rows
        except
        select id, domain_id, company_id, relation, known_from, known_to from after_rows
      )
    ) changed
   order by 2
  on conflict do nothing;
  return null;
end $$;
create trigger search_of_new_domain_companies after insert on domain_companies
  referencing new table as after_rows for each statement execute function note_stale_domain_companies();
create trigger search_of_changed_domain_companies after update on domain_companies
  referencing old table as before_rows new table as after_rows for each statement execute function note_stale_domain_companies();

-- A new domain belongs to nobody yet, and what its verdict is does not matter here.
create function note_stale_domains() returns trigger
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
  insert into search_stale (subject, id)
  select distinct 'company', link.company_id
    from (
      select id, domain_ref, domain, inferred_geo, last_observed_at, platform_id, payment_categories from after_rows
      except
      select id, domain_ref, domain, inferred_geo, last_observed_at, platform_id, payment_categories from before_rows
    ) changed
   cross join lateral companies_of_domain(changed.id) link
   order by 2
  on conflict do nothing;
  return null;
end $$;
create trigger search_of_changed_domains after update on domains
  referencing old table as before_rows new table as after_rows for each statement execute function note_stale_domains();

create function note_stale_observations() returns trigger
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
  if tg_op = 'UPDATE' then
    insert into search_stale (subject, id)
    select distinct 'company', link.company_id
      from (
        select distinct domain_id
          from (
            select domain_id, section, value_key, value, last_seen_at from after_rows
            except
            select domain_id, section, value_key, value, last_seen_at from before_rows
          ) changed
         where section <> 'related_domains'
      ) observed
     cross join lateral companies_of_domain(observed.domain_id) link
     order by 2
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select distinct 'company', link.company_id
    from (select distinct domain_id from changed_rows where section <> 'related_domains') observed
   cross join lateral companies_of_domain(observed.domain_id) link
   order by 2
  on conflict do nothing;
  return null;
end $$;
create trigger search_of_new_observations after insert on observations
  referencing new table as changed_rows for each statement execute function note_stale_observations();
create trigger search_of_changed_observations after update on observations
  referencing old table as before_rows new table as after_rows for each statement execute function note_stale_observations();
create trigger search_of_gone_observations after delete on observations
  referencing old table as changed_rows for each statement execute function note_stale_observations();

-- A new platform runs no domain yet.
create function note_stale_platforms() returns trigger
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
  insert into search_stale (subject, id)
  select distinct 'company', link.company_id
    from (
      select id, platform_key, name, aliases, reviewed_at is not null as reviewed from after_rows
      except
      select id, platform_key, name, aliases, reviewed_at is not null from before_rows
    ) changed
   cross join lateral (select id from domains where platform_id = changed.id offset 0) domain
   cross join lateral companies_of_domain(domain.id) link
   order by 2
  on conflict do nothing;
  return null;
end $$;
create trigger search_of_changed_platforms after update on platforms
  referencing old table as before_rows new table as after_rows for each statement execute function note_stale_platforms();

-- Whether there is a result counts, and not what it says.
create function note_stale_firmographics() returns trigger
language plpgsql
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
  insert into search_stale (subject, id)
  select distinct 'company', link.company_id
    from changed_rows changed
   cross join lateral companies_of_domain(changed.domain_id) link
   order by 2
  on conflict do nothing;
  return null;
end $$;
create trigger search_of_new_firmographics after insert on firmographics
  referencing new table as changed_rows for each statement execute function note_stale_firmographics();
create trigger search_of_gone_firmographics after delete on firmographics
  referencing old table as changed_rows for each statement execute function note_stale_firmographics();

-- Whether somebody can be delivered counts, and not who.
create function note_stale_contacts() returns trigger
language plpgsql
set jit = off
as $$
begin
  if tg_op = 'UPDATE' then
    insert into search_stale (subject, id)
    select distinct 'company', company_id
      from (
        (
          select id, company_id, coalesce(email, linkedin_url) is not null as deliverable from after_rows
          except
          select id, company_id, coalesce(email, linkedin_url) is not null from before_rows
        )
        union all
        (
          select id, company_id, coalesce(email, linkedin_url) is not null from before_rows
          except
          select id, company_id, coalesce(email, linkedin_url) is not null from after_rows
        )
      ) changed
     order by 2
    on conflict do nothing;
    return null;
  end if;
  insert into search_stale (subject, id)
  select distinct 'company', company_id from changed_rows order by 2
  on conflict do nothing;
  return null;
end $$;
create trigger search_of_new_contacts after insert on contacts
  referencing new table as changed_rows for each statement execute function note_stale_contacts();
create trigger search_of_changed_contacts after update on contacts
  referencing old table as before_rows new table as after_rows for each statement execute function note_stale_contacts();
create trigger search_of_gone_contacts after delete on contacts
  referencing old table as changed_rows for each statement execute function note_stale_contacts();

-- Facts are emptied in the demo's world and in tests only; rows go with them, and the counts must too.
create function forget_search_counts() returns trigger
language plpgsql
as $$
declare
  emptied constant text := split_part(tg_table_name, '_', 1);
begin
  update search_terms set rows = 0 where subject = emptied and rows <> 0;
  delete from search_stale where subject = emptied;
  update dataset_version set version = version + 1;
  return null;
end $$;
create trigger search_counts_of_no_companies after truncate on company_search
  for each statement execute function forget_search_counts();
create trigger search_counts_of_no_licenses after truncate on license_search
  for each statement execute function forget_search_counts();

-- What is held already. The next writer brings it in, and a starting instance before it serves.
insert into search_stale (subject, id)
select 'company', id from companies
union all
select 'license', id from licenses;
