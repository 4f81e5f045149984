-- The export that a request asks for is written with its charge: settle_v2 calls this function by the writer's name.
create function write_charged_export(account_id bigint, request_id text, client json, data jsonb) returns void
language sql
as $$
  insert into exports
    (id, account_id, state, format, filters, fields, quoted_rows, quoted_credits, request_id, client, requested_at)
  values (
    (data ->> 'id')::bigint,
    account_id,
    'queued',
    data ->> 'format',
    data -> 'filters',
    array(select jsonb_array_elements_text(data -> 'fields')),
    (data ->> 'quoted_rows')::int,
    (data ->> 'quoted_credits')::bigint,
    request_id,
    client,
    (data ->> 'requested_at')::timestamptz
  )
$$;
comment on function write_charged_export is 'Writes a queued export (§4.17); `data` has the columns that the request decides.';
