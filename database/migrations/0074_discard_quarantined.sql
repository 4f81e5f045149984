-- A quarantined snapshot can be discarded, too: it was never applied, so it has no number.
alter table register_snapshots
  drop constraint applied_snapshots_are_numbered,
  add constraint applied_snapshots_are_numbered check (
    case status
      when 'applied' then number is not null
      when 'discarded' then (number is null) = (applied_at is null)
      else number is null
    end),
  add column difference_sha256 bytea references kept_files (sha256);
comment on column register_snapshots.number is
  'Numbers the applied snapshots of a stream, discarded ones included; null: never applied.';
comment on column register_snapshots.difference_sha256 is
  'All that a quarantined snapshot would change, as NDJSON in kept_files; null: not recorded, or never quarantined.';
