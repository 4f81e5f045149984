-- Links of identities with their evidence, and the pairs that staff separated.
alter table company_identities add lei text;
comment on column company_identities.lei is 'Legal Entity Identifier, from an interchange file; null: none.';
create index company_identities_by_lei on company_identities (lei) where lei is not null;
create index company_identities_by_stem on company_identities (split_part(name_key, ' ', 1)) where name_key is not null;

create table company_links (
  id bigint not null generated always as identity primary key,
  stream text not null,
  identity_key text not null,
  evidence text not null,
  value text not null,
  with_stream text not null,
  with_key text not null,
  linked_at timestamptz not null,
  lost_at timestamptz,
  foreign key (stream, identity_key) references company_identities (stream, identity_key) on delete cascade
);
create index company_links_of_identity on company_links (stream, identity_key);
create index company_links_by_domain on company_links (value) where evidence = 'name_and_domain';
create index company_links_lost on company_links (lost_at) where lost_at is not null;
comment on table company_links is 'Why an identity was linked to its Company without a decision of staff (features/companies/linking/rules-store.ts).';
comment on column company_links.value is 'What both identities share: a number, a country, a market or a domain.';
comment on column company_links.with_stream is 'This and with_key are the identity that the Company had.';
comment on column company_links.lost_at is 'Since when no other identity of the Company shares it; null: the evidence is there.';

create table company_distinctions (
  company_id bigint not null references companies (id),
  other_company_id bigint not null references companies (id),
  reason text not null,
  decided_at timestamptz not null,
  primary key (company_id, other_company_id),
  check (company_id < other_company_id)
);
create index company_distinctions_of_other on company_distinctions (other_company_id);
comment on table company_distinctions is 'Pairs that staff split or called different parties. They are never linked.';
