-- The state of each market at the end of a day, for the history on the coverage page.
create table coverage_days (
  day date not null,
  market text not null,
  state text not null,
  rows bigint not null,
  primary key (day, market)
);
comment on table coverage_days is 'Markets with a stream only: others were not covered.';
