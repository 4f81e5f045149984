-- The fields of a form that waits until the user confirms who it is (docs/dashboard.md).
alter table sessions add column draft bytea;
alter table sessions add column draft_expires_at timestamptz;
alter table sessions add check ((draft is null) = (draft_expires_at is null));
comment on column sessions.draft is
  'A form that waits for a confirmation, encrypted with a key from the session''s id, which is not stored.';
