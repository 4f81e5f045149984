-- Only streams whose records can contain an operator's license are sources of market entries. Each sync writes it.
alter table register_streams add column makes_market_entries boolean not null default false;
comment on column register_streams.makes_market_entries is
  'Whether its records can contain an operator''s license: only then is it a source of market entries (§4.1).';

update register_streams stream
   set makes_market_entries = true
 where exists (
   select from licenses license
     join license_states state on state.license_id = license.id
    where license.stream = stream.stream and state.role = 'operator'
 );
