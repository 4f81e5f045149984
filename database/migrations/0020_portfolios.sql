-- The sites that an account watches. Members are the customer's secrets: no usage record, log or dump has them.
create table portfolios (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  name text collate "C" not null check (name ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  note text,
  size integer not null default 0 check (size >= 0),
  created_at timestamptz not null,
  changed_at timestamptz not null,
  unique (account_id, name)
);
comment on table portfolios is 'A list of sites that an account watches. Other accounts cannot see it.';
comment on column portfolios.size is 'The number of members.';

create table portfolio_members (
  portfolio_id bigint not null references portfolios (id) on delete cascade,
  id bigint generated always as identity,
  domain text collate "C" not null,
  added_after bigint not null,
  primary key (portfolio_id, id),
  unique (portfolio_id, domain)
);
comment on table portfolio_members is 'A registrable domain of a portfolio, in the order in which it was added.';
comment on column portfolio_members.added_after is
  'The last verdict change when it was added. Only later ones are changes of the portfolio.';
-- Finds the portfolios of a domain whose verdict changed.
create index portfolio_members_by_domain on portfolio_members (domain);
