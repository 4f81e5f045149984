-- Usage by key: each record names the key of its request, and finished days are summed up by key and endpoint.
alter table usage_records add column key_id bigint;
comment on column usage_records.key_id is 'The API key of the request; null: sent by the dashboard, or before keys were recorded.';

-- Jobs charge the key whose request they serve.
alter table exports add column key_id bigint;
comment on column exports.key_id is 'As of usage_records.';
alter table site_checks add column key_id bigint;
comment on column site_checks.key_id is 'As of usage_records; null, too: no request asked for it.';

create or replace function write_charged_export(account_id bigint, request_id text, client json, data jsonb)
  returns void language sql as $$
  insert into exports
    (id, account_id, state, format, filters, fields, max_rows, quoted_rows, quoted_credits, request_id, client,
     key_id, requested_at)
  values (
    (data ->> 'id')::bigint,
    account_id,
    'queued',
    data ->> 'format',
    data -> 'filters',
    array(select jsonb_array_elements_text(data -> 'fields')),
    (data ->> 'max_rows')::int,
    (data ->> 'quoted_rows')::int,
    (data ->> 'quoted_credits')::bigint,
    request_id,
    client,
    (data ->> 'key_id')::bigint,
    (data ->> 'requested_at')::timestamptz
  )
$$;

-- settle_v3: settle_v2 with one more argument, the key of each usage. Its array is parallel to those of `usages`.
do $patch$
declare
  before text := pg_get_functiondef('settle_v2'::regproc);
  body text := replace(before, 'settle_v2', 'settle_v3');
begin
  body := replace(body, 'writes settle_writes)', 'writes settle_writes, usage_keys bigint[])');
  body := replace(body, E'mcp_client_name,\n     mcp_client_version)\n  select accounts[item_account[usage.item]]',
                  E'mcp_client_name,\n     mcp_client_version, key_id)\n  select accounts[item_account[usage.item]]');
  body := replace(body, E'usage.client ->> ''mcp_client_version''\n    from',
                  E'usage.client ->> ''mcp_client_version'', usage.key_id\n    from');
  body := replace(body, 'usages.source, usages.client)', 'usages.source, usages.client, usage_keys)');
  body := replace(body, 'request_params, source, client)' || E'\n   where outcomes',
                  'request_params, source, client, key_id)' || E'\n   where outcomes');
  if length(body) <> length(before)
     + length(', usage_keys bigint[], key_id, usage.key_id, usage_keys, key_id') then
    raise exception 'settle_v2 is not as expected';
  end if;
  execute body;
end
$patch$;
comment on function settle_v3 is 'Settles a batch in one transaction: the one place where credits move (contract section 5).';

-- Replaced in place: a call that runs meanwhile ends as it began.
create or replace function settle_v2(
  accounts bigint[],
  skip_busy boolean,
  settled_at timestamptz,
  items settle_items,
  lines settle_lines,
  usages settle_usages,
  writes settle_writes
) returns setof settle_outcome
language sql
as $$
  select * from settle_v3(accounts, skip_busy, settled_at, items, lines, usages, writes, usage_keys => null)
$$;
comment on function settle_v2 is 'For processes that record no keys; dropped in a later release. See settle_v3.';

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
alter table api_keys add column creation_nonce text, add unique (account_id, creation_nonce);
alter table api_keys add column replaced_at timestamptz;
comment on column api_keys.replaced_at is 'When a key was created to take its place; null: it was not.';
