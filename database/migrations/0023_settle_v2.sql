-- settle_v2: as `settle` (0020), with one composite argument a role instead of 30 arrays, and with writes in a general form.
--
-- A process of release 0.1.0 or before calls `settle`, a later one `settle_v2`; both may run on one database at the same
-- time. They lock the same rows in the same order and write the same tables. `settle` is dropped in the release after
-- 0.1.0.
--
-- Each composite is a struct of parallel arrays: element n of every array belongs to row n. An array is empty where no
-- row has the value. Sent in binary form, arrays cost a fraction of rows or JSON (docs/decisions/0005). The number and
-- the types of the fields are part of the protocol: to change them, make a settle_v3 with types of its own.

create type settle_items as (
  -- position in `accounts`, from 1
  account int[],
  -- charge, grant, reserve, release: see 0002
  kind text[],
  settlement_id uuid[],
  credits bigint[],
  -- of a charge: what the balance must cover, whatever is charged; of a reservation: the least to reserve
  credits_min bigint[],
  -- the reservation to settle from and close
  reservation_id uuid[],
  -- of a reservation: when its lease ends; of a release: a lease that ends later was renewed and stays
  lease_until timestamptz[],
  note text[],
  request_id text[],
  idempotency_key text[],
  fingerprint bytea[],
  status int[],
  body text[]
);
comment on type settle_items is 'What settle_v2 settles, in order.';

create type settle_lines as (
  -- position in the items, from 1; so in the types below
  item int[],
  price_key text[],
  units bigint[],
  credits bigint[]
);
comment on type settle_lines is 'The ledger lines of charges.';

create type settle_usages as (
  item int[],
  requested_at timestamptz[],
  endpoint text[],
  duration_ms int[],
  request_params text[],
  source text[],
  client json[]
);
comment on type settle_usages is 'The usage records of requests.';

create type settle_writes as (
  item int[],
  -- names the function write_charged_<writer>(account_id bigint, request_id text, client json, data jsonb)
  writer text[],
  data jsonb[],
  -- {"task", "key", "payload", "attempts_max"}
  job jsonb[]
);
comment on type settle_writes is 'Rows that exist only if their item is charged, and the jobs that they queue.';

create function settle_v2(
  -- distinct accounts, ascending
  accounts bigint[],
  -- true: items of accounts that another transaction has locked are answered `busy` instead of waited for
  skip_busy boolean,
  settled_at timestamptz,
  items settle_items,
  lines settle_lines,
  usages settle_usages,
  writes settle_writes
) returns setof settle_outcome
language plpgsql
-- Query plans are made once a connection, often while the tables are small, and reused while they grow. So every look-up
-- must follow an index, whatever the planner estimates: `offset 0` or one array makes it ask row by row. Scanning
-- settlements for every batch was measured to cost three times the rest.
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
-- Otherwise PostgreSQL plans each statement anew for the arrays of each batch.
set plan_cache_mode = force_generic_plan
as $$
declare
  -- 2^53 - 1: JSON carries no larger figure exactly.
  granted_max constant bigint := 9007199254740991;
  -- Local arrays are read by position in constant time, fields of a composite in linear time.
  item_account constant int[] := items.account;
  item_kind constant text[] := items.kind;
  item_settlement constant uuid[] := items.settlement_id;
  item_credits constant bigint[] := items.credits;
  item_credits_min constant bigint[] := items.credits_min;
  item_reservation constant uuid[] := items.reservation_id;
  item_lease_until constant timestamptz[] := items.lease_until;
  item_note constant text[] := items.note;
  item_request constant text[] := items.request_id;
  item_key constant text[] := items.idempotency_key;
  item_fingerprint constant bytea[] := items.fingerprint;
  item_status constant int[] := items.status;
  item_body constant text[] := items.body;
  item_count constant int := cardinality(item_account);
  locked bigint[];
  granted_now bigint[];
  used_now bigint[];
  reserved_now bigint[];
  changed boolean[] := array_fill(false, array[cardinality(accounts)]);
  outcomes text[] := array_fill(null::text, array[item_count]);
  moved bigint[] := array_fill(0::bigint, array[item_count]);
  from_reservation bigint[] := array_fill(null::bigint, array[item_count]);
  stored_status int[];
  stored_body text[];
  has_outdated_key boolean := false;
  found_row record;
  account int;
  free bigint;
