-- published_legal_name of the register feed matches the name before and after a change.
alter table signals add column former_legal_name text;
comment on column signals.former_legal_name is 'The published legal name before the change; null: the same, or none.';

create index signals_of_former_name on signals (market, former_legal_name, number) where former_legal_name is not null;

-- Every Signal of a record in the snapshot that renamed it.
update signals
   set former_legal_name = rename.content -> 'change_set' -> 'legal_entity' ->> 'before'
  from signals rename
 where rename.event_type = 'legal_entity_changed'
   and signals.stream = rename.stream
   and signals.record_kind = rename.record_kind
   and signals.record_key = rename.record_key
   and signals.snapshot_id = rename.snapshot_id;
