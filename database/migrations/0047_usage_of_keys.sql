-- Usage by key: each record names the key of its request, and finished days are summed up by key and endpoint.
alter table usage_records add column key_id bigint;
comment on column usage_records.key_id is 'The API key of the request; null: sent by the dashboard or a job, or before keys were recorded.';

alter type settle_usages add attribute key_id bigint[];

-- settle_v2 as it is, but for the new column. No release has it yet, so that its argument may grow.
do $patch$
declare
  body text := pg_get_functiondef('settle_v2'::regproc);
  patched text;
begin
  patched := replace(body, E'mcp_client_name,\n     mcp_client_version)\n  select accounts[item_account[usage.item]]',
                     E'mcp_client_name,\n     mcp_client_version, key_id)\n  select accounts[item_account[usage.item]]');
  patched := replace(patched, E'usage.client ->> ''mcp_client_version''\n    from',
                     E'usage.client ->> ''mcp_client_version'', usage.key_id\n    from');
  patched := replace(patched, 'usages.source, usages.client)', 'usages.source, usages.client, usages.key_id)');
  patched := replace(patched, 'request_params, source, client)' || E'\n   where outcomes',
                     'request_params, source, client, key_id)' || E'\n   where outcomes');
  if length(patched) <> length(body) + length(', key_id, usage.key_id, usages.key_id, key_id') then
    raise exception 'settle_v2 is not as expected';
  end if;
  execute patched;
end
$patch$;

create table usage_days (
  account_id bigint not null references accounts (id),
  day date not null,
  endpoint text not null,
  -- 0: of no key.
  key_id bigint not null,
  requests bigint not null,
  credits bigint not null,
  primary key (account_id, day, endpoint, key_id)
);
comment on table usage_days is 'Sums of usage_records by day (UTC), for days in summed_days.';

create table summed_days (day date primary key);

-- A form of the dashboard creates one key, however often it is sent.
alter table api_keys add column creation_nonce text unique;
alter table api_keys add column replaced_at timestamptz;
comment on column api_keys.replaced_at is 'When a key was created to take its place; null: it was not.';
