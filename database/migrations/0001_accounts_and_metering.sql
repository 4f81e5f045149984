-- Accounts, their keys, and the money. Every statement is unqualified: the same files build the schema of the
-- customers' data and, for the demo world, the schema of the demo.
--
-- The four tables written on every paid request (settlements, ledger_entries, usage_records,
-- idempotency_records) have no foreign keys: each would cost a look-up and a row lock per insertion, and the
-- settling function has locked the account's balance anyway. `baize verify` checks what a key would have.

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
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
comment on column api_keys.expires_at is 'null: never.';
comment on column api_keys.last_used_at is 'To the minute; null: never used.';
create index api_keys_of_account on api_keys (account_id);

create table account_balances (
  account_id bigint primary key references accounts,
  granted bigint check (granted >= 0),
  used bigint not null default 0 check (used >= 0),
  reserved bigint not null default 0 check (reserved >= 0),
  constraint never_overdrawn check (granted is null or used + reserved <= granted)
) with (fillfactor = 50);
comment on table account_balances is
  'The running figures of an account. A row of its own, half-empty pages: updates stay in place (HOT).';
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
  'Credits held for work under way. A lease that its owner renews; the sweeper releases those whose owner is gone.';
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
  'What has been settled. Its unique id is the promise that a batch sent again after a lost connection is not charged
again; purged by age.';
create index settlements_by_age on settlements using brin (settled_at);

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

create table usage_records (
  usage_id bigint generated always as identity,
  account_id bigint not null,
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
comment on column usage_records.settlement_status is 'settled, replayed, refused, or none (nothing was to be paid).';

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
  'The first answer given under a key, byte for byte; kept 7 days. Its primary key decides which of several
simultaneous requests is the one that is charged.';
create index idempotency_records_by_age on idempotency_records using brin (created_at);

-- Months of ledger and usage. The default partition is a safety net: no charge fails because a month is missing.
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
      -- Rows that came before their month had a partition move there; a default that keeps them could not be split.
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
  'Makes the partitions of these months (UTC) where they are missing; says how many it made.';

create table signing_secrets (
  purpose text primary key,
  secret bytea not null,
  created_at timestamptz not null default now()
);
comment on table signing_secrets is 'What this installation signs with, e.g. cursors; made at first use.';
