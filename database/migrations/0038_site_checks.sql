-- Checks of sites (contract section 15): what was asked, what was received, and what was read from it.

create table site_checks (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains,
  state text not null check (state in ('queued', 'running', 'completed', 'failed')),
  reason text,
  asked_by text not null check (asked_by in ('request', 'enrichment', 'refresh', 'staff')),
  account_id bigint references accounts,
  reservation_id uuid,
  idempotency_key text,
  request_id text,
  client json,
  requested_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  reading_id bigint,
  credits_charged bigint,
  check ((state in ('completed', 'failed')) = (finished_at is not null))
);
comment on table site_checks is 'Checks of sites. At most one of a domain is queued or running.';
comment on column site_checks.reason is 'Why it failed; null: it did not.';
comment on column site_checks.account_id is 'The account that pays; null: a background refresh or staff.';
comment on column site_checks.reservation_id is 'Of `account_id`; released or settled when the check finishes.';
comment on column site_checks.idempotency_key is 'Of the request that started it: its retry takes this check.';
comment on column site_checks.request_id is 'Of the request that started it, for the ledger and the usage record.';
comment on column site_checks.reading_id is 'The reading in force; null: not read yet.';
comment on column site_checks.credits_charged is 'Of the refresh; null: not finished.';
create unique index site_checks_open on site_checks (domain_id) where state in ('queued', 'running');
create index site_checks_of_domain on site_checks (domain_id, finished_at);
create index site_checks_by_key on site_checks (account_id, idempotency_key) where idempotency_key is not null;
create index site_checks_of_reading on site_checks (reading_id);

create table enrichments (
  enrichment_ref text primary key,
  account_id bigint not null references accounts,
  check_id bigint not null references site_checks,
  is_paid boolean not null,
  requested_at timestamptz not null
);
comment on table enrichments is 'Requests of accounts that started, joined or reused a check.';
comment on column enrichments.is_paid is 'Whether this request started the check, and its account pays.';
create index enrichments_of_check on enrichments (check_id);
create index enrichments_of_account on enrichments (account_id);

create table site_captures (
  id bigint generated always as identity primary key,
  check_id bigint not null references site_checks,
  position int not null,
  kind text not null check (kind in ('dns', 'rdap', 'http')),
  purpose text not null check (purpose in ('dns', 'rdap', 'robots', 'root', 'page')),
  url text not null,
  final_url text,
  status int,
  headers jsonb not null,
  facts jsonb not null,
  body_hash bytea,
  truncated boolean not null,
  seen_at timestamptz not null,
  unique (check_id, position)
);
comment on table site_captures is 'What checks received. Private (§2.10), deleted after CAPTURE_RETENTION_DAYS.';
comment on column site_captures.facts is 'Failure, redirect chain and certificate.';
comment on column site_captures.body_hash is 'SHA-256 of the unpacked body, which names its file; null: no body.';
create index site_captures_by_age on site_captures (seen_at);
create index site_captures_of_body on site_captures (body_hash) where body_hash is not null;

create table site_readings (
  id bigint generated always as identity primary key,
  check_id bigint not null references site_checks,
  rules_version text not null,
  read_at timestamptz not null,
  unique (check_id, rules_version)
);
comment on table site_readings is 'Readings of the captures of a check by one version of the rules.';
alter table site_checks add foreign key (reading_id) references site_readings;

create table site_findings (
  reading_id bigint not null references site_readings,
  section text collate "C" not null,
  value_key text collate "C" not null,
  domain_id bigint not null references domains,
  value jsonb not null,
  rule text not null,
  strength integer not null check (strength between 1 and 3),
  capture_id bigint references site_captures on delete set null,
  seen_at timestamptz not null,
  snippet text,
  primary key (reading_id, section, value_key)
);
comment on table site_findings is
  'Values that a reading found. Never updated; those of the reading in force of each check count.';
comment on column site_findings.section is
  'A section of §2.9, a component of the launch profile, or what another feature stores (platform, logo).';
comment on column site_findings.capture_id is 'null: the capture was deleted after its retention.';
comment on column site_findings.seen_at is 'Of the capture, whenever it was read.';
comment on column site_findings.snippet is 'The matched text, for staff. At most 300 characters.';
create index site_findings_of_domain on site_findings (domain_id, section);
create index site_findings_of_capture on site_findings (capture_id) where capture_id is not null;

create table imported_observations (
  domain_id bigint not null references domains,
  section text collate "C" not null,
  value_key text collate "C" not null,
  value jsonb not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  last_confirmed_at timestamptz,
  primary key (domain_id, section, value_key)
);
comment on table imported_observations is 'What imports say. `observations` is derived from these and from findings.';
insert into imported_observations
  (domain_id, section, value_key, value, first_seen_at, last_seen_at, last_confirmed_at)
select domain_id, section, value_key, value, first_seen_at, last_seen_at, last_confirmed_at
  from observations;

alter table observations alter column stream drop not null;
comment on column observations.stream is 'Unused; services of the previous release still write it.';
comment on table observations is
  'One window per value: derived from imported_observations and the findings in force of site_findings.';

alter table domains add column last_checked_at timestamptz;
comment on column domains.last_checked_at is 'The latest completed check of the site; null: none.';

-- Search rows show the latest of the three.
create or replace function note_stale_domains() returns trigger
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
      select id, domain_ref, domain, inferred_geo, last_observed_at, last_read_at, last_checked_at, platform_id,
             payment_categories
        from after_rows
      except
      select id, domain_ref, domain, inferred_geo, last_observed_at, last_read_at, last_checked_at, platform_id,
             payment_categories
        from before_rows
    ) changed
   cross join lateral companies_of_domain(changed.id) link
   order by 2
  on conflict do nothing;
  return null;
end $$;
