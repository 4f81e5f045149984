alter table register_snapshots add column is_backfill boolean not null default false;
comment on column register_snapshots.is_backfill is
  'Read from a folder of older files; its Signals are marked and free of charge.';
alter table signals add column is_backfill boolean not null default false;
comment on column signals.is_backfill is 'Of a snapshot that was read as history: marked, and free of charge.';
