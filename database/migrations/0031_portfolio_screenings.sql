-- Verdicts of a whole portfolio, which a job buys in batches.
create table portfolio_screenings (
  portfolio_id bigint primary key references portfolios (id) on delete cascade,
  known_at timestamptz not null,
  position bigint not null default 0,
  credits bigint not null default 0,
  credits_max bigint not null,
  stopped_at timestamptz,
  version integer not null default 1
);
create index portfolio_screenings_that_run on portfolio_screenings (portfolio_id) where stopped_at is null;
comment on table portfolio_screenings is
  'The last screening of a portfolio. A batch is charged, and stored with its members, in one transaction.';
comment on column portfolio_screenings.known_at is 'The moment of knowledge of all its verdicts.';
comment on column portfolio_screenings.position is 'The last member that was screened.';
comment on column portfolio_screenings.credits is 'The credits that it was charged.';
comment on column portfolio_screenings.credits_max is 'The most that it may be charged: the price on the button.';
comment on column portfolio_screenings.stopped_at is
  'When it ended, or stopped at the end of the balance or of the price; null: it runs.';
comment on column portfolio_screenings.version is
  'Counts what changed it. A form of an earlier version starts nothing.';

alter table portfolio_members add column verdict text;
alter table portfolio_members add column licensed_in text[];
alter table portfolio_members add column blocked_in text[];
alter table portfolio_members add column known_at timestamptz;
comment on column portfolio_members.verdict is 'The verdict that a screening bought; null: none.';
comment on column portfolio_members.licensed_in is 'The markets of licenses, of that verdict.';
comment on column portfolio_members.blocked_in is 'The markets of blocklists, of that verdict.';
comment on column portfolio_members.known_at is 'The moment of knowledge of that verdict.';

-- The file of a portfolio with all its columns, deleted after 30 days.
create table portfolio_files (
  portfolio_id bigint primary key references portfolios (id) on delete cascade,
  content bytea not null,
  site_column integer not null,
  uploaded_at timestamptz not null
);
create index portfolio_files_by_age on portfolio_files (uploaded_at);
comment on table portfolio_files is
  'The uploaded file of a portfolio, as a secret of the customer: in no dump. Purged after 30 days.';
comment on column portfolio_files.site_column is 'The number of the column of sites, from 1.';
