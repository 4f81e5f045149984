-- The schema of release 0.1.0. The same file builds the schemas `public` and `demo`, so names are unqualified.
-- database/schema.sql shows the result of all migrations in the order of names (`npm run generate`).

-- --------------------------------------------------------------------------------------------------------
-- Accounts, their keys, and the money.
-- The tables written by every paid request (settlements, ledger_entries, usage_records, idempotency_records) have no
-- foreign keys: each would cost a look-up and a row lock per insertion, and settling has locked the account's balance
-- anyway. `baize verify` checks what a key would have.

create table accounts (
  id bigint generated always as identity primary key,
  account_ref text not null unique,
  import_key text unique,
  name text not null,
  plan text not null check (plan in ('free', 'starter', 'growth', 'internal')),
  created_at timestamptz not null default now()
);
comment on column accounts.import_key is 'The key of an interchange file; null for accounts made by staff.';

create table api_keys (
  id bigint generated always as identity primary key,
  key_ref text not null unique,
  account_id bigint not null references accounts,
  key_sha256 bytea not null unique,
  last_four text not null,
  name text,
  creation_nonce text,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  replaced_at timestamptz,
  last_used_at timestamptz,
  unique (account_id, creation_nonce)
);
comment on column api_keys.expires_at is 'null: never.';
comment on column api_keys.replaced_at is 'When a key was created to take its place; null: it was not.';
comment on column api_keys.last_used_at is 'To the minute; null: never used.';
create index api_keys_of_account on api_keys (account_id);

create table plan_changes (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  plan_before text not null,
  plan_after text not null check (plan_after <> plan_before),
  reason text not null,
  changed_at timestamptz not null
);
comment on table plan_changes is 'Changes of plans by staff, as an audit trail. Never updated.';
comment on column plan_changes.reason is 'As staff gave it.';
create index plan_changes_by_account on plan_changes (account_id, id);

create table account_balances (
  account_id bigint primary key references accounts,
  granted bigint check (granted >= 0),
  used bigint not null default 0 check (used >= 0),
  reserved bigint not null default 0 check (reserved >= 0),
  constraint never_overdrawn check (granted is null or used + reserved <= granted)
) with (fillfactor = 50);
comment on table account_balances is
  'The current figures of an account. Half-empty pages, so that updates are HOT.';
comment on column account_balances.granted is 'null: no quota is enforced (plan internal).';