begin
  -- 1. Lock the accounts in id order and read their figures. A row that was waited for is read as it is after the wait.
  if skip_busy then
    select array_agg(account_id), array_agg(granted), array_agg(used), array_agg(reserved)
      into locked, granted_now, used_now, reserved_now
      from (
        select balance.account_id, balance.granted, balance.used, balance.reserved
          from account_balances balance
         where balance.account_id = any (accounts)
         order by balance.account_id
           for update skip locked
      ) locked_balances;
  else
    select array_agg(account_id), array_agg(granted), array_agg(used), array_agg(reserved)
      into locked, granted_now, used_now, reserved_now
      from (
        select balance.account_id, balance.granted, balance.used, balance.reserved
          from account_balances balance
         where balance.account_id = any (accounts)
         order by balance.account_id
           for update
      ) locked_balances;
  end if;

  -- 2. Unknown and busy accounts have no figures: put those of the others in their positions.
  if locked is distinct from accounts then
    select array_agg(granted_now[place] order by position),
           array_agg(used_now[place] order by position),
           array_agg(reserved_now[place] order by position)
      into granted_now, used_now, reserved_now
      from (
        select wanted.position, array_position(locked, wanted.account_id) as place
          from unnest(accounts) with ordinality as wanted (account_id, position)
      ) placed;
    if skip_busy then
      for item in 1 .. item_count loop
        if locked is null or not accounts[item_account[item]] = any (locked) then
          outcomes[item] := 'busy';
        end if;
      end loop;
    end if;
  end if;

  -- 3. Settlement ids that exist already: the batch was sent again after a lost connection.
  for found_row in
    select sent.item::int as item, settlement.credits
      from unnest(item_settlement) with ordinality as sent (settlement_id, item)
     cross join lateral (
       select credits from settlements where settlement_id = sent.settlement_id offset 0
     ) settlement
  loop
    outcomes[found_row.item] := 'settled';
    moved[found_row.item] := found_row.credits;
  end loop;

  -- 4. Idempotency keys with a response of the last 7 days.
  if cardinality(item_key) > 0 then
    stored_status := array_fill(null::int, array[item_count]);
    stored_body := array_fill(null::text, array[item_count]);
    for found_row in
      select sent.item::int as item, record.fingerprint, record.status, record.body,
             record.created_at <= settle_v2.settled_at - interval '7 days' as outdated
        from unnest(item_key) with ordinality as sent (idempotency_key, item)
       cross join lateral (
         select *
           from idempotency_records
          where account_id = accounts[item_account[sent.item]]
            and idempotency_key = sent.idempotency_key
         offset 0
       ) record
       where sent.idempotency_key is not null
    loop
      if outcomes[found_row.item] is not null then
        continue;
      elsif found_row.outdated then
        has_outdated_key := true;
      elsif found_row.fingerprint = item_fingerprint[found_row.item] then
        outcomes[found_row.item] := 'replayed';
        stored_status[found_row.item] := found_row.status;
        stored_body[found_row.item] := found_row.body;
      else
        outcomes[found_row.item] := 'reused';
      end if;
    end loop;
  end if;

  -- 5. Reservations to settle from or close. A released one is not found. They are locked, so that a renewal is either
  --    seen here or finds its reservation gone.
  if cardinality(item_reservation) > 0 then
    for found_row in
      select sent.item::int as item, reservation.credits
        from unnest(item_reservation) with ordinality as sent (reservation_id, item)
       cross join lateral (
         select lease.credits
           from reservations lease
          where lease.reservation_id = sent.reservation_id
            and lease.account_id = accounts[item_account[sent.item]]
            and (item_kind[sent.item] <> 'release' or lease.leased_until < item_lease_until[sent.item])
            for update
       ) reservation
    loop
      from_reservation[found_row.item] := found_row.credits;
    end loop;
  end if;

  -- 6. Decide the new items in order, against the running balance.
  for item in 1 .. item_count loop
    if outcomes[item] is not null then
      continue;
    end if;
    account := item_account[item];
    if used_now[account] is null then
      outcomes[item] := 'unknown_account';
      continue;
    end if;
    -- null where no quota is enforced
    free := granted_now[account] - used_now[account] - reserved_now[account] + coalesce(from_reservation[item], 0);
    if item_kind[item] = 'grant' and granted_now[account] + item_credits[item] > granted_max then
      outcomes[item] := 'beyond_bounds';
      continue;
    elsif item_kind[item] = 'grant' then
      granted_now[account] := granted_now[account] + item_credits[item];
      moved[item] := item_credits[item];
    elsif item_kind[item] = 'reserve' then
      moved[item] := least(item_credits[item], coalesce(free, item_credits[item]));
      if moved[item] < item_credits_min[item] then
        moved[item] := 0;
        outcomes[item] := 'quota_exceeded';
        continue;
      end if;
      reserved_now[account] := reserved_now[account] + moved[item];
    elsif item_kind[item] = 'release' and from_reservation[item] is null then
      outcomes[item] := 'not_released';
      continue;
    elsif free < greatest(item_credits[item], item_credits_min[item]) then
      outcomes[item] := 'quota_exceeded';
      continue;
    else
      used_now[account] := used_now[account] + item_credits[item];
      reserved_now[account] := reserved_now[account] - coalesce(from_reservation[item], 0);
      moved[item] := item_credits[item];
    end if;
    changed[account] := true;
    outcomes[item] := 'new';
  end loop;

  -- 7. Write the new items.
  insert into settlements (settlement_id, account_id, kind, credits, settled_at)
  select item_settlement[item], accounts[item_account[item]], item_kind[item], moved[item], settle_v2.settled_at
    from generate_subscripts(outcomes, 1) as item
   where outcomes[item] = 'new';

  insert into ledger_entries
    (account_id, settlement_id, kind, price_key, units, credits, request_id, note, recorded_at)
  select accounts[item_account[line.item]], item_settlement[line.item], 'charge', line.price_key, line.units,
         line.credits, item_request[line.item], item_note[line.item], settle_v2.settled_at
    from unnest(lines.item, lines.price_key, lines.units, lines.credits) as line (item, price_key, units, credits)
   where outcomes[line.item] = 'new';

  if 'grant' = any (item_kind) then
    insert into ledger_entries (account_id, settlement_id, kind, credits, request_id, note, recorded_at)
    select accounts[item_account[item]], item_settlement[item], 'grant', moved[item],
           item_request[item], item_note[item], settle_v2.settled_at
      from generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new' and item_kind[item] = 'grant';
  end if;

  if 'reserve' = any (item_kind) then
    insert into reservations (reservation_id, account_id, credits, purpose, leased_until, created_at)
    select item_settlement[item], accounts[item_account[item]], moved[item],
           item_note[item], item_lease_until[item], settle_v2.settled_at
      from generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new' and item_kind[item] = 'reserve';
  end if;

  if has_outdated_key then
    delete from idempotency_records record
     using generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new'
       and record.account_id = accounts[item_account[item]]
       and record.idempotency_key = item_key[item]
       and record.created_at <= settle_v2.settled_at - interval '7 days';
  end if;

  if stored_body is not null then
    insert into idempotency_records
      (account_id, idempotency_key, fingerprint, settlement_id, status, body, credits, created_at)
    select accounts[item_account[item]], item_key[item], item_fingerprint[item], item_settlement[item],
           item_status[item], item_body[item], moved[item], settle_v2.settled_at
      from generate_subscripts(outcomes, 1) as item
     where outcomes[item] = 'new' and item_key[item] is not null;
  end if;

  if cardinality(item_reservation) > 0 then
    delete from reservations
     where reservation_id = any (array(
       select item_reservation[item]
         from generate_subscripts(outcomes, 1) as item
        where outcomes[item] = 'new' and from_reservation[item] is not null
     ));
  end if;

  if cardinality(writes.item) > 0 then
    for found_row in
      select write.*, usages.client[array_position(usages.item, write.item)] as client
        from unnest(writes.item, writes.writer, writes.data) as write (item, writer, data)
       where outcomes[write.item] = 'new'
    loop
      -- The prefix is the allow-list: no other function can be called by name.
      execute format('select %I($1, $2, $3, $4)', 'write_charged_' || found_row.writer)
        using accounts[item_account[found_row.item]], item_request[found_row.item], found_row.client, found_row.data;
    end loop;

    -- The first worker creates the queue, in several steps. A row that was written without a job is found by that worker.
    if to_regclass('graphile_worker.jobs') is not null then
      begin
        perform graphile_worker.add_job(
                  identifier := write.job ->> 'task',
                  payload := (write.job -> 'payload')::json,
                  max_attempts := (write.job ->> 'attempts_max')::int,
                  job_key := write.job ->> 'key')
           from unnest(writes.item, writes.job) as write (item, job)
          where outcomes[write.item] = 'new';
      exception
        when undefined_function then null; -- not created yet, or not with these parameters
      end;
    end if;
  end if;

  insert into usage_records
    (account_id, requested_at, endpoint, status, credits, duration_ms, request_params, settlement_status,
     source, request_id, client_version, mcp_tool_name, connector_session_id, mcp_client_name,
     mcp_client_version)
  select accounts[item_account[usage.item]], usage.requested_at, usage.endpoint,
         case outcomes[usage.item]
           when 'new' then item_status[usage.item]
           when 'replayed' then stored_status[usage.item]
           when 'reused' then 409
           when 'quota_exceeded' then 429
         end,
         case outcomes[usage.item] when 'new' then moved[usage.item] else 0 end,
         usage.duration_ms, usage.request_params::json,
         case outcomes[usage.item] when 'new' then 'settled' when 'replayed' then 'replayed' else 'refused' end,
         usage.source, item_request[usage.item], usage.client ->> 'client_version', usage.client ->> 'mcp_tool_name',
         usage.client ->> 'connector_session_id', usage.client ->> 'mcp_client_name',
         usage.client ->> 'mcp_client_version'
    from unnest(usages.item, usages.requested_at, usages.endpoint, usages.duration_ms, usages.request_params,
                usages.source, usages.client)
      as usage (item, requested_at, endpoint, duration_ms, request_params, source, client)
   where outcomes[usage.item] in ('new', 'replayed', 'reused', 'quota_exceeded');

  update account_balances balance
     set granted = granted_now[array_position(accounts, balance.account_id)],
         used = used_now[array_position(accounts, balance.account_id)],
         reserved = reserved_now[array_position(accounts, balance.account_id)]
   where balance.account_id = any (accounts)
     and changed[array_position(accounts, balance.account_id)];

  -- 8. Report each item's outcome, with the figures after the batch.
  return query
    select item, case outcomes[item] when 'new' then 'settled' else outcomes[item] end, moved[item],
           granted_now[item_account[item]], used_now[item_account[item]], reserved_now[item_account[item]],
           stored_status[item], stored_body[item]
      from generate_subscripts(outcomes, 1) as item;
end $$;
comment on function settle_v2 is 'Settles a batch in one transaction: the one place where credits move (contract section 5).';
comment on function settle is 'For processes of release 0.1.0 and before; dropped in the release after. See settle_v2.';
