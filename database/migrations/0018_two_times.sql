-- Indexes of answers about another day (src/features/known-facts-store.ts).
create index register_snapshots_by_applied_at on register_snapshots (stream, applied_at);
create index dataset_events_of_snapshot on dataset_events (snapshot_id, kind) where snapshot_id is not null;
create index dataset_events_of_stream on dataset_events
  ((case kind when 'snapshot' then detail #>> '{stream,key}' else detail ->> 'stream' end), number)
 where kind in ('snapshot', 'confirmation', 'discard');
create index blocklist_entries_on_shared_hosts_ever on blocklist_entries (lower(listed_as)) where scope = 'shared_host';
