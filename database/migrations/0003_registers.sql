-- Registers, and the facts they publish. Register facts are closed, never overwritten: a row is open while
-- known_to is null, and today's answers read the open rows through partial indexes. Every fact carries the stream
-- that owns it; a sync closes its own stream's rows only. Facts of interchange files belong to the stream `import`.

create table register_streams (
  stream text primary key,
  market text not null,
  covers text[] not null,
  parser_version int,
  snapshot_number int not null default 0,
  last_taken_at timestamptz,
  last_confirmed_at timestamptz,
  last_run_at timestamptz
);
comment on table register_streams is 'The streams that were ever synced, and `import`; what a stream is stands in code.';
comment on column register_streams.last_taken_at is 'When the last applied or confirmed snapshot was taken; null: none yet.';
comment on column register_streams.last_confirmed_at is
  'When the source last said what the open rows say; they take their last_confirmed_at from here.';

create table register_snapshots (
  id bigint generated always as identity primary key,
  snapshot_ref text not null unique,
  stream text not null references register_streams,
  number int not null,
  taken_at timestamptz not null,
  applied_at timestamptz not null default now(),
  content_sha256 bytea not null,
  parser_version int not null,
  rows int not null,
  rejected int not null,
  rejected_by_reason jsonb not null,
  added int not null,
  removed int not null,
  changed int not null,
  unique (stream, number)
);

create table register_runs (
  id bigint generated always as identity primary key,
  stream text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  status text not null check (status in ('applied', 'unchanged', 'refused')),
  snapshot_id bigint references register_snapshots,
  reasons text[] not null default '{}'
);
create index register_runs_of_stream on register_runs (stream, id);

create table companies (
  id bigint generated always as identity primary key,
  company_ref text not null unique,
  company_name text,
  legal_entity text,
  subject_kind text not null
    check (subject_kind in ('legal_entity', 'trade_name', 'platform', 'domain', 'unknown')),
  role text[] not null default '{}',
  country text,
  brands text[] not null default '{}',
  aliases text[] not null default '{}',
  apps jsonb not null default '[]',
  affiliate_program boolean not null default false,
  geo_hints text[] not null default '{}',
  evidence_routes text[] not null default '{}',
  merged_into bigint references companies,
  first_seen_at timestamptz not null default now(),
  last_observed_at timestamptz,
  last_updated_at timestamptz not null default now()
);
comment on column companies.legal_entity is 'null unless a source filed one (§2.2).';
comment on column companies.merged_into is 'null: the Company answers for itself.';

create table company_identities (
  stream text not null,
  identity_key text not null,
  company_id bigint not null references companies,
  known_from timestamptz not null default now(),
  primary key (stream, identity_key)
);
comment on table company_identities is
  'How a source names a Company: an account number of a register, a key of an interchange file.';
create index company_identities_of_company on company_identities (company_id);

create table domains (
  id bigint generated always as identity primary key,
  domain_ref text not null unique,
  domain text collate "C" not null unique,
  inferred_geo text,
  -- What follows is derived from the open facts below, in the transaction that changes them.
  verdict text not null default 'no_record'
    check (verdict in ('licensed', 'blocklisted', 'mixed', 'no_record')),
  licensed_by json not null default '[]',
  blocked_by json not null default '[]',
  licensee_company_id bigint references companies,
  first_seen_at timestamptz,
  last_observed_at timestamptz,
  platform_id bigint,
  payment_categories text[] not null default '{}'
);
comment on column domains.domain is 'Canonical registrable domain, ASCII lower case.';
comment on column domains.licensed_by is '§2.7, as it is sent: json keeps the bytes, jsonb would not.';
comment on column domains.licensee_company_id is 'The Company of the earliest-issued licensing license; null: none known.';
comment on column domains.first_seen_at is 'When a register first had it (open and closed facts); null: none ever did.';
comment on column domains.last_observed_at is 'The latest observation of the site; null: never observed.';
comment on column domains.platform_id is 'The platform of the most recent reading, reviewed or not; null: no reading.';
comment on column domains.payment_categories is 'Categories of the payment methods that are currently observed.';
create index domains_by_payment_category on domains using gin (payment_categories) where payment_categories <> '{}';
create index domains_by_platform on domains (platform_id) where platform_id is not null;
create index domains_of_licensee on domains (licensee_company_id) where licensee_company_id is not null;

