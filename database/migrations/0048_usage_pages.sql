-- Pages of usage that was refused or sent by an MCP client, and the bill of one request, without reading a
-- month of records.
create index usage_records_refused on usage_records (account_id, requested_at desc, usage_id desc, status)
  where status >= 400;
create index usage_records_of_mcp on usage_records
  (account_id, mcp_client_name, requested_at desc, usage_id desc)
  where mcp_client_name is not null;
create index ledger_entries_by_time on ledger_entries using brin (recorded_at) with (pages_per_range = 16);
