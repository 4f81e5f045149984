-- An operator takes back the latest applied snapshot of a stream: its facts go, its files and its number stay, and a correcting
-- Signal follows each of its Signals.

alter table register_snapshots
  add column discarded_at timestamptz,
  add column discarded_because text,
  drop constraint register_snapshots_status_check,
  drop constraint applied_snapshots_are_numbered,
  add constraint register_snapshots_status_check check (status in ('applied', 'held', 'superseded', 'discarded')),
  add constraint applied_snapshots_are_numbered check ((status in ('applied', 'discarded')) = (number is not null)),
  add constraint discards_have_a_reason check (
    (status = 'discarded') = (discarded_at is not null) and (discarded_at is null) = (discarded_because is null)
  );
comment on column register_snapshots.number is
  'Numbers the applied snapshots of a stream, discarded ones included; null: quarantined, or replaced while quarantined.';
comment on column register_snapshots.discarded_at is 'When an operator took it back; null: it was not.';

comment on column register_streams.snapshot_number is 'The number of the snapshot in use; 0: none yet, or all were discarded.';

alter table register_runs
  drop constraint register_runs_status_check,
  add constraint register_runs_status_check check (status in ('applied', 'unchanged', 'held', 'refused', 'discarded'));

alter table dataset_events
  drop constraint dataset_events_kind_check,
  add constraint dataset_events_kind_check
    check (kind in ('snapshot', 'confirmation', 'import', 'review', 'merge', 'split', 'discard'));

alter table signals
  add column correction_of text references signals (signal_ref);
comment on column signals.correction_of is
  'The signal_ref that this Signal takes back, free of charge: its snapshot was discarded. null: none.';
create unique index signals_of_correction on signals (correction_of) where correction_of is not null;