create table domain_listings (
  verdict text not null,
  geo text not null,
  first_seen_at timestamptz not null,
  domain text collate "C" not null,
  domain_id bigint not null references domains on delete cascade,
  primary key (verdict, geo, first_seen_at, domain)
);
comment on table domain_listings is
  'Derived: one row per domain and the regulators that its verdict names, so that a page of a deep search is one
range of one index (§4.13).';
create index domain_listings_of_domain on domain_listings (domain_id);

create table domain_counts (
  verdict text not null,
  geo text not null,
  domains bigint not null,
  primary key (verdict, geo)
);
comment on table domain_counts is 'Derived: how many domains have a verdict (geo empty), and with which regulators.';

create table dataset_version (
  version bigint not null
);
comment on table dataset_version is
  'One row, raised last by every transaction that changes searchable data: what was counted at a version stays true.';
insert into dataset_version (version) values (1);

create table domain_companies (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains,
  company_id bigint not null references companies,
  relation text not null check (relation in ('licensee', 'brand_owner')),
  brand text,
  stream text not null,
  known_from timestamptz not null,
  known_to timestamptz
);
create unique index domain_companies_open on domain_companies (domain_id, company_id, relation, stream)
  where known_to is null;
create index domain_companies_of_company on domain_companies (company_id) where known_to is null;

create table licenses (
  id bigint generated always as identity primary key,
  license_ref text not null unique,
  stream text not null,
  record_key text not null,
  jurisdiction text not null,
  company_id bigint references companies,
  first_seen_at timestamptz not null,
  unique (stream, record_key)
);
comment on table licenses is 'What stays the same of a license; what a register says of it stands in license_states.';
comment on column licenses.record_key is 'Its number without what moves alone (UKGC: the version counter).';
create index licenses_of_company on licenses (company_id);

create table license_states (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses,
  license_number text,
  status text,
  license_type text,
  issued_at date,
  expires_at date,
  source_url text,
  known_from timestamptz not null,
  known_to timestamptz,
  last_seen_at timestamptz
);
comment on column license_states.status is 'As published, in one spelling; null: the source publishes none.';
comment on column license_states.last_seen_at is 'null: the stream tells, as of every open fact that a register publishes.';
create unique index license_states_open on license_states (license_id) where known_to is null;
create index license_states_by_number on license_states (license_number) where known_to is null;

create table authorisations (
  id bigint generated always as identity primary key,
  stream text not null,
  record_key text not null,
  domain_id bigint not null references domains,
  market text not null,
  license_id bigint references licenses,
  company_id bigint references companies,
  published text not null,
  status text,
  counts boolean not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz,
  known_from timestamptz not null,
  known_to timestamptz
);
comment on table authorisations is 'Authorised domains: a register lists the domain for a license, an account, or by itself.';
comment on column authorisations.license_id is 'null: the source names no license; none is invented.';
comment on column authorisations.counts is 'Whether it licenses the domain, the status of its license aside.';
comment on column authorisations.last_seen_at is 'null: the stream tells.';
create unique index authorisations_open on authorisations (stream, record_key) where known_to is null;
create index authorisations_of_domain on authorisations (domain_id);
create index authorisations_of_license on authorisations (license_id) where license_id is not null;
create index authorisations_of_company on authorisations (company_id) where company_id is not null;

create table blocklist_entries (
  id bigint generated always as identity primary key,
  stream text not null,
  record_key text not null,
  regulator text not null,
  scope text not null check (scope in ('domain', 'path', 'shared_host', 'app', 'payment_account')),
  published text not null,
  domain_id bigint references domains,
  listed boolean not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz,
  listed_at timestamptz,
  delisted_at timestamptz,
  known_from timestamptz not null,
  known_to timestamptz
);
comment on column blocklist_entries.scope is 'Only scope domain decides a verdict; the others are evidence.';
comment on column blocklist_entries.domain_id is 'null for apps, payment accounts and pages of hosts of many parties.';
comment on column blocklist_entries.listed is 'false: it was listed, and no longer is.';
comment on column blocklist_entries.last_seen_at is 'null: the stream tells; set for what is no longer listed.';
comment on column blocklist_entries.listed_at is 'The date that the register gives; null: it gives none.';
create unique index blocklist_entries_open on blocklist_entries (stream, record_key) where known_to is null;
create index blocklist_entries_of_domain on blocklist_entries (domain_id) where domain_id is not null;
create index blocklist_entries_newly_listed on blocklist_entries (first_seen_at, regulator)
  where known_to is null and scope = 'domain';
create index blocklist_entries_dropped on blocklist_entries (last_seen_at, regulator)
  where known_to is null and scope = 'domain' and not listed;
