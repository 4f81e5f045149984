-- Searches that the people of an account saved, and Companies that they follow.
create table saved_pages (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 120),
  address text not null check (address ~ '^/dashboard/(companies|licenses|domains)([/?]|$)'),
  saved_at timestamptz not null,
  unique (account_id, address)
);
comment on table saved_pages is 'Pages of the dashboard that an account saved, which all its members see.';
comment on column saved_pages.address is
  'The path and the filters of a search, or the path of a Company that the account follows.';

alter table portfolios add column seen_number bigint;
comment on column portfolios.seen_number is 'The last verdict change that the dashboard read; null: not yet.';
