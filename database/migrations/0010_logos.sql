-- Logos (§2.12, §4.14): who may have one, what is held, and what each of these is called.
--
-- A subject is in the table because somebody names it: a Company that has the name, a Company that runs the brand, a
-- site that was seen with the supplier or the payment method, or an interchange file. Triggers note what
-- changed, so that no writer can forget it, and the transaction that changed it brings the subjects up to date before it
-- ends (src/features/logos/keep-subjects.ts): names are folded in Node, as everywhere.

create table logo_subjects (
  id bigint generated always as identity primary key,
  kind text not null
    check (kind in ('operator_brand', 'company', 'supplier_brand', 'payment_method', 'game')),
  slug text collate "C" not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null,
  name_folded text collate "C" not null,
  name_joined text collate "C" not null,
  stated_name text,
  domain_id bigint references domains,
  role text[] not null default '{}',
  unique (kind, slug),
  constraint a_file_states_all_or_nothing check (stated_name is not null or (domain_id is null and role = '{}'))
);
comment on table logo_subjects is 'Whatever may have a logo, with or without one.';
comment on column logo_subjects.slug is
  'Of the name that it had first, or as a file states it; it stays when the name changes. Images are addressed by it.';
comment on column logo_subjects.name is 'The stated one, or else the first of those in logo_names.';
comment on column logo_subjects.name_folded is
  'The words of the name, folded: fragments are looked for in them, and search orders by them.';
comment on column logo_subjects.name_joined is
  'The same without blanks, so that `luckyotter` finds Lucky Otter: beginnings are looked for in it.';
comment on column logo_subjects.stated_name is 'As an interchange file states it; null: none does, and the subject goes with its last name.';
comment on column logo_subjects.domain_id is 'The domain that a file states; null: none does, and links to Companies tell.';
comment on column logo_subjects.role is 'As a file states it; empty: its Companies tell.';
create index logo_subjects_by_name on logo_subjects (name_folded, kind, slug);
create index logo_subjects_by_kind on logo_subjects (kind, name_folded, slug);
create index logo_subjects_by_joined_name on logo_subjects (name_joined);
create index logo_subjects_like_name on logo_subjects using gin (name_folded gin_trgm_ops);
create index logo_subjects_of_domain on logo_subjects (domain_id) where domain_id is not null;

create table logo_names (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('operator_brand', 'company', 'supplier_brand', 'payment_method')),
  company_id bigint references companies,
  name text not null,
  subject_id bigint references logo_subjects
);
comment on table logo_names is 'Derived: what Companies and sites call the subjects. Files state their names in logo_subjects.';
comment on column logo_names.company_id is 'Whose name or brand it is; null: it was seen on a site.';
comment on column logo_names.subject_id is 'null: noted in this transaction, which has yet to say whose name it is.';
-- By digest: a register prints names that are too long for an index.
create unique index logo_names_once on logo_names (company_id, kind, md5(name)) nulls not distinct;
create unique index logo_names_of_company on logo_names (company_id) where kind = 'company';
create index logo_names_of_subject on logo_names (subject_id);
create index logo_names_unplaced on logo_names (id) where subject_id is null;

create table logo_stale_companies (
  company_id bigint primary key
);
comment on table logo_stale_companies is
  'Companies whose names or brands changed in this transaction; empty between transactions.';

-- The logos of 0004 belonged to a domain, and no version ever wrote one.
drop table logos;
create table logos (
  id bigint generated always as identity primary key,
  subject_id bigint not null references logo_subjects,
  variant text collate "C" not null,
  theme text collate "C" not null,
  format text collate "C" not null check (format in ('svg', 'png', 'jpeg', 'webp', 'gif')),
  width int,
  height int,
  file_name text collate "C" not null,
  source text not null check (source in ('business_profile', 'website', 'catalog')),
  status text not null check (status in ('current', 'superseded', 'withdrawn', 'rejected')),
  first_seen_at timestamptz not null,
  superseded_at timestamptz,
  reason text,
  unique (subject_id, variant, theme, file_name, first_seen_at),
  constraint current_until_superseded check (
    case status when 'current' then superseded_at is null when 'rejected' then true else superseded_at is not null end
  )
);
comment on table logos is 'Images of subjects, current ones and those of the past. They are not taken out.';
comment on column logos.width is 'In pixels; null: the drawing has no size of its own.';
comment on column logos.file_name is
  'The stored file below LOGO_URL, named by the SHA-256 of its content. It is served while one of its rows is current or superseded.';
comment on column logos.superseded_at is 'Until when it was current; null: it is, or was rejected before it ever was.';
comment on column logos.reason is 'Why a person withdrew it; null: nobody did, or an interchange file says that it is withdrawn.';
create unique index logos_current on logos (subject_id, variant, theme, format) where status = 'current';
create index logos_of_file on logos (file_name);

create function note_logo_companies_made() returns trigger language plpgsql as $$
begin
  insert into logo_stale_companies (company_id)
  select id from came where company_name is not null or legal_entity is not null or brands <> '{}' order by id
  on conflict do nothing;
  return null;
end $$;

-- Old and new are compared without a join of the two, whose plan would be that of the first, small statement of a connection.
create function note_logo_companies_changed() returns trigger language plpgsql as $$
begin
  insert into logo_stale_companies (company_id)
  select id
    from (
      select id, company_name, legal_entity, role, brands, merged_into from came
      except
      select id, company_name, legal_entity, role, brands, merged_into from gone
    ) changed
   order by id
  on conflict do nothing;
  return null;
end $$;

create function note_logo_brands_linked() returns trigger language plpgsql as $$
begin
  insert into logo_stale_companies (company_id)
  select distinct company_id from came where brand is not null and known_to is null order by company_id
  on conflict do nothing;
  return null;
end $$;

create function note_logo_brands_relinked() returns trigger language plpgsql as $$
begin
  insert into logo_stale_companies (company_id)
  select distinct company_id
    from (
      (
        select id, company_id, brand, known_to from came where brand is not null
        except
        select id, company_id, brand, known_to from gone
      )
      union all
      (
        select id, company_id, brand, known_to from gone where brand is not null
        except
        select id, company_id, brand, known_to from came
      )
    ) changed
   order by company_id
  on conflict do nothing;
  return null;
end $$;

create function note_logo_names_seen() returns trigger language plpgsql as $$
begin
  insert into logo_names (kind, name)
  select distinct case section when 'payment_methods' then 'payment_method' else 'supplier_brand' end as kind, value_key
    from came
   where section in ('payment_methods', 'supplier_brands')
   order by kind, value_key
  on conflict do nothing;
  return null;
end $$;

create trigger logo_companies_made after insert on companies
  referencing new table as came for each statement execute function note_logo_companies_made();
create trigger logo_companies_changed after update on companies
  referencing old table as gone new table as came for each statement execute function note_logo_companies_changed();
create trigger logo_brands_linked after insert on domain_companies
  referencing new table as came for each statement execute function note_logo_brands_linked();
create trigger logo_brands_relinked after update on domain_companies
  referencing old table as gone new table as came for each statement execute function note_logo_brands_relinked();
create trigger logo_names_seen after insert on observations
  referencing new table as came for each statement execute function note_logo_names_seen();

-- What is held already is noted as if it had just come; the next transaction that changes facts takes it up.
insert into logo_stale_companies (company_id)
select id from companies where company_name is not null or legal_entity is not null or brands <> '{}';
insert into logo_names (kind, name)
select distinct case section when 'payment_methods' then 'payment_method' else 'supplier_brand' end, value_key
  from observations
 where section in ('payment_methods', 'supplier_brands');
