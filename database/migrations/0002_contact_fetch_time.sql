-- The age of a contact is that of its fetch (§4.7): the dates of its source can be years older.
alter table contacts add column fetched_at timestamptz;
comment on column contacts.fetched_at is
  'When the source of contacts last answered with the person; null: a file, or a fetch before this column.';
