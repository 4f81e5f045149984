-- Dated lists of a register's sites, from mirrors: evidence of the past that licenses nothing today.
create table past_lists (
  id bigint generated always as identity primary key,
  stream text not null,
  market text not null,
  listed_on date not null,
  file_name text not null,
  sha256 bytea not null,
  sites int not null,
  rejected int not null,
  loaded_at timestamptz not null,
  withdrawn_at timestamptz
);
comment on table past_lists is
  'A dated list of the sites of a register. No verdict, Signal or search reads it. Never deleted.';
comment on column past_lists.listed_on is 'The day of the list, from the name of its file or folder.';
comment on column past_lists.sha256 is 'The digest of the file, which kept_files has.';
comment on column past_lists.withdrawn_at is 'When the operator took the list back; null: it counts.';
create unique index past_lists_counting on past_lists (stream, listed_on) where withdrawn_at is null;

create table past_listings (
  domain text collate "C" not null,
  list_id bigint not null references past_lists,
  published text not null,
  primary key (domain, list_id)
);
comment on table past_listings is 'A site on a dated list. The domain may be in no other table.';
