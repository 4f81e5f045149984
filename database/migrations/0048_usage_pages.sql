-- Pages of usage that was refused, and the bill of one request, without reading a month of records.
create index usage_records_refused on usage_records (account_id, requested_at desc, usage_id desc)
  where status >= 400;
create index ledger_entries_by_time on ledger_entries using brin (recorded_at) with (pages_per_range = 16);
