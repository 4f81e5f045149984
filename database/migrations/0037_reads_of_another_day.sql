-- A verdict of another day reads all states of a license, open and closed: neither partial index served it,
-- and each license cost a scan of all states.
create index license_states_of_license on license_states (license_id, known_from, id);
drop index license_states_past;

-- The last snapshot of a stream by a time is found without those that came later.
create index dataset_events_of_snapshots on dataset_events ((detail #>> '{stream,key}'), number)
 where kind = 'snapshot';
