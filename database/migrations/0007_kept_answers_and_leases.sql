-- Settling keeps its promises where time has passed. The function is that of 0002, save these three:
--
--   a kept answer older than 7 days is none: its key is free, whether or not it has been purged, and the new answer
--   takes its place. The primary key still refuses a second answer under one key that is not so old.
--
--   kind release  closes a reservation whose lease ended before `lease_until`, and uses nothing. One that was renewed
--                 or settled meanwhile is answered `not_released`.
--
--   reservations that are settled from are locked first, so that a renewal is seen or finds its reservation gone.

create or replace function settle(
  -- distinct accounts, ascending
  accounts bigint[],
  -- true: items of accounts that another transaction holds are answered `busy` instead of waited for
  skip_busy boolean,
  settled_at timestamptz,
  -- one element an item
  item_account int[],
  item_kind text[],
  item_settlement uuid[],
  item_credits bigint[],
  item_credits_min bigint[],
  item_reservation uuid[],
  item_lease_until timestamptz[],
  item_note text[],
  item_request text[],
  item_key text[],
  item_fingerprint bytea[],
  item_status int[],
  item_body text[],
  -- one element a usage record; usage_item points to its item
  usage_item int[],
  usage_requested_at timestamptz[],
  usage_endpoint text[],
  usage_duration_ms int[],
  usage_params text[],
  usage_source text[],
  usage_client json[],
  -- one element a ledger line of a charge; line_item points to its item
  line_item int[],
  line_price text[],
  line_units bigint[],
  line_credits bigint[]
) returns setof settle_outcome
language plpgsql
-- Its plans are made once a connection, often while the tables are still small, and kept while they grow: whatever
-- the planner believed then, a look-up is a nested loop over an index. Reading settlements whole for every batch was
-- measured to cost three times the rest.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  items constant int := cardinality(item_account);
  locked bigint[];
  granted_now bigint[];
  used_now bigint[];
  reserved_now bigint[];
  changed boolean[] := array_fill(false, array[cardinality(accounts)]);
  outcomes text[] := array_fill(null::text, array[items]);
  moved bigint[] := array_fill(0::bigint, array[items]);
  held bigint[] := array_fill(null::bigint, array[items]);
  stored_status int[];
  stored_body text[];
  outdated boolean := false;
  known record;
  which int;
  free bigint;