create table reservations (
  reservation_id uuid primary key,
  account_id bigint not null references accounts,
  credits bigint not null check (credits >= 0),
  purpose text not null,
  leased_until timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table reservations is
  'Credits reserved for work in progress. The owner renews its lease; a sweep releases those of dead '
  'owners.';
create index reservations_by_lease on reservations (leased_until);
create index reservations_of_account on reservations (account_id);

create table settlements (
  settlement_id uuid primary key,
  account_id bigint not null,
  kind text not null,
  credits bigint not null,
  settled_at timestamptz not null
);
comment on table settlements is
  'Applied settlements. The unique id prevents that a batch repeated after a lost connection is charged '
  'again. Purged by age.';

create table ledger_entries (
  entry_id bigint generated always as identity,
  account_id bigint not null,
  settlement_id uuid not null,
  kind text not null,
  price_key text,
  units bigint,
  credits bigint not null,
  request_id text,
  note text,
  recorded_at timestamptz not null,
  primary key (account_id, entry_id, recorded_at)
) partition by range (recorded_at);
comment on column ledger_entries.kind is 'grant (credits are added) or charge (credits are used).';
comment on column ledger_entries.price_key is 'The line of the price list; null for grants.';
create index ledger_entries_by_time on ledger_entries using brin (recorded_at) with (pages_per_range = 16);

create table usage_records (
  usage_id bigint generated always as identity,
  account_id bigint not null,
  key_id bigint,
  requested_at timestamptz not null,
  endpoint text not null,
  status int not null,
  credits bigint not null,
  duration_ms int not null,
  request_params json not null,
  settlement_status text not null,
  source text not null,
  request_id text,
  client_version text,
  mcp_tool_name text,
  connector_session_id text,
  mcp_client_name text,
  mcp_client_version text,
  primary key (account_id, requested_at, usage_id)
) partition by range (requested_at);
comment on table usage_records is 'The records of §2.15.';
comment on column usage_records.key_id is
  'The API key of the request; null: the dashboard sent it.';
comment on column usage_records.settlement_status is
  'settled, replayed, refused or none (nothing to charge).';
-- Pages of usage that was refused or sent by an MCP client do not read a month of records.
create index usage_records_refused on usage_records (account_id, requested_at desc, usage_id desc, status)
  where status >= 400;
create index usage_records_of_mcp on usage_records
  (account_id, mcp_client_name, requested_at desc, usage_id desc)
  where mcp_client_name is not null;

create table idempotency_records (
  account_id bigint not null,
  idempotency_key text not null,
  fingerprint bytea not null,
  settlement_id uuid not null,
  status int not null,
  body text not null,
  credits bigint not null,
  created_at timestamptz not null,
  primary key (account_id, idempotency_key)
);
comment on table idempotency_records is
  'The first answer under a key, byte for byte, for 7 days. The primary key decides which of several '
  'simultaneous requests is charged.';
create index idempotency_records_by_age on idempotency_records (created_at);
-- A suppression rewrites the stored answers that name a person, and finds them by this index.
create index idempotency_records_of_people on idempotency_records (created_at, settlement_id)
  where starts_with(body, '{"success":true') and left(body, 200) like '%"contacts":%';

-- Months of ledger and usage. The default partitions prevent that a charge fails because its month is missing.
create table ledger_entries_default partition of ledger_entries default;
create table usage_records_default partition of usage_records default;

create function ensure_month_partitions(from_month date, months int) returns int
language plpgsql as $$
declare
  parent record;
  month date;
  child text;
  starts timestamptz;
  ends timestamptz;
  made int := 0;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_month_partitions'), hashtext(current_schema()));
  for parent in
    select * from (values ('ledger_entries', 'recorded_at'), ('usage_records', 'requested_at')) as parents (name, moment)
  loop
    for step in 0 .. months - 1 loop
      month := (date_trunc('month', from_month::timestamp) + make_interval(months => step))::date;
      child := parent.name || '_' || to_char(month, 'YYYY_MM');
      continue when to_regclass(child) is not null;
      starts := month::timestamp at time zone 'UTC';
      ends := (month + interval '1 month') at time zone 'UTC';
      execute format('create table %I (like %I including defaults)', child, parent.name);
      -- Rows of the month move from the default partition: PostgreSQL attaches no partition whose rows it contains.
      execute format(
        'with moved as (delete from %I where %I >= %L and %I < %L returning *) insert into %I select * from moved',
        parent.name || '_default', parent.moment, starts, parent.moment, ends, child);
      execute format(
        'alter table %I attach partition %I for values from (%L) to (%L)', parent.name, child, starts, ends);
      made := made + 1;
    end loop;
  end loop;
  return made;
end $$;
comment on function ensure_month_partitions is
  'Creates the missing partitions of these months (UTC); returns how many it created.';

create table ledger_days (
  account_id bigint not null references accounts (id),
  day date not null,
  granted bigint not null,
  used bigint not null,
  primary key (account_id, day)
);
comment on table ledger_days is 'Sums of ledger_entries by day (UTC), for days in summed_ledger_days.';

create table summed_ledger_days (
  day date primary key
);

create table usage_days (
  account_id bigint not null references accounts (id),
  day date not null,
  endpoint text not null,
  -- 0: no key.
  key_id bigint not null,
  requests bigint not null,
  credits bigint not null,
  primary key (account_id, day, endpoint, key_id)
);
comment on table usage_days is 'Sums of usage_records by day (UTC), for days in summed_days.';

create table summed_days (
  day date primary key
);

create table mcp_sessions (
  account_id bigint not null references accounts (id),
  session_id text collate "C" not null,
  spent bigint not null check (spent >= 0),
  last_charged_at timestamptz not null,
  primary key (account_id, session_id)
);
comment on table mcp_sessions is
  'Credits that MCP sessions have spent; written by settling, under the lock of the account. A session '
  'without a charge has no row.';
create index mcp_sessions_by_age on mcp_sessions (last_charged_at);

create table signing_secrets (
  purpose text primary key,
  secret bytea not null,
  created_at timestamptz not null default now()
);
comment on table signing_secrets is 'Secrets that sign e.g. cursors; created at first use.';

-- --------------------------------------------------------------------------------------------------------
-- People of the dashboard: their accounts, their sign-ins, and what they changed.

create table users (
  id bigint generated always as identity primary key,
  user_ref text not null unique,
  email text not null unique check (email = lower(email)),
  name text,
  is_staff boolean not null default false,
  created_at timestamptz not null
);
comment on column users.is_staff is 'Granted and removed by command only.';

create table memberships (
  user_id bigint not null references users (id) on delete cascade,
  account_id bigint not null references accounts (id),
  role text not null check (role in ('owner', 'member', 'billing')),
  created_at timestamptz not null,
  primary key (user_id, account_id)
);
create index memberships_by_account on memberships (account_id, user_id);

create table sessions (
  session_sha256 bytea primary key check (octet_length(session_sha256) = 32),
  user_id bigint not null references users (id) on delete cascade,
  account_id bigint references accounts (id),
  browser text check (char_length(browser) <= 100),
  created_at timestamptz not null,
  proved_at timestamptz not null,
  last_used_at timestamptz not null
);
comment on column sessions.account_id is 'The account that the pages show; null: the first of the user.';
comment on column sessions.browser is
  'The names of browser and system, from the user agent at the sign-in; null: unknown.';
comment on column sessions.proved_at is
  'The last sign-in or passkey. Sensitive changes need one of the last 15 minutes.';
create index sessions_by_user on sessions (user_id);

create table sign_in_links (
  link_sha256 bytea primary key check (octet_length(link_sha256) = 32),
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_by_user on sign_in_links (user_id);

create table passkeys (
  credential_id bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_by_user on passkeys (user_id);

create table passkey_challenges (
  challenge text primary key,
  user_id bigint references users (id) on delete cascade,
  expires_at timestamptz not null
);
comment on column passkey_challenges.user_id is 'Who registers a passkey; null: somebody signs in.';
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

create table audit_events (
  id bigint generated always as identity primary key,
  happened_at timestamptz not null,
  user_id bigint references users (id) on delete set null,
  email text,
  account_id bigint references accounts (id),
  action text not null,
  subject text,
  details jsonb not null default '{}'
);
comment on table audit_events is 'What people changed in the dashboard, and staff by command. Never updated.';
comment on column audit_events.email is 'Of the user at that time; null: a command.';
create index audit_events_by_account on audit_events (account_id, id);

-- --------------------------------------------------------------------------------------------------------
-- Names and numbers as they are compared. An index calls these functions: none may call another of this schema, because
-- an index is built and analysed without our search path.

-- A name of printable ASCII characters is folded without a query: starting one took most of the time.
create function fold_names(names text[])
  returns text[]
  language plpgsql
  immutable
  parallel safe
as $function$
declare
  one_name text;
  one_key text;
  keys text[] := '{}';
begin
  foreach one_name in array coalesce(names, '{}') loop
    if one_name ~ '[^ -~]' then
      -- The whole function as one query: an index may not call another function of this schema.
      return (
        select coalesce(array_agg(distinct folded.name) filter (where folded.name <> ''), '{}')
          from (
            select left(
                     case
                       -- nearly all names end here, for looking each letter up in a list is slow
                       when octet_length(plain.name) = length(plain.name) then plain.name
                       else replace(replace(replace(replace(
                              translate(
                                plain.name,
                                'ØøŁłĐđÐðĦħŦŧıÆŒẞÞŊƁƉƊƏƐƑƔƖƘƆƲƳ'
                                  || 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣςΤΥΦΧΨΩ'
                                  || 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐҒҖҚҜҠҢҮҰҲҶҸҺӘӨ'
                                  || 'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
                                'oollddddhhttiæœßþŋɓɖɗəɛƒɣɩƙɔʋƴ'
                                  || 'αβγδεζηθικλμνξοπρσστυφχψω'
                                  || 'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґғҗқҝҡңүұҳҷҹһәө'
                                  || 'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'
                              ),
                              'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th')
                     end,
                     500
                   ) collate "C" as name
              from (
                select lower(
                         regexp_replace(
                           normalize(listed.name, nfkd),
                           '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u0001-\u0020\u007f-\u009f\u00ad\u1680\u180e\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufe00-\ufe0f\ufeff]+',
                           '', 'g'
                         ) collate "C"
                       ) as name
                  from unnest(names) as listed (name)
                offset 0
              ) plain
          ) folded
      );
    end if;
    one_key := left(lower(replace(one_name, ' ', '') collate "C"), 500);
    if one_key <> '' and one_key <> all (keys) then
      keys := keys || one_key;
    end if;
  end loop;
  if cardinality(keys) < 2 then
    return keys;
  elsif cardinality(keys) = 2 then
    return case when keys[1] < keys[2] collate "C" then keys else array[keys[2], keys[1]] end;
  end if;
  return array(select name from unnest(keys) as name order by name collate "C");
end $function$;
comment on function fold_names is
  'Names without case, accents and blanks. Spellings of one name become equal. Empty names are omitted; '
  'names are cut to the 500 characters that an index can store.';

create function fold_license_number(number text) returns text
  language sql immutable strict parallel safe
  as $$ select upper(regexp_replace(number, '[\s\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+', '', 'g')) $$;
comment on function fold_license_number is
  'A license number without blanks, in capitals. Spellings of one number become equal.';

-- The shape of a version counter is that of src/core/license-number.ts.
create function license_number_key(number text) returns text
  language sql immutable strict parallel safe
  as $$
    select regexp_replace(
             upper(regexp_replace(number, '[\s\u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]+', '', 'g')),
             '^(\d+-[A-Z]+-\d+)-\d+$', '\1')
  $$;
comment on function license_number_key is
  'The folded number without a version counter as the UKGC prints one, for look-ups. Numbers of other '
  'registers that end alike are distinguished afterwards.';

-- --------------------------------------------------------------------------------------------------------
-- Companies, platforms, and domains with their verdicts.

create table companies (
  id bigint generated always as identity primary key,
  company_ref text not null unique,
  company_name text,
  legal_entity text,
  subject_kind text not null
    check (subject_kind in ('legal_entity', 'trade_name', 'platform', 'domain', 'unknown')),
  role text[] not null default '{unknown}',
  country text,
  brands text[] not null default '{}',
  aliases text[] not null default '{}',
  apps jsonb not null default '[]',
  affiliate_program boolean not null default false,
  geo_hints text[] not null default '{}',
  evidence_routes text[] not null default '{}',
  merged_into bigint references companies,
  first_seen_at timestamptz not null default now(),
  last_updated_at timestamptz not null default now(),
  constraint a_role_or_unknown check (role = '{unknown}' or (role <> '{}' and not 'unknown' = any (role)))
);
comment on column companies.legal_entity is 'null unless a source stated one (§2.2).';
comment on column companies.merged_into is 'null: not merged.';
-- Without a pending list (fastupdate), which every look-up would read through, and without statistics of folded names,
-- which are of no use to the planner.
create index companies_by_names on companies
  using gin (fold_names(array[company_name, legal_entity] || brands || aliases)) with (fastupdate = off)
  where merged_into is null;
alter index companies_by_names alter column 1 set statistics 0;

create table company_identities (
  stream text not null,
  identity_key text not null,
  company_id bigint not null references companies,
  known_from timestamptz not null default now(),
  seniority int not null default 0,
  first_seen_at timestamptz not null default now(),
  company_name text,
  legal_entity text,
  subject_kind text not null default 'unknown'
    check (subject_kind in ('legal_entity', 'trade_name', 'platform', 'domain', 'unknown')),
  role text[] not null default '{unknown}',
  country text,
  brands text[] not null default '{}',
  aliases text[] not null default '{}',
  apps jsonb not null default '[]',
  affiliate_program boolean not null default false,
  geo_hints text[] not null default '{}',
  evidence_routes text[] not null default '{}',
  name_key text,
  registration text,
  operator_since timestamptz,
  primary key (stream, identity_key),
  constraint a_role_or_unknown check (role = '{unknown}' or (role <> '{}' and not 'unknown' = any (role)))
);
comment on table company_identities is
  'How a source identifies a Company (account number, key of an interchange file), and its latest data. '
  'Columns of companies are derived from it (features/companies/derive-companies-store.ts).';
comment on column company_identities.seniority is
  'The identity of a Company with the lowest value leads, then the oldest. Identities added by a merge come '
  'last.';
comment on column company_identities.name_key is
  'The folded legal name (core/legal-name.ts). With the country it matches licensees of other registers. '
  'null: no legal name.';
comment on column company_identities.registration is
  '<country or, if unknown, market>:<number without blanks and signs>; null: none is published.';
comment on column company_identities.operator_since is
  'When a snapshot added the role operator; null: none did.';
create index company_identities_of_company on company_identities (company_id);
create index company_identities_by_name on company_identities (name_key, country)
  where name_key is not null and country is not null;
create index company_identities_by_registration on company_identities (registration) where registration is not null;
-- A Company of several identities shows the legal name of the leading one, and is found by each.
create index company_identities_by_legal_entity on company_identities (fold_names(array[legal_entity]))
  where legal_entity is not null;
alter index company_identities_by_legal_entity alter column 1 set statistics 0;

create table company_decisions (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('merge', 'split')),
  company_id bigint not null references companies,
  other_company_id bigint not null references companies,
  identities jsonb not null,
  reason text not null,
  decided_at timestamptz not null
);
comment on table company_decisions is
  'merge: company_id was merged into other_company_id. split: the identities moved from company_id to '
  'other_company_id.';
comment on column company_decisions.identities is '[[stream, identity_key]]: the identities that moved.';

create table platforms (
  id bigint generated always as identity primary key,
  platform_key text not null unique,
  name text not null,
  aliases text[] not null default '{}',
  reviewed_at timestamptz
);
comment on column platforms.reviewed_at is
  'null: no person has reviewed the vendor as a platform, and it is not published.';

create table domains (
  id bigint generated always as identity primary key,
  domain_ref text not null unique,
  domain text collate "C" not null unique,
  inferred_geo text,
  -- The columns below are derived from the open facts, in the transaction that changes them.
  verdict text not null default 'no_record'
    check (verdict in ('licensed', 'blocklisted', 'mixed', 'no_record')),
  licensed_by json not null default '[]',
  blocked_by json not null default '[]',
  mentioned boolean not null default false,
  licensee_company_id bigint references companies,
  first_seen_at timestamptz,
  platform_id bigint references platforms,
  payment_categories text[] not null default '{}',
  last_observed_at timestamptz,
  last_read_at timestamptz,
  last_checked_at timestamptz
);
comment on column domains.domain is 'Canonical registrable domain, ASCII lower case.';
comment on column domains.licensed_by is '§2.7 as it is sent. json preserves the bytes; jsonb would not.';
comment on column domains.mentioned is 'Whether a blocklist names a deeper host or a path of it.';
comment on column domains.licensee_company_id is
  'The Company of the earliest-issued license that counts; null: unknown.';
comment on column domains.first_seen_at is
  'When a register first listed it (open and closed facts); null: never.';
comment on column domains.platform_id is
  'The platform of the latest reading, reviewed or not; null: no reading.';
comment on column domains.payment_categories is 'Categories of the currently observed payment methods.';
comment on column domains.last_observed_at is 'The latest observation of a section; null: none.';
comment on column domains.last_read_at is 'The latest reading of its platform; null: none.';
comment on column domains.last_checked_at is 'The latest completed check of the site; null: none.';
create index domains_by_payment_category on domains using gin (payment_categories) where payment_categories <> '{}';
create index domains_by_platform on domains (platform_id) where platform_id is not null;
create index domains_of_licensee on domains (licensee_company_id) where licensee_company_id is not null;

create table domain_companies (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains,
  company_id bigint not null references companies,
  company_key text,
  relation text not null check (relation in ('licensee', 'brand_owner')),
  brand text,
  stream text not null,
  known_from timestamptz not null,
  known_to timestamptz
);
comment on column domain_companies.company_key is
  'The Company''s key in an interchange file; null: links of registers are derived from authorisations.';
create unique index domain_companies_open on domain_companies (domain_id, company_id, relation, stream)
  where known_to is null;
create index domain_companies_of_company on domain_companies (company_id) where known_to is null;

create table domain_listings (
  verdict text not null,
  geo text not null,
  first_seen_at timestamptz not null,
  domain text collate "C" not null,
  domain_id bigint not null references domains on delete cascade,
  members text not null,
  platform_id bigint,
  listed_since timestamptz,
  primary key (verdict, geo, first_seen_at, domain)
);
comment on table domain_listings is
  'Derived: one row per domain and regulator of its verdict, so that a page of a deep search is one index '
  'range (§4.13).';
comment on column domain_listings.members is
  'The members domain, verdict, licensed_by and blocked_by as they are sent.';
comment on column domain_listings.platform_id is
  'The platform of the domain''s latest reading, reviewed or not.';
comment on column domain_listings.listed_since is
  'Start of the current uninterrupted listing by geo (by any regulator if empty). null: licensed domain.';
create index domain_listings_of_domain on domain_listings (domain_id);
create index domain_listings_newly_listed on domain_listings (verdict, geo, listed_since);

create table domain_counts (
  verdict text not null,
  geo text not null,
  domains bigint not null,
  primary key (verdict, geo)
);
comment on table domain_counts is
  'Derived: number of domains by verdict (geo empty), and by verdict and regulator.';

create table dataset_version (
  version bigint not null
);
comment on table dataset_version is
  'One row, incremented last by each transaction that changes searchable data. Counts cached for a version '
  'stay valid.';
insert into dataset_version (version) values (1);

-- --------------------------------------------------------------------------------------------------------
-- Registers: where they come from, the files that were read, and the snapshots made of them.
-- `dataset_events` is the recorded order of all changes of facts: replayed into an empty schema, it gives the same facts,
-- verdicts and Signals (`baize verify`).

create table kept_files (
  id bigint generated by default as identity primary key,
  sha256 bytea not null unique,
  bytes bigint not null,
  kept_at timestamptz not null default now()
);
comment on table kept_files is
  'Raw files, and normalised rows, named by the digest of their content. Never deleted.';
comment on column kept_files.bytes is 'Uncompressed.';

create table kept_chunks (
  file_id bigint not null references kept_files on delete cascade deferrable initially deferred,
  position int not null,
  packed bytea not null,
  primary key (file_id, position)
);
comment on column kept_chunks.packed is 'A part of one gzip stream, in the order of position.';
-- The content is packed already.
alter table kept_chunks alter column packed set storage external;

create table register_streams (
  stream text primary key,
  market text not null,
  covers text[] not null,
  parser_version int,
  snapshot_number int not null default 0,
  last_taken_at timestamptz,
  last_confirmed_at timestamptz,
  last_run_at timestamptz,
  quarantined_snapshot_id bigint,
  makes_market_entries boolean not null default false,
  regulator text,
  regulator_country_code text,
  official_url text,
  source_claim text,
  qualification text,
  source_identity text,
  cadence_hours int check (cadence_hours > 0),
  watch_url text,
  watch_is_official boolean not null default false,
  watch_found_url text,
  watch_every_minutes int check (watch_every_minutes > 0),
  watch_snapshot_id bigint,
  watch_etag text,
  watch_last_modified text,
  watched_at timestamptz,
  watch_failures int not null default 0
);
comment on table register_streams is
  'The streams that have been synced, and import. Streams are defined in code.';
comment on column register_streams.snapshot_number is
  'The number of the snapshot in use; 0: none yet, or all were discarded.';
comment on column register_streams.last_taken_at is
  'When the last applied or confirmed snapshot was taken; null: none yet.';
comment on column register_streams.last_confirmed_at is
  'When the source last confirmed the open rows, which derive their last_confirmed_at from it.';
comment on column register_streams.quarantined_snapshot_id is
  'The quarantined snapshot that awaits approval; null: none.';
comment on column register_streams.makes_market_entries is
  'Whether its records can contain an operator''s license: only then is it a source of market entries '
  '(§4.1).';
comment on column register_streams.regulator is
  'This and the columns up to cadence_hours describe the source in its Signals (§4.1, §4.3). Written at '
  'each sync. null: not a register (import).';
comment on column register_streams.cadence_hours is
  'How often the source publishes; it is stale after three times that.';
comment on column register_streams.watch_url is
  'The addresses of the snapshot''s files, one a line; null: not fetched automatically.';
comment on column register_streams.watch_is_official is
  'Whether the files are found from the official address at each fetch; watch_url is then that address.';
comment on column register_streams.watch_found_url is
  'The addresses of the files fetched last, one a line; watch_etag and watch_last_modified belong to them. '
  'null: none yet.';
comment on column register_streams.watch_snapshot_id is
  'The last snapshot that fetched files created or confirmed. Its validators are sent only while it is the '
  'last applied one.';
comment on column register_streams.watch_etag is
  'The ETag of each file of watch_snapshot_id, one line for each watch_url, empty without one.';
comment on column register_streams.watch_last_modified is 'Last-Modified, as watch_etag.';
comment on column register_streams.watched_at is
  'When the source was last fetched; null: not since it is watched.';
comment on column register_streams.watch_failures is 'Consecutive fetches without a usable result.';

create table register_snapshots (
  id bigint generated always as identity primary key,
  snapshot_ref text not null unique,
  stream text not null references register_streams,
  number int,
  status text not null default 'applied' check (status in ('applied', 'held', 'superseded', 'discarded')),
  taken_at timestamptz not null,
  received_at timestamptz not null default now(),
  applied_at timestamptz,
  is_correction boolean not null default false,
  is_backfill boolean not null default false,
  content_sha256 bytea not null,
  files jsonb not null,
  form text not null check (form in ('official', 'mirror')),
  parser_version int not null,
  rows_sha256 bytea not null references kept_files (sha256),
  rows int not null,
  rejected int not null,
  rejected_by_reason jsonb not null,
  rejects jsonb not null,
  undecided integer not null,
  figures jsonb not null,
  added int not null,
  removed int not null,
  changed int not null,
  signals int not null default 0,
  hold_reasons text[] not null default '{}',
  difference jsonb,
  difference_sha256 bytea references kept_files (sha256),
  approved_at timestamptz,
  approved_because text,
  discarded_at timestamptz,
  discarded_because text,
  unique (stream, number),
  constraint approvals_have_a_reason check ((approved_at is null) = (approved_because is null)),
  constraint discards_have_a_reason check (
    (status = 'discarded') = (discarded_at is not null) and (discarded_at is null) = (discarded_because is null)
  ),
  constraint applied_snapshots_are_numbered check (
    case status
      when 'applied' then number is not null
      when 'discarded' then (number is null) = (applied_at is null)
      else number is null
    end)
);
comment on column register_snapshots.number is
  'Numbers the applied snapshots of a stream, discarded ones included; null: never applied.';
comment on column register_snapshots.is_correction is
  'The previous snapshot''s files, read by a newer parser: corrects data without creating Signals.';
comment on column register_snapshots.is_backfill is
  'Read from a folder of older files; its Signals are marked and free of charge.';
comment on column register_snapshots.files is '[{name, sha256, bytes}]: the raw files, in kept_files.';
comment on column register_snapshots.form is
  'Whether the files were read in the regulator''s own form or in that of a mirror.';
comment on column register_snapshots.rows_sha256 is 'The normalised rows as NDJSON, in kept_files.';
comment on column register_snapshots.rejects is
  'Examples of rejected rows, some per reason: [{line, published, reason}].';
comment on column register_snapshots.undecided is
  'Rows that the source has not decided; not among the rejected.';
comment on column register_snapshots.figures is 'The figures that the guard compares with the next snapshot.';
comment on column register_snapshots.hold_reasons is 'Why it was quarantined; retained after approval.';
comment on column register_snapshots.difference is
  'Examples of what it would change: [{kind, change, name, fields: [{name, before, after}]}]; null: never '
  'quarantined.';
comment on column register_snapshots.difference_sha256 is
  'All that a quarantined snapshot would change, as NDJSON in kept_files; null: never quarantined.';
comment on column register_snapshots.discarded_at is 'When an operator took it back; null: it was not.';

alter table register_streams
  add foreign key (quarantined_snapshot_id) references register_snapshots,
  add foreign key (watch_snapshot_id) references register_snapshots;

create table register_runs (
  id bigint generated always as identity primary key,
  stream text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  status text not null check (status in ('applied', 'unchanged', 'held', 'refused', 'discarded')),
  snapshot_id bigint references register_snapshots,
  reasons text[] not null default '{}'
);
create index register_runs_of_stream on register_runs (stream, id);

create table snapshot_decisions (
  id bigint generated always as identity primary key,
  snapshot_ref text not null,
  decision text not null check (decision in ('approve', 'discard')),
  reason text not null,
  email text not null,
  requested_at timestamptz not null,
  finished_at timestamptz,
  failure text
);
comment on column snapshot_decisions.failure is 'Why it was refused; null: it was not, or is not finished.';
create unique index snapshot_decisions_open on snapshot_decisions (snapshot_ref) where finished_at is null;

create table described_registers (
  stream text primary key,
  description text not null,
  described_at timestamptz not null default now()
);
comment on table described_registers is 'Registers described by an operator in a file (docs/registers.md).';

create table register_facts (
  stream text collate "C" primary key,
  market text not null,
  kind text not null check (kind in ('register', 'blocklist', 'register_and_blocklist')),
  official_url text not null,
  resolve text,
  format text not null,
  language text not null,
  layout text not null check (layout in ('recorded', 'described')),
  layout_recorded_at date,
  publishes text[] not null,
  cadence_words text not null,
  cadence_hours integer not null,
  terms text,
  sources jsonb not null
);
comment on table register_facts is
  'The facts of the known streams, for the coverage: copied from the code and from descriptions at each '
  'start.';
comment on column register_facts.resolve is 'How the file is found; null: its address is not known.';
comment on column register_facts.layout is
  'recorded: read from a file of the regulator; described: known from documents or public code alone.';
comment on column register_facts.sources is 'Where these facts come from, in words.';

create table register_probes (
  stream text collate "C" primary key,
  probed_at timestamptz not null,
  is_well boolean not null,
  reasons text[] not null,
  changes text[] not null,
  found_url text,
  media_type text,
  rows integer,
  newest_date date,
  is_nightly boolean not null default false
);
comment on table register_probes is
  'The last look at the official address of a stream, by a probe or by a fetch that began there.';
comment on column register_probes.reasons is 'Why it is not well; empty if it is.';
comment on column register_probes.changes is
  'What differs from the recorded layout and from the probe before.';
comment on column register_probes.rows is 'Rows of the file; null: it was not read.';
comment on column register_probes.is_nightly is
  'Whether the worker probes it each night while it is not watched: since an operator probed it, until '
  '"unwatch".';

create table coverage_days (
  day date not null,
  market text not null,
  state text not null,
  rows bigint not null,
  primary key (day, market)
);
comment on table coverage_days is 'Markets with a stream only: others were not covered.';

create table dataset_events (
  number bigint primary key,
  kind text not null,
  at timestamptz not null,
  snapshot_id bigint references register_snapshots,
  detail jsonb not null default '{}',
  check (kind in ('snapshot', 'confirmation', 'import', 'review', 'merge', 'split', 'discard', 'check'))
);
comment on table dataset_events is 'Changes of facts, numbered under the lock of their writers: their order.';
comment on column dataset_events.at is 'The `now` of the change, from which its rows are known.';

-- --------------------------------------------------------------------------------------------------------
-- The facts that registers publish. They are closed, never overwritten: a row is open while known_to is null, and today's
-- answers read the open rows through partial indexes. Every fact carries the stream that owns it; a sync closes rows of its
-- own stream only. Facts of interchange files belong to the stream `import`.

create table licensee_states (
  id bigint generated always as identity primary key,
  stream text not null,
  record_key text not null,
  legal_name text not null,
  trading_names text[] not null,
  country text,
  registration_number text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz,
  known_from timestamptz not null,
  known_to timestamptz
);
comment on table licensee_states is
  'What a register states of its licensees. company_identities assigns them to Companies.';
comment on column licensee_states.last_seen_at is 'null: the stream''s last confirmation applies.';
create unique index licensee_states_open on licensee_states (stream, record_key) where known_to is null;
create index licensee_states_of_record on licensee_states (stream, record_key);

create table licenses (
  id bigint generated always as identity primary key,
  license_ref text not null unique,
  stream text not null,
  record_key text not null,
  jurisdiction text not null,
  company_id bigint references companies,
  company_key text,
  first_seen_at timestamptz not null,
  unique (stream, record_key)
);
comment on table licenses is 'The constant part of a license. license_states has the data of registers.';
comment on column licenses.record_key is 'The number without its changing part (UKGC: the version counter).';
comment on column licenses.company_key is
  'The Company''s key in an interchange file; null: none, or the license is from a register.';
create index licenses_of_company on licenses (company_id);

create table license_states (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses,
  license_number text,
  status text,
  license_type text,
  role text,
  licensee_key text,
  issued_at date,
  expires_at date,
  source_url text,
  last_seen_at timestamptz,
  known_from timestamptz not null,
  known_to timestamptz
);
comment on column license_states.status is 'As published, normalised; null: the source publishes none.';
comment on column license_states.role is
  'operator or supplier, as the register lists the licensee; null: not stated.';
comment on column license_states.licensee_key is
  'The record key of the licensee in the same register; null: imported.';
comment on column license_states.last_seen_at is 'null: the stream''s last confirmation applies.';
create unique index license_states_open on license_states (license_id) where known_to is null;
create index license_states_of_licensee on license_states (licensee_key)
  where known_to is null and licensee_key is not null;
-- Of open and closed rows: a license that left its register is still found by the number that it had.
create index license_states_by_number_key on license_states (license_number_key(license_number));
-- The last state of a license that left its register.
create index license_states_past on license_states (license_id, known_from, id) where known_to is not null;

create table authorisations (
  id bigint generated always as identity primary key,
  stream text not null,
  record_key text not null,
  domain_id bigint not null references domains,
  market text not null,
  license_id bigint references licenses,
  company_id bigint references companies,
  licensee_key text,
  published text not null,
  status text,
  counts boolean not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz,
  known_from timestamptz not null,
  known_to timestamptz
);
comment on table authorisations is 'Authorised domains: listed for a license, an account, or by themselves.';
comment on column authorisations.license_id is 'null: the source names no license.';
comment on column authorisations.licensee_key is
  'The record key of the licensee; null: the register names none, or the row was imported.';
comment on column authorisations.counts is
  'Whether it licenses the domain, apart from the status of its license.';
comment on column authorisations.last_seen_at is 'null: the stream''s last confirmation applies.';
create unique index authorisations_open on authorisations (stream, record_key) where known_to is null;
create index authorisations_of_domain on authorisations (domain_id);
create index authorisations_of_license on authorisations (license_id) where license_id is not null;
create index authorisations_of_company on authorisations (company_id) where company_id is not null;
create index authorisations_of_licensee on authorisations (stream, licensee_key)
  where known_to is null and licensee_key is not null;

create table blocklist_entries (
  id bigint generated always as identity primary key,
  stream text not null,
  record_key text not null,
  regulator text not null,
  scope text not null,
  scope_rules integer not null,
  published text not null,
  listed_as text collate "C",
  domain_id bigint references domains,
  listed boolean not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz,
  listed_at timestamptz,
  delisted_at timestamptz,
  missing_at timestamptz,
  withdrawn boolean not null default false,
  known_from timestamptz not null,
  known_to timestamptz,
  check (scope in ('domain', 'host', 'path', 'shared_host', 'app', 'payment_account'))
);
comment on column blocklist_entries.scope is
  'Only the scope domain affects a verdict; the others are evidence.';
comment on column blocklist_entries.scope_rules is 'Version of the rules that judged the scope.';
comment on column blocklist_entries.listed_as is
  'Canonical host and path; null for apps and payment accounts.';
comment on column blocklist_entries.domain_id is 'null for apps, payment accounts and pages on shared hosts.';
comment on column blocklist_entries.listed is 'false: no longer listed.';
comment on column blocklist_entries.last_seen_at is
  'null: the stream''s last confirmation applies; set when the entry is no longer listed.';
comment on column blocklist_entries.listed_at is 'The date in the register; null: it gives none.';
comment on column blocklist_entries.missing_at is
  'The first snapshot without it; null: it is listed, its deletion is dated, or no snapshot listed it.';
comment on column blocklist_entries.withdrawn is
  'A misprint of one snapshot that the next one corrected: no fact follows from it.';
create unique index blocklist_entries_open on blocklist_entries (stream, record_key) where known_to is null;
create index blocklist_entries_of_domain on blocklist_entries (domain_id) where domain_id is not null;
create index blocklist_entries_newly_listed on blocklist_entries (first_seen_at, regulator)
  where known_to is null and scope = 'domain';
create index blocklist_entries_dropped on blocklist_entries (last_seen_at, regulator)
  where known_to is null and scope = 'domain' and not listed;
create index blocklist_entries_by_scope_rules on blocklist_entries (scope_rules);
create index blocklist_entries_on_shared_hosts on blocklist_entries (lower(listed_as))
  where known_to is null and listed and scope = 'shared_host';
create index blocklist_entries_mentions on blocklist_entries (domain_id)
  where known_to is null and listed and scope in ('host', 'path');

-- These two functions define which domains are a Company's today: those that a source links to it, those that a register
-- lists for it, and those of its licenses. A pair can occur several times. PostgreSQL inlines them into queries; `offset 0`
-- keeps their look-ups on indexes whatever the planner estimates.
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
     -- a source that names only the license names its holder by that
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

-- --------------------------------------------------------------------------------------------------------
-- Signals: numbered changes.

create table signals (
  number bigint primary key,
  signal_ref text not null unique,
  type text not null check (type in ('register_change', 'platform_new_site')),
  stream text,
  market text,
  event_type text not null,
  record_kind text,
  record_key text,
  is_market_entry boolean not null default false,
  platform_id bigint references platforms,
  domain_id bigint references domains,
  company_id bigint references companies,
  license_id bigint references licenses,
  published_legal_name text,
  former_legal_name text,
  headline text not null,
  content jsonb not null,
  occurred_at timestamptz not null,
  detected_at timestamptz not null,
  last_corrected_at timestamptz,
  snapshot_id bigint references register_snapshots,
  correction_of text references signals (signal_ref),
  is_backfill boolean not null default false,
  check ((type = 'register_change') = (stream is not null and market is not null and platform_id is null)),
  check ((type = 'platform_new_site') = (platform_id is not null and domain_id is not null)),
  constraint market_entries_name_their_license check (
    not is_market_entry
    or (record_kind = 'license' and company_id is not null and license_id is not null and published_legal_name is not null)
  )
);
comment on table signals is
  'Numbered from 1 without gaps in the order of commits (signal_sequence). Changed by recorded corrections '
  'only, never deleted: a cursor is a number and stays valid.';
comment on column signals.event_type is
  'The change as named in §6; for platform sites platform_first_observed.';
comment on column signals.record_kind is
  'license, licensee, authorisation, blocklist_entry; null for platform sites.';
comment on column signals.is_market_entry is 'In both feeds: a new license of an operator (§4.1).';
comment on column signals.former_legal_name is
  'The published legal name before the change; null: the same, or none.';
comment on column signals.content is
  'The published content, immutable: the license, its authorised domains, the changes; see '
  'features/signals/draft.ts.';
comment on column signals.correction_of is
  'The signal_ref that this Signal takes back, free of charge: its snapshot was discarded. null: none.';
comment on column signals.is_backfill is
  'Of a snapshot that was read as history: marked, and free of charge.';
-- A page merges the ranges of its streams, and filters days in the index alone: 2 ms instead of 5 for a day among ten
-- million Signals.
create index signals_of_stream on signals (stream, event_type, number) include (occurred_at) where stream is not null;
create index signals_of_name on signals (market, published_legal_name, number) where published_legal_name is not null;
create index signals_market_entries on signals (market, number) include (occurred_at) where is_market_entry;
create index signals_of_platform on signals (platform_id, number) include (occurred_at) where platform_id is not null;
create index signals_of_record on signals (stream, record_kind, record_key) where stream is not null;
create unique index signals_of_site on signals (platform_id, domain_id) where platform_id is not null;
create index signals_of_former_name on signals (market, former_legal_name, number) where former_legal_name is not null;
create unique index signals_of_correction on signals (correction_of) where correction_of is not null;

create table signal_sequence (
  last_number bigint not null
);
comment on table signal_sequence is
  'One row. A transaction that numbers Signals updates it last, and so locks it until the commit.';
insert into signal_sequence (last_number) values (0);

create table signal_counts (
  feed text not null check (feed in ('register_changes', 'market_entries', 'platform_sites')),
  market text not null,
  stream text not null,
  event_type text not null,
  platform_id bigint not null,
  day date not null,
  signals bigint not null,
  first_number bigint not null,
  last_number bigint not null,
  primary key (feed, market, stream, event_type, platform_id, day)
);
comment on table signal_counts is
  'Derived: Signals of a feed by kind and day of occurrence (UTC), with their first and last number. '
  'Register feeds have platform 0; the platform feed has empty market and stream.';
create index signal_counts_of_platform on signal_counts (platform_id, day) where feed = 'platform_sites';

create table signal_months (
  feed text not null check (feed in ('register_changes', 'market_entries', 'platform_sites')),
  market text not null,
  stream text not null,
  event_type text not null,
  platform_id bigint not null,
  month date not null check (extract(day from month) = 1),
  signals bigint not null,
  first_number bigint not null,
  last_number bigint not null,
  primary key (feed, market, stream, event_type, platform_id, month)
);
comment on table signal_months is 'Derived: signal_counts by month (UTC).';
create index signal_months_of_platform on signal_months (platform_id, month) where feed = 'platform_sites';

create table signal_totals (
  feed text not null check (feed in ('register_changes', 'market_entries', 'platform_sites')),
  market text not null,
  stream text not null,
  event_type text not null,
  platform_id bigint not null,
  signals bigint not null,
  first_number bigint not null,
  last_number bigint not null,
  primary key (feed, market, stream, event_type, platform_id)
);
comment on table signal_totals is
  'Derived: signal_counts without days, so that pages without dates need not sum them.';

-- --------------------------------------------------------------------------------------------------------
-- Checks of sites (contract section 15), and what was observed of a domain.

create table site_checks (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains,
  state text not null check (state in ('queued', 'running', 'completed', 'failed')),
  reason text,
  asked_by text not null,
  account_id bigint references accounts,
  key_id bigint,
  reservation_id uuid,
  idempotency_key text,
  request_id text,
  client json,
  requested_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  attempts int not null default 0,
  was_licensed boolean,
  reading_id bigint,
  credits_charged bigint,
  check ((state in ('completed', 'failed')) = (finished_at is not null)),
  check (asked_by in ('request', 'enrichment', 'refresh', 'staff', 'firmographics'))
);
comment on table site_checks is 'Checks of sites. At most one of a domain is queued or running.';
comment on column site_checks.reason is 'Why it failed; null: it did not.';
comment on column site_checks.account_id is
  'The account that pays; null: a background refresh, staff, or a refresh of firmographics.';
comment on column site_checks.key_id is 'As of usage_records; null, too: no request asked for it.';
comment on column site_checks.reservation_id is
  'Of `account_id`; released or settled when the check finishes.';
comment on column site_checks.idempotency_key is
  'Of the request that started it: its retry takes this check.';
comment on column site_checks.request_id is
  'Of the request that started it, for the ledger and the usage record.';
comment on column site_checks.attempts is 'How often a worker has claimed it.';
comment on column site_checks.was_licensed is
  'The site had exactly one operator context then; null: not read yet.';
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
comment on table site_captures is
  'What checks received. Private (§2.10), deleted after CAPTURE_RETENTION_DAYS.';
comment on column site_captures.facts is 'Failure, redirect chain and certificate.';
comment on column site_captures.body_hash is
  'SHA-256 of the unpacked body, which names its file; null: no body.';
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
comment on table imported_observations is
  'What imports say. `observations` is derived from these and from findings.';

create table observations (
  domain_id bigint not null references domains,
  -- One of src/features/observed-sections.ts.
  section text not null,
  value_key text not null,
  value jsonb not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  last_confirmed_at timestamptz,
  primary key (domain_id, section, value_key)
);
comment on table observations is
  'One window per value: derived from imported_observations and the findings in force of site_findings.';
comment on column observations.value_key is
  'Identifies a value within its section: a name, URL or domain; constant for geo.';
comment on column observations.value is 'The fields of the section as in §2.9, without the dates.';
-- Exports filter by current observations: for a rare supplier or place, only its observations are read.
create index observations_by_supplier on observations (lower(value ->> 'normalized_provider_name'), domain_id)
  where section = 'supplier_brands';
create index observations_by_place on observations using gin ((lower((value -> 'geo_hints')::text)::jsonb))
  where section = 'geo';

create table platform_readings (
  domain_id bigint not null references domains,
  seen_at timestamptz not null,
  platform_id bigint not null references platforms,
  stream text not null,
  primary key (domain_id, seen_at, platform_id)
);
comment on column platform_readings.seen_at is 'When the page was seen, not when the row was written.';
create index platform_readings_of_platform on platform_readings (platform_id, seen_at);

create table firmographics (
  domain_id bigint primary key references domains,
  fetched_at timestamptz not null,
  data jsonb not null,
  stream text not null
);
comment on table firmographics is
  'The latest complete result for a domain (§2.5): data about the organisation of the site. A failed '
  'attempt changes nothing.';
comment on column firmographics.fetched_at is 'When the source was queried, not when the row was written.';
comment on column firmographics.data is
  'All data fields of §2.5 by name; null where the source has no value.';

create table outbound_turns (
  host text collate "C" primary key,
  next_at timestamptz not null
);
comment on table outbound_turns is
  'The place in the line for requests to a host, across processes. Rows whose time is past are deleted.';
comment on column outbound_turns.next_at is 'When the next request may be sent.';
create index outbound_turns_by_time on outbound_turns (next_at);

-- --------------------------------------------------------------------------------------------------------
-- People: decision-makers of Companies, and who must not be stored (§4.7, contract section 8).

create table contacts (
  id bigint generated always as identity primary key,
  contact_ref text not null unique,
  company_id bigint not null references companies,
  company_key text,
  name text not null,
  name_key text collate "C" not null,
  title text,
  headline text,
  email text,
  linkedin_url text,
  profile_key text collate "C",
  country text,
  source text not null,
  source_url text,
  collected_at timestamptz not null,
  last_verified_at timestamptz
);
comment on table contacts is
  'People of Companies. Personal data: stored here and in answers of the last 7 days, in no history and no '
  'raw file. Suppressions delete it.';
comment on column contacts.company_id is 'The Company of the person. Merges and splits update it.';
comment on column contacts.company_key is
  'The Company''s key in an interchange file; null: the source identified the Company itself.';
comment on column contacts.name_key is
  'The folded words of the name, sorted: identifies people without a profile.';
comment on column contacts.title is 'The job title; null: unknown, and the headline is used.';
comment on column contacts.headline is 'The person''s own headline on the profile; null: unknown.';
comment on column contacts.email is 'null: unknown. People without email and profile are not delivered.';
comment on column contacts.linkedin_url is 'The professional profile; null: unknown.';
comment on column contacts.profile_key is 'The normalised profile; null exactly when linkedin_url is.';
comment on column contacts.source is 'The source of the person''s data.';
comment on column contacts.last_verified_at is 'null: not verified since collection.';
create unique index contacts_by_profile on contacts (company_key, profile_key) where profile_key is not null;
create unique index contacts_by_name on contacts (company_key, name_key) where profile_key is null;
create index contacts_of_company on contacts (company_id);
-- The words from which roles are read (§2.17, coverage) are counted in the order of this index, some thousand at a time.
create index contacts_by_words on contacts ((title is null), (coalesce(title, headline)) collate "C")
  where (email is not null or linkedin_url is not null) and coalesce(title, headline) is not null;

create table suppression_decisions (
  id bigint generated always as identity primary key,
  reason text not null,
  decided_at timestamptz not null,
  contacts int not null,
  stored_answers int not null,
  listed_contacts int not null
);
comment on table suppression_decisions is 'Suppressions with their reason and effect. Without names.';
comment on column suppression_decisions.stored_answers is
  'Answers stored under an Idempotency-Key that named the person.';
comment on column suppression_decisions.listed_contacts is 'Contacts removed from stored prospect lists.';

create table suppressions (
  id bigint generated always as identity primary key,
  decision_id bigint not null references suppression_decisions,
  handle text not null check (handle in ('email', 'profile', 'name')),
  company_id bigint references companies,
  digest bytea not null,
  unique nulls not distinct (digest, handle, company_id),
  check ((handle = 'name') = (company_id is not null))
);
comment on table suppressions is
  'People who must not be stored or delivered: keyed hashes that cannot be reversed (docs/people.md).';
comment on column suppressions.company_id is
  'A name is suppressed at one Company, and at the Companies it is merged into or split off to; null: an '
  'address or profile, everywhere.';
comment on column suppressions.digest is
  'HMAC-SHA-256 of the normalised handle, keyed by the signing secret `suppression`.';
create index suppressions_of_company on suppressions (company_id) where company_id is not null;

-- --------------------------------------------------------------------------------------------------------
-- Logos (§2.12, §4.14): subjects, their names, and their images.
-- Triggers record what changed, so that no writer can forget it; the transaction that changed it updates the subjects before
-- it ends (src/features/logos/keep-subjects.ts), because names are folded in Node.

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
comment on table logo_subjects is 'Everything that may have a logo, with or without one.';
comment on column logo_subjects.slug is
  'From the first name, or as stated in a file. Stable when the name changes; images are addressed by it.';
comment on column logo_subjects.name is 'The stated name, or else the first of logo_names.';
comment on column logo_subjects.name_folded is
  'The folded words of the name, for fragment matches and for ordering.';
comment on column logo_subjects.name_joined is
  'The folded name without blanks, for prefix matches: luckyotter finds Lucky Otter.';
comment on column logo_subjects.stated_name is
  'The name in an interchange file; null: none, and the subject is removed with its last name.';
comment on column logo_subjects.domain_id is
  'The domain that a file states; null: none; links to Companies apply.';
comment on column logo_subjects.role is 'As stated in a file; empty: derived from its Companies.';
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
comment on table logo_names is
  'Derived: names of subjects from Companies and sites. Names stated in files are in logo_subjects.';
comment on column logo_names.company_id is 'The Company with this name or brand; null: observed on a site.';
comment on column logo_names.subject_id is 'null: added in this transaction, and not assigned yet.';
-- By digest, because a register prints names that are too long for an index.
create unique index logo_names_once on logo_names (company_id, kind, md5(name)) nulls not distinct;
create unique index logo_names_of_company on logo_names (company_id) where kind = 'company';
create index logo_names_of_subject on logo_names (subject_id);
create index logo_names_unplaced on logo_names (id) where subject_id is null;

create table logo_stale_companies (
  company_id bigint primary key
);
comment on table logo_stale_companies is
  'Companies whose names or brands changed in this transaction; empty between transactions.';

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
comment on table logos is 'Current and former images of subjects. Never deleted.';
comment on column logos.width is 'In pixels; null: the drawing has no intrinsic size.';
comment on column logos.file_name is
  'The file below LOGO_URL, named by the SHA-256 of its content. Served while one of its rows is current or '
  'superseded.';
comment on column logos.superseded_at is 'The end of its time as current; null: current, or rejected before.';
comment on column logos.reason is
  'Why it was withdrawn by a person; null: not withdrawn, or withdrawn by an interchange file.';
create unique index logos_current on logos (subject_id, variant, theme, format) where status = 'current';
create index logos_of_file on logos (file_name);

create function note_logo_companies_made() returns trigger language plpgsql as $$
begin
  insert into logo_stale_companies (company_id)
  select id from came where company_name is not null or legal_entity is not null or brands <> '{}' order by id
  on conflict do nothing;
  return null;
end $$;
create trigger logo_companies_made after insert on companies
  referencing new table as came for each statement execute function note_logo_companies_made();

-- Old and new rows are compared without a join, whose plan would be that of the first, small statement of a connection.
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
create trigger logo_companies_changed after update on companies
  referencing old table as gone new table as came for each statement execute function note_logo_companies_changed();

create function note_logo_brands_linked() returns trigger language plpgsql as $$
begin
  insert into logo_stale_companies (company_id)
  select distinct company_id from came where brand is not null and known_to is null order by company_id
  on conflict do nothing;
  return null;
end $$;
create trigger logo_brands_linked after insert on domain_companies
  referencing new table as came for each statement execute function note_logo_brands_linked();

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
create trigger logo_brands_relinked after update on domain_companies
  referencing old table as gone new table as came for each statement execute function note_logo_brands_relinked();

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
create trigger logo_names_seen after insert on observations
  referencing new table as came for each statement execute function note_logo_names_seen();

-- --------------------------------------------------------------------------------------------------------
-- Company and license search (§4.4, §4.5, §4.10, §4.11): one row per unmerged Company and per license in a register, kept
-- in the transaction that changes its data. Rows are derived in Node (features/search/) and checked by `baize verify`.

create sequence search_facet_changes;

create table search_terms (
  id int generated always as identity primary key,
  subject text not null check (subject in ('company', 'license')),
  field text not null,
  value text collate "C" not null,
  rows bigint not null default 0,
  unique (subject, field, value)
);
comment on table search_terms is
  'The dictionary of exact filters: a search row has the ids of its terms. Derived, except for the ids, '
  'which are stable.';
comment on column search_terms.field is
  'The filter''s name; with "as spelt", the values that facets count of a folded filter. Empty: the term of '
  'every row, which rows do not list.';
comment on column search_terms.value is
  'Folded for fields without case and accents (geo, license_type, payment_method, platform, '
  'supplier_brand).';
comment on column search_terms.rows is
  'Number of search rows with this term, for totals of one filter and facets without filters. 0: none any '
  'more.';

create table company_search (
  id bigint primary key references companies,
  ref text collate "C" not null,
  missing int not null check (missing between 0 and 1000),
  sort_name text collate "C" not null,
  document tsvector not null,
  terms int[] not null,
  facets int[] not null,
  hit json not null,
  names text not null,
  sites text not null,
  facets_change bigint not null default nextval('search_facet_changes')
);
comment on table company_search is 'Derived: search rows of unmerged Companies, with the hit to show (§2.6).';
comment on column company_search.missing is
  '1 - data_completeness in thousandths. The first key of the order of searches without text.';
comment on column company_search.sort_name is 'The folded name; empty: none.';
comment on column company_search.document is
  'Words of names and domains. Prefixes: = a whole name as spelt, ~ one without blanks and legal form, * '
  'each word of a legal form. Weights A to D are names, brands, aliases, domains.';
comment on column company_search.terms is 'Ids of search_terms.';
comment on column company_search.facets is 'The terms that facets count.';
comment on column company_search.hit is
  'The row as it is sent, apart from what depends on the query. json preserves its bytes.';
comment on column company_search.names is
  'The searchable names as a JSON list: company name, legal entity, brands, aliases.';
comment on column company_search.sites is 'The domains whose words the document contains, as a JSON list.';
comment on column company_search.facets_change is
  'Number of the latest change of facets. Writers have a lock until they commit, so that the order of '
  'numbers is that of commits.';
create index company_search_by_document on company_search using gin (document, terms);
create index company_search_in_order on company_search (missing, sort_name, ref);
create index company_search_by_facets_change on company_search (facets_change);

create table license_search (
  id bigint primary key references licenses,
  ref text collate "C" not null,
  missing int not null check (missing between 0 and 1000),
  sort_name text collate "C" not null,
  document tsvector not null,
  terms int[] not null,
  facets int[] not null,
  hit json not null,
  names text not null,
  sites text not null,
  facets_change bigint not null default nextval('search_facet_changes')
);
comment on table license_search is
  'Derived: search rows of the current licenses of each source. Columns as in company_search.';
comment on column license_search.document is
  'Words of the number, the holder''s names, the type and the jurisdiction, with weights A to D. Prefixes: '
  '# the whole number, % a UKGC number without its version counter.';
comment on column license_search.names is
  'The searchable names as a JSON list: license number, company name, legal entity, jurisdiction, type.';
comment on column license_search.sites is 'Empty: licenses cannot be found by words of domains.';
create index license_search_by_document on license_search using gin (document, terms);
create index license_search_in_order on license_search (missing, sort_name, ref);
create index license_search_by_facets_change on license_search (facets_change);

create table search_words (
  subject text not null check (subject in ('company', 'license')),
  word text collate "C" not null,
  primary key (subject, word)
);
comment on table search_words is
  'All present and former words of the documents; unknown words are compared with them.';
-- Words that differ by one or two letters begin or end alike, and are nearly as long.
create index search_words_by_beginning on search_words (subject, char_length(word), word);
create index search_words_by_end on search_words (subject, char_length(word), (reverse(word) collate "C"));
create index search_words_by_part on search_words using gin (word gin_trgm_ops);

create table search_stale (
  subject text not null check (subject in ('company', 'license')),
  id bigint not null,
  primary key (subject, id)
);
comment on table search_stale is
  'Companies and licenses whose search row is outdated. Triggers add them, and the same transaction removes '
  'them. Empty in every committed state.';

-- A trigger, so that no writer can forget it.
create function number_facet_change() returns trigger language plpgsql as $function$
begin
  new.facets_change := nextval('search_facet_changes');
  return new;
end $function$;
create trigger facets_of_changed_companies before update of facets on company_search
  for each row when (old.facets <> new.facets) execute function number_facet_change();
create trigger facets_of_changed_licenses before update of facets on license_search
  for each row when (old.facets <> new.facets) execute function number_facet_change();

-- Only the demo world and tests truncate search rows; their counts must go with them.
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

-- These triggers add the rows that a change made outdated to search_stale. They are triggers of statements, so that a sync
-- of a million rows pays once. Old and new rows are compared without a join, whose plan would be that of the first, small
-- statement of a connection. Other rows are found by index in laterals that the planner cannot reorder (`offset 0`): as
-- joins on tables that were empty a moment ago, 30,000 domains took 6 s instead of 0.1.
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

-- A later last_seen_at alone changes no search row.
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

-- A source that names only the license names its holder by that.
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

-- Search rows show the latest of three times: observed, read, checked.
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

-- Only updates matter: a new platform runs no domain yet.
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

-- Search rows depend on whether there is a result, not on its data.
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

-- Search rows depend on whether a person can be delivered, not on who it is.
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

-- --------------------------------------------------------------------------------------------------------
-- Exports (§4.17 to §4.19) and prospect lists (§2.13, §4.15).

create table exports (
  id bigint primary key generated by default as identity,
  account_id bigint not null references accounts,
  key_id bigint,
  state text not null check (state in ('queued', 'running', 'completed', 'expired', 'failed')),
  format text not null check (format in ('csv', 'json')),
  filters jsonb not null,
  fields text[] not null,
  max_rows int check (max_rows >= 1),
  quoted_rows int not null check (quoted_rows >= 0),
  quoted_credits bigint not null check (quoted_credits >= 0),
  request_id text,
  client json,
  requested_at timestamptz not null,
  waiting_since timestamptz,
  attempt_id uuid,
  attempts int not null default 0,
  started_at timestamptz,
  completed_at timestamptz,
  expires_at timestamptz,
  file_name text,
  bytes bigint,
  sha256 bytea,
  total_rows int,
  expected_rows int,
  truncated_by text check (truncated_by in ('row_limit', 'max_rows', 'credits')),
  credits_used bigint,
  settlement_id uuid,
  failure text,
  constraint completed_exports_are_whole check (
    state not in ('completed', 'expired')
    or (completed_at is not null and expires_at is not null and bytes is not null and sha256 is not null
        and total_rows is not null and expected_rows is not null and credits_used is not null
        and settlement_id is not null)
  ),
  constraint completed_exports_have_a_file check ((state = 'completed') = (file_name is not null)),
  constraint failed_exports_say_why check ((state = 'failed') = (failure is not null))
);
comment on table exports is
  'Requested exports and their state. Only completed ones are shown. Inserted in the transaction that '
  'settles the request; completed in the one that charges.';
comment on column exports.id is
  'Shown to customers (§2.16). Taken from the sequence before the row is inserted.';
comment on column exports.key_id is 'As of usage_records.';
comment on column exports.filters is 'Canonical, without unknown keys.';
comment on column exports.fields is 'Include sections of §2.9; empty for CSV.';
comment on column exports.max_rows is 'Maximum rows of the file, as requested; null: the row limit.';
comment on column exports.quoted_rows is 'Rows that matched at the request, up to the row limit.';
comment on column exports.quoted_credits is 'The maximum charge.';
comment on column exports.request_id is 'Of the request that created it; its ledger entries have it too.';
comment on column exports.client is 'The client software that the request stated (§2.15); null: none.';
comment on column exports.waiting_since is
  'Since when it waits for credits that other exports of its account have reserved; null: not waiting.';
comment on column exports.attempt_id is
  'The current or last attempt: the id of its reservation, and part of the file name. An attempt that finds '
  'another id here has lost the export. null: none began.';
comment on column exports.attempts is 'Number of attempts.';
comment on column exports.expires_at is 'When the file is removed: 24 hours after completion.';
comment on column exports.file_name is 'In the file store; null: not written yet, or removed.';
comment on column exports.expected_rows is
  'Rows that matched when the file was written, up to the row limit: the size with unlimited credits.';
comment on column exports.truncated_by is
  'row_limit, max_rows: more rows match than the file may contain. credits: the balance or the quote was '
  'used up. null: complete.';
comment on column exports.settlement_id is 'The charge; also set for a charge of 0 credits.';
comment on column exports.failure is 'The reason for the operator; null: not failed.';
create index exports_by_account on exports (account_id, id);
create index exports_unfinished on exports (id) where state in ('queued', 'running');
create index exports_by_expiry on exports (expires_at) where file_name is not null;

create table prospect_lists (
  id bigint generated always as identity primary key,
  prospect_list_ref text not null unique,
  import_key text unique,
  account_id bigint references accounts,
  cadence text not null check (cadence in ('one_time', 'weekly', 'continuous')),
  status text not null check (status in ('requested', 'preparing', 'ready', 'cancelled')),
  requested_at timestamptz not null,
  ready_at timestamptz,
  result jsonb,
  target_account_count int generated always as (jsonb_array_length(result -> 'target_accounts')) stored,
  check ((status = 'ready') = (result is not null)),
  check (status <> 'ready' or account_id is not null),
  check (case status when 'ready' then ready_at is not null when 'cancelled' then true else ready_at is null end)
);
comment on table prospect_lists is
  'Lists that staff prepare for an account. The result is personal data: deleted when the list is '
  'cancelled; suppressions remove people from it.';
comment on column prospect_lists.import_key is
  'The key in an interchange file, given or derived from the line; null: created by staff or the public '
  'form.';
comment on column prospect_lists.account_id is
  'null: requested through the public form, and not assigned yet.';
comment on column prospect_lists.status is
  'requested, preparing, ready or cancelled. Customers never see cancelled lists.';
comment on column prospect_lists.ready_at is
  'When it was delivered; null: not delivered. A cancelled list retains it.';
comment on column prospect_lists.result is
  'The object of §2.13; null before the list is ready and after it is cancelled.';
comment on column prospect_lists.target_account_count is 'Derived from the result; null without one.';
create index prospect_lists_of_account on prospect_lists (account_id, requested_at desc, prospect_list_ref collate "C" desc)
  where status <> 'cancelled';
create index prospect_lists_by_request on prospect_lists (requested_at);

create table prospect_list_requests (
  prospect_list_id bigint primary key references prospect_lists,
  name text not null,
  email text not null,
  company text not null,
  request text not null,
  received_at timestamptz not null
);
comment on table prospect_list_requests is
  'Requests of the public form with their contact. Deleted when the list is cancelled, or with the list '
  'when it is not handled.';

-- --------------------------------------------------------------------------------------------------------
-- Jobs of graphile-worker, queued in the caller's transaction.

create function queue_job(task text, key text, payload json, attempts_max int, priority int) returns void
language plpgsql
as $$
begin
  -- The first worker creates the queue, in several steps. A row that was written without a job is found by that worker.
  if to_regclass('graphile_worker.jobs') is not null then
    perform graphile_worker.add_job(
              identifier := queue_job.task,
              payload := queue_job.payload,
              max_attempts := queue_job.attempts_max,
              job_key := queue_job.key,
              priority := queue_job.priority);
  end if;
exception
  when undefined_function then null; -- not created yet, or not with these parameters
end $$;
comment on function queue_job is
  'Replaces a waiting job with its key; beside a running one a new job is queued. Lower priorities start '
  'first.';

-- A customer joins a waiting check that was queued behind others.
create function hasten_job(key text, priority int) returns void
language plpgsql
as $$
begin
  if to_regclass('graphile_worker.jobs') is not null then
    perform graphile_worker.reschedule_jobs(
              array(
                select job.id
                  from graphile_worker.jobs job
                 where job.key = hasten_job.key and job.priority > hasten_job.priority),
              priority := hasten_job.priority);
  end if;
exception
  when undefined_function then null; -- not created yet, or not with these parameters
end $$;
comment on function hasten_job is
  'Lowers the priority number of a waiting job, never raises it. A running one is left.';

-- --------------------------------------------------------------------------------------------------------
-- Settling: the one place where credits move (contract section 5). One call settles a batch: arrays in, one outcome per
-- item out. Each step is a statement of its own, so that it sees what the step before waited for.
--
--   kind charge   uses `credits`, from a reservation where one is named, and closes that reservation
--   kind grant    adds `credits` to the granted ones
--   kind reserve  reserves up to `credits`, at least `credits_min`, under the item's settlement id
--   kind release  closes a reservation whose lease has ended
--
-- Items are decided in order, each against the balance that those before it left: an account without credits fails its own
-- items and no others. Two items of one batch never share an idempotency key: the caller sends the second in a later batch.
--
-- Each composite is a struct of parallel arrays: element n of every array belongs to row n. An array is empty where no row
-- has the value. Sent in binary form, arrays cost a fraction of rows or JSON (docs/decisions/0005).

create type settle_items as (
  -- position in `accounts`, from 1
  account int[],
  -- charge, grant, reserve or release
  kind text[],
  settlement_id uuid[],
  credits bigint[],
  -- of a charge: what the balance must cover, whatever is charged; of a reservation: the least to reserve
  credits_min bigint[],
  -- the reservation to settle from and close
  reservation_id uuid[],
  -- of a reservation: when its lease ends; of a release: a lease that ends later was renewed and stays
  lease_until timestamptz[],
  note text[],
  request_id text[],
  idempotency_key text[],
  fingerprint bytea[],
  status int[],
  body text[]
);
comment on type settle_items is 'The items of a batch, in order.';

create type settle_lines as (
  -- position in the items, from 1; so in the types below
  item int[],
  price_key text[],
  units bigint[],
  credits bigint[]
);
comment on type settle_lines is 'The ledger lines of charges.';

create type settle_usages as (
  item int[],
  requested_at timestamptz[],
  endpoint text[],
  duration_ms int[],
  request_params text[],
  source text[],
  client json[],
  -- The API key; null without one.
  key_id bigint[]
);
comment on type settle_usages is 'The usage records of requests.';

create type settle_writes as (
  item int[],
  -- names the function write_charged_<writer>(account_id bigint, request_id text, client json, data jsonb)
  writer text[],
  data jsonb[],
  -- {"task", "key", "payload", "attempts_max"}
  job jsonb[]
);
comment on type settle_writes is
  'Rows that exist only if their item is charged, and the jobs that they queue.';

create type settle_sessions as (
  item int[],
  session_id text[],
  -- null: no budget, the spend is only counted.
  credits_max bigint[]
);
comment on type settle_sessions is
  'The MCP sessions of items, and what each session may have spent after its item.';

create type settle_outcome as (
  item int,
  outcome text,
  moved bigint,
  granted bigint,
  used bigint,
  reserved bigint,
  stored_status int,
  stored_body text
);

create function settle(
  -- distinct accounts, ascending
  accounts bigint[],
  -- true: items of accounts that another transaction has locked are answered `busy` instead of waited for
  skip_busy boolean,
  settled_at timestamptz,
  items settle_items,
  lines settle_lines,
  usages settle_usages,
  writes settle_writes,
  sessions settle_sessions
) returns setof settle_outcome
language plpgsql
-- Query plans are made once a connection, often while the tables are small, and reused while they grow. So every look-up
-- must follow an index, whatever the planner estimates: `offset 0` or one array makes it ask row by row. Scanning
-- settlements for every batch was measured to cost three times the rest.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
-- Otherwise PostgreSQL plans each statement anew for the arrays of each batch.
set plan_cache_mode = force_generic_plan
as $$
declare
  -- 2^53 - 1: JSON carries no larger figure exactly.
  granted_max constant bigint := 9007199254740991;
  -- Local arrays are read by position in constant time, fields of a composite in linear time.
  item_account constant int[] := items.account;
  item_kind constant text[] := items.kind;
  item_settlement constant uuid[] := items.settlement_id;
  item_credits constant bigint[] := items.credits;
  item_credits_min constant bigint[] := items.credits_min;
  item_reservation constant uuid[] := items.reservation_id;
  item_lease_until constant timestamptz[] := items.lease_until;
  item_note constant text[] := items.note;
  item_request constant text[] := items.request_id;
  item_key constant text[] := items.idempotency_key;
  item_fingerprint constant bytea[] := items.fingerprint;
  item_status constant int[] := items.status;
  item_body constant text[] := items.body;
  item_count constant int := cardinality(item_account);
  locked bigint[];
  granted_now bigint[];
  used_now bigint[];
  reserved_now bigint[];
  changed boolean[] := array_fill(false, array[cardinality(accounts)]);
  outcomes text[] := array_fill(null::text, array[item_count]);
  moved bigint[] := array_fill(0::bigint, array[item_count]);
  from_reservation bigint[] := array_fill(null::bigint, array[item_count]);
  stored_status int[];
  stored_body text[];
  has_outdated_key boolean := false;
  session_of int[];
  session_max bigint[];
  session_spent bigint[];
  found_row record;
  account int;
  free bigint;
begin
  -- 1. Lock the accounts in id order and read their figures. A row that was waited for is read as it is after the wait.
  if skip_busy then
    select array_agg(account_id), array_agg(granted), array_agg(used), array_agg(reserved)
      into locked, granted_now, used_now, reserved_now
      from (
        select balance.account_id, balance.granted, balance.used, balance.reserved
          from account_balances balance
         where balance.account_id = any (accounts)
         order by balance.account_id
           for update skip locked
      ) locked_balances;
  else
    select array_agg(account_id), array_agg(granted), array_agg(used), array_agg(reserved)
      into locked, granted_now, used_now, reserved_now
      from (
        select balance.account_id, balance.granted, balance.used, balance.reserved
          from account_balances balance
         where balance.account_id = any (accounts)
         order by balance.account_id
           for update
      ) locked_balances;
  end if;

  -- 2. Unknown and busy accounts have no figures: put those of the others in their positions.
  if locked is distinct from accounts then
    select array_agg(granted_now[place] order by position),
           array_agg(used_now[place] order by position),
           array_agg(reserved_now[place] order by position)
      into granted_now, used_now, reserved_now
      from (
        select wanted.position, array_position(locked, wanted.account_id) as place
          from unnest(accounts) with ordinality as wanted (account_id, position)
      ) placed;
    if skip_busy then
      for item in 1 .. item_count loop
        if locked is null or not accounts[item_account[item]] = any (locked) then
          outcomes[item] := 'busy';
        end if;
      end loop;
    end if;
  end if;

  -- 3. Settlement ids that exist already: the batch was sent again after a lost connection.
  for found_row in
    select sent.item::int as item, settlement.credits
      from unnest(item_settlement) with ordinality as sent (settlement_id, item)
     cross join lateral (
       select credits from settlements where settlement_id = sent.settlement_id offset 0
     ) settlement
  loop
    outcomes[found_row.item] := 'settled';
    moved[found_row.item] := found_row.credits;
  end loop;

  -- 4. Idempotency keys with a response of the last 7 days.
  if cardinality(item_key) > 0 then
    stored_status := array_fill(null::int, array[item_count]);
    stored_body := array_fill(null::text, array[item_count]);
    for found_row in
      select sent.item::int as item, record.fingerprint, record.status, record.body,
             record.created_at <= settle.settled_at - interval '7 days' as outdated
        from unnest(item_key) with ordinality as sent (idempotency_key, item)
       cross join lateral (
         select *
           from idempotency_records
          where account_id = accounts[item_account[sent.item]]
            and idempotency_key = sent.idempotency_key
         offset 0
       ) record
       where sent.idempotency_key is not null
    loop
      if outcomes[found_row.item] is not null then
        continue;
      elsif found_row.outdated then
        has_outdated_key := true;
      elsif found_row.fingerprint = item_fingerprint[found_row.item] then
        outcomes[found_row.item] := 'replayed';
        stored_status[found_row.item] := found_row.status;
        stored_body[found_row.item] := found_row.body;
      else
        outcomes[found_row.item] := 'reused';
      end if;
    end loop;
  end if;

  -- 5. Reservations to settle from or close. A released one is not found. They are locked, so that a renewal is either
  --    seen here or finds its reservation gone.
  if cardinality(item_reservation) > 0 then
    for found_row in
      select sent.item::int as item, reservation.credits
        from unnest(item_reservation) with ordinality as sent (reservation_id, item)
       cross join lateral (
         select lease.credits
           from reservations lease
          where lease.reservation_id = sent.reservation_id
            and lease.account_id = accounts[item_account[sent.item]]
            and (item_kind[sent.item] <> 'release' or lease.leased_until < item_lease_until[sent.item])
            for update
       ) reservation
    loop
      from_reservation[found_row.item] := found_row.credits;
    end loop;
  end if;

  -- 6. What the items' sessions have spent.
  if cardinality(sessions.item) > 0 then
    for found_row in
      select sent.item, sent.credits_max, coalesce(session.spent, 0) as spent,
             dense_rank() over (order by item_account[sent.item], sent.session_id)::int as place
        from unnest(sessions.item, sessions.session_id, sessions.credits_max)
          as sent (item, session_id, credits_max)
        left join lateral (
          select spent
            from mcp_sessions
           where account_id = accounts[item_account[sent.item]]
             and session_id = sent.session_id
          offset 0
        ) session on true
    loop
      session_of[found_row.item] := found_row.place;
      session_max[found_row.item] := found_row.credits_max;
      session_spent[found_row.place] := found_row.spent;
    end loop;
  end if;

  -- 7. Decide the new items in order, against the running balance.
  for item in 1 .. item_count loop
    if outcomes[item] is not null then
      continue;
    end if;
    account := item_account[item];
    if used_now[account] is null then
      outcomes[item] := 'unknown_account';
      continue;
    end if;
    -- null where no quota is enforced
    free := granted_now[account] - used_now[account] - reserved_now[account] + coalesce(from_reservation[item], 0);
    if item_kind[item] = 'grant' and granted_now[account] + item_credits[item] > granted_max then
      outcomes[item] := 'beyond_bounds';
      continue;
    elsif item_kind[item] = 'grant' then
      granted_now[account] := granted_now[account] + item_credits[item];
      moved[item] := item_credits[item];
    elsif item_kind[item] = 'reserve' then
      moved[item] := least(item_credits[item], coalesce(free, item_credits[item]));
      if moved[item] < item_credits_min[item] then
        moved[item] := 0;
        outcomes[item] := 'quota_exceeded';
        continue;
      end if;
      reserved_now[account] := reserved_now[account] + moved[item];
    elsif item_kind[item] = 'release' and from_reservation[item] is null then
      outcomes[item] := 'not_released';
      continue;
    elsif session_spent[session_of[item]] + item_credits[item] > session_max[item] then
      outcomes[item] := 'budget_exceeded';
      continue;
    elsif free < greatest(item_credits[item], item_credits_min[item]) then
      outcomes[item] := 'quota_exceeded';
      continue;
    else
      used_now[account] := used_now[account] + item_credits[item];
      reserved_now[account] := reserved_now[account] - coalesce(from_reservation[item], 0);
      moved[item] := item_credits[item];
      if session_of[item] is not null then
        session_spent[session_of[item]] := session_spent[session_of[item]] + item_credits[item];
      end if;
      if from_reservation[item] is not null then
        for other in item + 1 .. item_count loop
          if item_reservation[other] = item_reservation[item] then
            from_reservation[other] := null;
          end if;
        end loop;
      end if;
    end if;
    changed[account] := true;
    outcomes[item] := 'new';
  end loop;

  -- 8. Write the new items.
  insert into settlements (settlement_id, account_id, kind, credits, settled_at)
  select item_settlement[item], accounts[item_account[item]], item_kind[item], moved[item], settle.settled_at
    from generate_subscripts(outcomes, 1) as item
   where outcomes[item] = 'new';

  insert into ledger_entries
    (account_id, settlement_id, kind, price_key, units, credits, request_id, note, recorded_at)
  select accounts[item_account[line.item]], item_settlement[line.item], 'charge', line.price_key, line.units,
         line.credits, item_request[line.item], item_note[line.item], settle.settled_at
    from unnest(lines.item, lines.price_key, lines.units, lines.credits) as line (item, price_key, units, credits)
   where outcomes[line.item] = 'new';

  if 'grant' = any (item_kind) then
    insert into ledger_entries (account_id, settlement_id, kind, credits, request_id, note, recorded_at)
    select accounts[item_account[item]], item_settlement[item], 'grant', moved[item],
           item_request[item], item_note[item], settle.settled_at
      from generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new' and item_kind[item] = 'grant';
  end if;

  if 'reserve' = any (item_kind) then
    insert into reservations (reservation_id, account_id, credits, purpose, leased_until, created_at)
    select item_settlement[item], accounts[item_account[item]], moved[item],
           item_note[item], item_lease_until[item], settle.settled_at
      from generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new' and item_kind[item] = 'reserve';
  end if;

  if cardinality(sessions.item) > 0 then
    insert into mcp_sessions (account_id, session_id, spent, last_charged_at)
    select accounts[item_account[sent.item]], sent.session_id, sum(moved[sent.item]), settle.settled_at
      from unnest(sessions.item, sessions.session_id) as sent (item, session_id)
     where outcomes[sent.item] = 'new' and moved[sent.item] > 0
     group by accounts[item_account[sent.item]], sent.session_id
    on conflict (account_id, session_id)
      do update set spent = mcp_sessions.spent + excluded.spent, last_charged_at = excluded.last_charged_at;
  end if;

  if has_outdated_key then
    delete from idempotency_records record
     using generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new'
       and record.account_id = accounts[item_account[item]]
       and record.idempotency_key = item_key[item]
       and record.created_at <= settle.settled_at - interval '7 days';
  end if;

  if stored_body is not null then
    insert into idempotency_records
      (account_id, idempotency_key, fingerprint, settlement_id, status, body, credits, created_at)
    select accounts[item_account[item]], item_key[item], item_fingerprint[item], item_settlement[item],
           item_status[item], item_body[item], moved[item], settle.settled_at
      from generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new' and item_key[item] is not null;
  end if;

  if cardinality(item_reservation) > 0 then
    delete from reservations
     where reservation_id = any (array(
       select item_reservation[item]
         from generate_subscripts(outcomes, 1) as item
        where outcomes[item] = 'new' and from_reservation[item] is not null
     ));
  end if;

  if cardinality(writes.item) > 0 then
    for found_row in
      select write.*, usages.client[array_position(usages.item, write.item)] as client
        from unnest(writes.item, writes.writer, writes.data) as write (item, writer, data)
       where outcomes[write.item] = 'new'
    loop
      -- The prefix is the allow-list: no other function can be called by name.
      execute format('select %I($1, $2, $3, $4)', 'write_charged_' || found_row.writer)
        using accounts[item_account[found_row.item]], item_request[found_row.item], found_row.client, found_row.data;
    end loop;

    -- The first worker creates the queue, in several steps. A row that was written without a job is found by that worker.
    if to_regclass('graphile_worker.jobs') is not null then
      begin
        perform graphile_worker.add_job(
                  identifier := write.job ->> 'task',
                  payload := (write.job -> 'payload')::json,
                  max_attempts := (write.job ->> 'attempts_max')::int,
                  job_key := write.job ->> 'key')
           from unnest(writes.item, writes.job) as write (item, job)
          where outcomes[write.item] = 'new';
      exception
        when undefined_function then null; -- not created yet, or not with these parameters
      end;
    end if;
  end if;

  insert into usage_records
    (account_id, requested_at, endpoint, status, credits, duration_ms, request_params, settlement_status,
     source, request_id, client_version, mcp_tool_name, connector_session_id, mcp_client_name,
     mcp_client_version, key_id)
  select accounts[item_account[usage.item]], usage.requested_at, usage.endpoint,
         case outcomes[usage.item]
           when 'new' then item_status[usage.item]
           when 'replayed' then stored_status[usage.item]
           when 'reused' then 409
           when 'quota_exceeded' then 429
           when 'budget_exceeded' then 402
         end,
         case outcomes[usage.item] when 'new' then moved[usage.item] else 0 end,
         usage.duration_ms, usage.request_params::json,
         case outcomes[usage.item] when 'new' then 'settled' when 'replayed' then 'replayed' else 'refused' end,
         usage.source, item_request[usage.item], usage.client ->> 'client_version', usage.client ->> 'mcp_tool_name',
         usage.client ->> 'connector_session_id', usage.client ->> 'mcp_client_name',
         usage.client ->> 'mcp_client_version', usage.key_id
    from unnest(usages.item, usages.requested_at, usages.endpoint, usages.duration_ms, usages.request_params,
                usages.source, usages.client, usages.key_id)
      as usage (item, requested_at, endpoint, duration_ms, request_params, source, client, key_id)
   where outcomes[usage.item] in ('new', 'replayed', 'reused', 'quota_exceeded', 'budget_exceeded');

  update account_balances balance
     set granted = granted_now[array_position(accounts, balance.account_id)],
         used = used_now[array_position(accounts, balance.account_id)],
         reserved = reserved_now[array_position(accounts, balance.account_id)]
   where balance.account_id = any (accounts)
     and changed[array_position(accounts, balance.account_id)];

  -- 9. Report each item's outcome, with the figures after the batch.
  return query
    select item, case outcomes[item] when 'new' then 'settled' else outcomes[item] end, moved[item],
           granted_now[item_account[item]], used_now[item_account[item]], reserved_now[item_account[item]],
           stored_status[item], stored_body[item]
      from generate_subscripts(outcomes, 1) as item;
end $$;
comment on function settle is
  'Settles a batch in one transaction: the one place where credits move (contract section 5).';

create function write_charged_export(account_id bigint, request_id text, client json, data jsonb)
  returns void language sql as $$
  insert into exports
    (id, account_id, state, format, filters, fields, max_rows, quoted_rows, quoted_credits, request_id, client,
     key_id, requested_at)
  values (
    (data ->> 'id')::bigint,
    account_id,
    'queued',
    data ->> 'format',
    data -> 'filters',
    array(select jsonb_array_elements_text(data -> 'fields')),
    (data ->> 'max_rows')::int,
    (data ->> 'quoted_rows')::int,
    (data ->> 'quoted_credits')::bigint,
    request_id,
    client,
    (data ->> 'key_id')::bigint,
    (data ->> 'requested_at')::timestamptz
  )
$$;
comment on function write_charged_export is
  'Writes a queued export (§4.17); `data` has the columns that the request decides.';

create table settling_probes (
  only_row boolean primary key default true check (only_row),
  probed_at timestamptz not null
);
comment on table settling_probes is 'One row, written by /readyz of all processes on this database.';
comment on column settling_probes.only_row is 'Always true.';
comment on column settling_probes.probed_at is 'When a probe last succeeded.';
insert into settling_probes (probed_at) values (now());

-- Fails with the error of a charge: a full disk, a database that is read-only, missing rights.
-- The sort exceeds work_mem and spills about 300 KB to disk: an update alone finds room in its page on a full disk.
create function probe_settling() returns void
language plpgsql
set work_mem = '64kB'
as $$
begin
  update settling_probes set probed_at = clock_timestamp();
  perform count(*)
     from (select repeat(md5(n::text), 8) as filler from generate_series(1, 1000) n order by filler offset 0) spilled;
end
$$;
