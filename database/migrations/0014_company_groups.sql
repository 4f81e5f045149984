-- Groups of Companies, as staff state them with a source (docs/companies.md). A group is no party.
create table company_groups (
  id bigint generated always as identity primary key,
  company_id bigint not null references companies (id),
  name text not null,
  name_key text not null,
  source_url text not null,
  why text not null,
  stated_by text,
  stated_at timestamptz not null,
  ended_at timestamptz,
  end_reason text,
  check (ended_at >= stated_at)
);
create unique index company_groups_open on company_groups (name_key, company_id) where ended_at is null;
create index company_groups_of_company on company_groups (company_id);
comment on table company_groups is
  'Members of groups. A row is closed, never overwritten or deleted.';
comment on column company_groups.company_id is
  'The Company of which it was stated. After a merge, merged_into leads to the Company that shows it.';
comment on column company_groups.name_key is 'The name without case and accents.';
comment on column company_groups.stated_by is 'The e-mail address of the person; null: a command.';
comment on column company_groups.ended_at is 'When staff ended or corrected it; null: it applies.';

alter table companies add groups jsonb not null default '[]';
comment on column companies.groups is 'Derived from company_groups: [{name, source_url, stated_at}].';

-- Merges look up the Companies that were merged before.
create index companies_merged on companies (merged_into) where merged_into is not null;
