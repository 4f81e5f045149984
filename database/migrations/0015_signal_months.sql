-- Days of Signals summed by month: a date range over years is a few hundred months and the days at its two ends, instead
-- of tens of thousands of days.

create table signal_months (
  feed text not null check (feed in ('register_changes', 'market_entries', 'platform_sites')),
  market text not null,
  stream text not null,
  event_type text not null,
  platform_id bigint not null,
  month date not null check (extract(day from month) = 1),
  signals bigint not null,
  first_number bigint not null,
  last_number bigint not null,
  primary key (feed, market, stream, event_type, platform_id, month)
);
create index signal_months_of_platform on signal_months (platform_id, month) where feed = 'platform_sites';
comment on table signal_months is 'Derived: signal_counts by month (UTC).';

insert into signal_months (feed, market, stream, event_type, platform_id, month, signals, first_number, last_number)
select feed, market, stream, event_type, platform_id, date_trunc('month', day)::date, sum(signals), min(first_number),
       max(last_number)
  from signal_counts
 group by feed, market, stream, event_type, platform_id, date_trunc('month', day)::date;
