alter table register_snapshots add column form text check (form in ('official', 'mirror'));
comment on column register_snapshots.form is
  'Whether the files were read in the regulator''s own form or in that of a mirror; null: stored before forms were recorded.';
