-- A misprint that one snapshot alone had, and that the next one corrected, was never on the register.
alter table blocklist_entries add column withdrawn boolean not null default false;
comment on column blocklist_entries.withdrawn is
  'A misprint of one snapshot that the next one corrected: no fact follows from it.';
