create table outbound_turns (
  host text collate "C" primary key,
  next_at timestamptz not null
);
comment on table outbound_turns is
  'The place in the line for requests to a host, across processes. Rows whose time is past are deleted.';
comment on column outbound_turns.next_at is 'When the next request may be sent.';
create index outbound_turns_by_time on outbound_turns (next_at);
