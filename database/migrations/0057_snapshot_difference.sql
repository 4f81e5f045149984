-- What a quarantined snapshot would change, for the person who decides: the figures alone show no record.
alter table register_snapshots add column difference jsonb;
comment on column register_snapshots.difference is
  'Examples of what it would change: [{kind, change, name, fields: [{name, before, after}]}]; null: not recorded, or never quarantined.';