begin
  -- 1. Lock the accounts of the batch, in id order.
  if skip_busy then
    select array_agg(account_id order by account_id)
      into locked
      from (
        select balance.account_id
          from account_balances balance
         where balance.account_id = any (accounts)
         order by balance.account_id
           for update skip locked
      ) taken;
  else
    perform 1
       from account_balances balance
      where balance.account_id = any (accounts)
      order by balance.account_id
        for update;
  end if;

  -- 2. Read their figures, which are now ours.
  select array_agg(balance.granted order by position),
         array_agg(balance.used order by position),
         array_agg(balance.reserved order by position)
    into granted_now, used_now, reserved_now
    from unnest(accounts) with ordinality as wanted (account_id, position)
    left join account_balances balance using (account_id);

  if skip_busy then
    for item in 1 .. items loop
      if locked is null or not accounts[item_account[item]] = any (locked) then
        outcomes[item] := 'busy';
      end if;
    end loop;
  end if;

  -- 3. What was settled before, by settlement id: the batch was sent again after a lost connection.
  for known in
    select sent.item::int as item, settlement.credits
      from unnest(item_settlement) with ordinality as sent (settlement_id, item)
      join settlements settlement using (settlement_id)
  loop
    outcomes[known.item] := 'settled';
    moved[known.item] := known.credits;
  end loop;

  -- 4. What was answered before, by idempotency key, in the last 7 days.
  if exists (select from unnest(item_key) as key where key is not null) then
    stored_status := array_fill(null::int, array[items]);
    stored_body := array_fill(null::text, array[items]);
    for known in
      select sent.item::int as item, record.fingerprint, record.status, record.body,
             record.created_at <= settle.settled_at - interval '7 days' as outdated
        from unnest(item_key) with ordinality as sent (idempotency_key, item)
        join idempotency_records record
          on record.account_id = accounts[item_account[sent.item]]
         and record.idempotency_key = sent.idempotency_key
       where sent.idempotency_key is not null
    loop
      if outcomes[known.item] is not null then
        continue;
      elsif known.outdated then
        outdated := true;
      elsif known.fingerprint = item_fingerprint[known.item] then
        outcomes[known.item] := 'replayed';
        stored_status[known.item] := known.status;
        stored_body[known.item] := known.body;
      else
        outcomes[known.item] := 'reused';
      end if;
    end loop;
  end if;

  -- 5. The reservations that items settle from, or close. One that the sweeper released is simply not found. They are
  --    locked, so that a renewal is either seen here or finds its reservation gone.
  if exists (select from unnest(item_reservation) as reservation where reservation is not null) then
    for known in
      select sent.item::int as item, reservation.credits
        from unnest(item_reservation) with ordinality as sent (reservation_id, item)
        join reservations reservation using (reservation_id)
       where reservation.account_id = accounts[item_account[sent.item]]
         and (item_kind[sent.item] <> 'release' or reservation.leased_until < item_lease_until[sent.item])
         for update of reservation
    loop
      held[known.item] := known.credits;
    end loop;
  end if;

  -- 6. Judge what is new, in order, against the running balance.
  for item in 1 .. items loop
    if outcomes[item] is not null then
      continue;
    end if;
    which := item_account[item];
    if used_now[which] is null then
      outcomes[item] := 'unknown_account';
      continue;
    end if;
    -- null where no quota is enforced
    free := granted_now[which] - used_now[which] - reserved_now[which] + coalesce(held[item], 0);
    if item_kind[item] = 'grant' then
      granted_now[which] := granted_now[which] + item_credits[item];
      moved[item] := item_credits[item];
    elsif item_kind[item] = 'reserve' then
      moved[item] := least(item_credits[item], coalesce(free, item_credits[item]));
      if moved[item] < item_credits_min[item] then
        moved[item] := 0;
        outcomes[item] := 'quota_exceeded';
        continue;
      end if;
      reserved_now[which] := reserved_now[which] + moved[item];
    elsif item_kind[item] = 'release' and held[item] is null then
      outcomes[item] := 'not_released';
      continue;
    elsif free < item_credits[item] then
      outcomes[item] := 'quota_exceeded';
      continue;
    else
      used_now[which] := used_now[which] + item_credits[item];
      reserved_now[which] := reserved_now[which] - coalesce(held[item], 0);
      moved[item] := item_credits[item];
    end if;
    changed[which] := true;
    outcomes[item] := 'new';
  end loop;

  -- 7. Write it down.
  insert into settlements (settlement_id, account_id, kind, credits, settled_at)
  select item_settlement[item], accounts[item_account[item]], item_kind[item], moved[item], settle.settled_at
    from generate_subscripts(outcomes, 1) as item
   where outcomes[item] = 'new';

  insert into ledger_entries
    (account_id, settlement_id, kind, price_key, units, credits, request_id, note, recorded_at)
  select accounts[item_account[item]], item_settlement[item], 'charge', price, units, credits,
         item_request[item], item_note[item], settle.settled_at
    from unnest(line_item, line_price, line_units, line_credits) as line (item, price, units, credits)
   where outcomes[item] = 'new';

  if 'grant' = any (item_kind) then
    insert into ledger_entries (account_id, settlement_id, kind, credits, request_id, note, recorded_at)
    select accounts[item_account[item]], item_settlement[item], 'grant', moved[item],
           item_request[item], item_note[item], settle.settled_at
      from generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new' and item_kind[item] = 'grant';
  end if;

  if 'reserve' = any (item_kind) then
    insert into reservations (reservation_id, account_id, credits, purpose, leased_until, created_at)
    select item_settlement[item], accounts[item_account[item]], moved[item],
           item_note[item], item_lease_until[item], settle.settled_at
      from generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new' and item_kind[item] = 'reserve';
  end if;

  if outdated then
    delete from idempotency_records record
     using generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new'
       and record.account_id = accounts[item_account[item]]
       and record.idempotency_key = item_key[item]
       and record.created_at <= settle.settled_at - interval '7 days';
  end if;

  if stored_body is not null then
    insert into idempotency_records
      (account_id, idempotency_key, fingerprint, settlement_id, status, body, credits, created_at)
    select accounts[item_account[item]], item_key[item], item_fingerprint[item], item_settlement[item],
           item_status[item], item_body[item], moved[item], settle.settled_at
      from generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new' and item_key[item] is not null;
  end if;

  if exists (select from unnest(held) as credits where credits is not null) then
    delete from reservations
     where reservation_id in (
       select item_reservation[item]
         from generate_subscripts(outcomes, 1) as item
        where outcomes[item] = 'new' and held[item] is not null
     );
  end if;

  insert into usage_records
    (account_id, requested_at, endpoint, status, credits, duration_ms, request_params, settlement_status,
     source, request_id, client_version, mcp_tool_name, connector_session_id, mcp_client_name,
     mcp_client_version)
  select accounts[item_account[item]], requested_at, endpoint,
         case outcomes[item]
           when 'new' then item_status[item]
           when 'replayed' then stored_status[item]
           when 'reused' then 409
           when 'quota_exceeded' then 429
         end,
         case outcomes[item] when 'new' then moved[item] else 0 end,
         duration_ms, params::json,
         case outcomes[item] when 'new' then 'settled' when 'replayed' then 'replayed' else 'refused' end,
         source, item_request[item], client ->> 'client_version', client ->> 'mcp_tool_name',
         client ->> 'connector_session_id', client ->> 'mcp_client_name', client ->> 'mcp_client_version'
    from unnest(usage_item, usage_requested_at, usage_endpoint, usage_duration_ms, usage_params,
                usage_source, usage_client)
      as record (item, requested_at, endpoint, duration_ms, params, source, client)
   where outcomes[item] in ('new', 'replayed', 'reused', 'quota_exceeded');

  update account_balances balance
     set granted = after.granted, used = after.used, reserved = after.reserved
    from unnest(accounts, granted_now, used_now, reserved_now, changed)
           as after (account_id, granted, used, reserved, changed)
   where balance.account_id = after.account_id and after.changed;

  -- 8. Say per item what happened, with the figures that the batch leaves.
  return query
    select item, case outcomes[item] when 'new' then 'settled' else outcomes[item] end, moved[item],
           granted_now[item_account[item]], used_now[item_account[item]], reserved_now[item_account[item]],
           stored_status[item], stored_body[item]
      from generate_subscripts(outcomes, 1) as item;
end $$;

-- Purging walks from the oldest on. The ranges of a BRIN index only ever widen, so that it would come to read the whole
-- table once freed pages are used anew; entries of a B-tree that point to deleted rows are skipped. Both grow at
-- their right end. Settlement ids begin with their time: their primary key is that order already.
drop index idempotency_records_by_age;
create index idempotency_records_by_age on idempotency_records (created_at);
drop index settlements_by_age;
