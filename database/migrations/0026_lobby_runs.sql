-- Runs of the lobby monitor. A visit serves the runs of all accounts that ask for it while it is open.
create table lobby_visits (
  id bigint generated always as identity primary key,
  domain text collate "C" not null,
  url text,
  device text not null check (device in ('desktop', 'mobile')),
  state text not null check (state in ('queued', 'running', 'completed', 'partial', 'failed')),
  reason text,
  requested_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  attempts integer not null default 0,
  final_url text,
  sections jsonb,
  games jsonb,
  check ((state in ('queued', 'running')) = (finished_at is null)),
  check ((state = 'failed') = (reason is not null)),
  check ((state in ('completed', 'partial')) = (games is not null))
);
comment on table lobby_visits is 'One visit of a lobby in a browser.';
comment on column lobby_visits.url is 'The requested page; null: the root.';
create unique index lobby_visits_open on lobby_visits (domain, coalesce(url, ''), device)
  where state in ('queued', 'running');
create index lobby_visits_ended on lobby_visits (domain, finished_at) where finished_at is not null;

create table lobby_runs (
  id bigint generated always as identity primary key,
  run_ref text collate "C" not null unique,
  account_id bigint not null references accounts (id),
  visit_id bigint not null references lobby_visits (id),
  suppliers text[] not null,
  reservation_id uuid,
  credits_charged bigint not null default 0,
  requested_at timestamptz not null,
  request_id text,
  client jsonb,
  key_id bigint,
  idempotency_key text,
  unique (account_id, visit_id)
);
comment on table lobby_runs is 'An account''s part in a visit. Other accounts cannot see it.';
comment on column lobby_runs.reservation_id is 'The reserved credits until the visit ends; null: it costs nothing.';
create index lobby_runs_of_account on lobby_runs (account_id, id desc);
create index lobby_runs_of_visit on lobby_runs (visit_id);
create index lobby_runs_of_key on lobby_runs (account_id, idempotency_key) where idempotency_key is not null;
