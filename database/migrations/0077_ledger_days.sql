create table ledger_days (
  account_id bigint not null references accounts (id),
  day date not null,
  granted bigint not null,
  used bigint not null,
  primary key (account_id, day)
);
comment on table ledger_days is 'Sums of ledger_entries by day (UTC), for days in summed_ledger_days.';

create table summed_ledger_days (day date primary key);
