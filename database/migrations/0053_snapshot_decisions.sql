-- What staff decided of a snapshot in the dashboard: a worker carries it out, because it may take minutes.
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
create unique index snapshot_decisions_open on snapshot_decisions (snapshot_ref) where finished_at is null;
comment on column snapshot_decisions.failure is 'Why it was refused; null: it was not, or is not finished.';
