-- What each MCP session has spent, so that a budget binds all its calls (contract section 16).
create table mcp_sessions (
  account_id bigint not null references accounts (id),
  session_id text collate "C" not null,
  spent bigint not null check (spent >= 0),
  last_charged_at timestamptz not null,
  primary key (account_id, session_id)
);
comment on table mcp_sessions is 'Credits that MCP sessions have spent; written by settling, under the lock of the account. A session without a charge has no row.';
create index mcp_sessions_by_age on mcp_sessions (last_charged_at);

create type settle_sessions as (
  item int[],
  session_id text[],
  -- null: no budget, the spend is only counted.
  credits_max bigint[]
);
comment on type settle_sessions is 'The MCP sessions of items, and what each session may have spent after its item.';

-- settle_v4: settle_v3 with one more argument. Two items of one session are judged in turn, as two items of one account.
-- Of two items with one reservation only the first settles from it; settle_v3 subtracted the reservation twice.
do $patch$
declare
  before text := pg_get_functiondef('settle_v3'::regproc);
  body text := replace(before, 'settle_v3', 'settle_v4');
  patches constant text[][] := array[
    ['usage_keys bigint[])', 'usage_keys bigint[], sessions settle_sessions)'],
    [E'  has_outdated_key boolean := false;\n', E'  has_outdated_key boolean := false;\n'
      '  session_of int[];\n  session_max bigint[];\n  session_spent bigint[];\n'],
    [E'  -- 6. Decide the new items in order', E'  -- 5b. What the items\' sessions have spent.\n'
      '  if cardinality(sessions.item) > 0 then\n'
      '    for found_row in\n'
      '      select sent.item, sent.credits_max, coalesce(session.spent, 0) as spent,\n'
      '             dense_rank() over (order by item_account[sent.item], sent.session_id)::int as place\n'
      '        from unnest(sessions.item, sessions.session_id, sessions.credits_max)\n'
      '          as sent (item, session_id, credits_max)\n'
      '        left join lateral (\n'
      '          select spent\n'
      '            from mcp_sessions\n'
      '           where account_id = accounts[item_account[sent.item]]\n'
      '             and session_id = sent.session_id\n'
      '          offset 0\n'
      '        ) session on true\n'
      '    loop\n'
      '      session_of[found_row.item] := found_row.place;\n'
      '      session_max[found_row.item] := found_row.credits_max;\n'
      '      session_spent[found_row.place] := found_row.spent;\n'
      '    end loop;\n'
      '  end if;\n\n'
      '  -- 6. Decide the new items in order'],
    [E'    elsif free < greatest(', E'    elsif session_spent[session_of[item]] + item_credits[item] > session_max[item] then\n'
      '      outcomes[item] := ''budget_exceeded'';\n'
      '      continue;\n'
      '    elsif free < greatest('],
    [E'      moved[item] := item_credits[item];\n    end if;\n    changed',
     E'      moved[item] := item_credits[item];\n'
      '      if session_of[item] is not null then\n'
      '        session_spent[session_of[item]] := session_spent[session_of[item]] + item_credits[item];\n'
      '      end if;\n'
      '      if from_reservation[item] is not null then\n'
      '        for other in item + 1 .. item_count loop\n'
      '          if item_reservation[other] = item_reservation[item] then\n'
      '            from_reservation[other] := null;\n'
      '          end if;\n'
      '        end loop;\n'
      '      end if;\n'
      '    end if;\n    changed'],
    [E'  if has_outdated_key then\n', E'  if cardinality(sessions.item) > 0 then\n'
      '    insert into mcp_sessions (account_id, session_id, spent, last_charged_at)\n'
      '    select accounts[item_account[sent.item]], sent.session_id, sum(moved[sent.item]), settle_v4.settled_at\n'
      '      from unnest(sessions.item, sessions.session_id) as sent (item, session_id)\n'
      '     where outcomes[sent.item] = ''new'' and moved[sent.item] > 0\n'
      '     group by accounts[item_account[sent.item]], sent.session_id\n'
      '    on conflict (account_id, session_id)\n'
      '      do update set spent = mcp_sessions.spent + excluded.spent, last_charged_at = excluded.last_charged_at;\n'
      '  end if;\n\n'
      '  if has_outdated_key then\n'],
    [E'           when ''quota_exceeded'' then 429\n',
     E'           when ''quota_exceeded'' then 429\n           when ''budget_exceeded'' then 402\n'],
    ['(''new'', ''replayed'', ''reused'', ''quota_exceeded'')',
     '(''new'', ''replayed'', ''reused'', ''quota_exceeded'', ''budget_exceeded'')']
  ];
  patched text;
begin
  for place in 1 .. array_length(patches, 1) loop
    patched := replace(body, patches[place][1], patches[place][2]);
    if length(patched) - length(body) <> length(patches[place][2]) - length(patches[place][1]) then
      raise exception 'settle_v3 is not as expected at patch %', place;
    end if;
    body := patched;
  end loop;
  execute body;
end
$patch$;
comment on function settle_v4 is 'Settles a batch in one transaction: the one place where credits move (contract section 5).';

-- Replaced in place: a call that runs meanwhile ends as it began.
create or replace function settle_v3(
  accounts bigint[],
  skip_busy boolean,
  settled_at timestamptz,
  items settle_items,
  lines settle_lines,
  usages settle_usages,
  writes settle_writes,
  usage_keys bigint[]
) returns setof settle_outcome
language sql
as $$
  select * from settle_v4(accounts, skip_busy, settled_at, items, lines, usages, writes, usage_keys, sessions => null)
$$;
comment on function settle_v3 is 'For processes that know no MCP sessions; dropped in a later release. See settle_v4.';
