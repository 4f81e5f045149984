-- max_rows of an export. A worker of the previous release ignores it, and is bound by the quote.
alter table exports
  add column max_rows int check (max_rows >= 1),
  drop constraint exports_truncated_by_check,
  add constraint exports_truncated_by_check check (truncated_by in ('row_limit', 'max_rows', 'credits'));
comment on column exports.max_rows is 'Maximum rows of the file, as requested; null: the row limit.';
comment on column exports.truncated_by is
  'row_limit, max_rows: more rows match than the file may contain. credits: the balance or the quote was used up. '
  'null: complete.';

create or replace function write_charged_export(account_id bigint, request_id text, client json, data jsonb)
  returns void language sql as $$
  insert into exports
    (id, account_id, state, format, filters, fields, max_rows, quoted_rows, quoted_credits, request_id, client,
     requested_at)
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
    (data ->> 'requested_at')::timestamptz
  )
$$;
