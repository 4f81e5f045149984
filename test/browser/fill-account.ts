import { generateUsage } from '../../bench/data/generate-usage-store.ts'
import { withClient } from '../harness/client.ts'
import type { TestService } from '../harness/service.ts'

export const filledRows = 10_000

/** Creates an account with this many rows in each list, and as many other accounts, events and sites. */
export async function fillAccount({ service, database }: TestService): Promise<string> {
  const accountRef = await generateUsage(service.live, filledRows)
  const rows = `generate_series(1, ${filledRows}) n`
  await withClient(database.connection, client =>
    client.query(`
      insert into accounts (account_ref, name, plan)
      select 'acc_' || lpad(n::text, 20, '0'), 'The Bank of the Northern Counties, branch ' || n, 'growth'
        from ${rows};
      insert into account_balances (account_id, granted)
      select id, 1000 from accounts where name like 'The Bank%';
      update accounts set name = 'The Savings Bank of the Northern and Southern Counties and their Islands'
       where account_ref = '${accountRef}';
      create temp table filled as select id from accounts where account_ref = '${accountRef}';
      insert into audit_events (happened_at, email, account_id, action, subject, details)
      select now() - n * interval '1 minute', 'somebody-' || n || '@a-long-bank-name.example', filled.id,
             'key.created', 'key_' || lpad(n::text, 20, '0'), '{"name": "billing server"}'
        from filled, ${rows};
      insert into exports (account_id, state, format, filters, fields, quoted_rows, quoted_credits,
                           requested_at, failure)
      select filled.id, 'failed', 'csv', '{}', '{}', n, n, now() - n * interval '1 minute', 'disk'
        from filled, ${rows};
      insert into prospect_lists (prospect_list_ref, account_id, cadence, status, requested_at)
      select 'pl_' || lpad(n::text, 20, '0'), filled.id, 'weekly', 'requested', now() - n * interval '1 hour'
        from filled, ${rows};
      insert into users (user_ref, email, created_at)
      select 'usr_' || lpad(n::text, 20, '0'), 'member-' || n || '@a-very-long-bank-name.example', now()
        from generate_series(1, 25) n;
      insert into memberships (user_id, account_id, role, created_at)
      select users.id, filled.id, 'member', now() from users, filled where email like 'member-%';
      insert into api_keys (key_ref, account_id, key_sha256, last_four, name)
      select 'key_' || lpad(n::text, 20, '0'), filled.id, sha256(n::text::bytea), 'abcd',
             'The nightly screening of portfolio ' || n
        from filled, generate_series(1, 25) n;
      insert into platforms (platform_key, name) values ('manor', 'Manor');
      insert into domains (domain_ref, domain)
      select 'dom_' || lpad(n::text, 20, '0'), 'casino-of-the-manor-' || n || '.example' from ${rows};
      insert into platform_readings (domain_id, seen_at, platform_id, stream)
      select domains.id, now() - domains.id * interval '1 minute', platforms.id, 'sites'
        from domains, platforms where domain like 'casino-of-the-manor-%';
      insert into portfolios (account_id, name, size, created_at, changed_at)
      select filled.id, 'merchants-of-the-northern-counties', ${filledRows}, now(), now() from filled;
      insert into portfolio_members (portfolio_id, domain, added_after)
      select portfolios.id, 'casino-of-the-manor-' || n || '.example', 0 from portfolios, ${rows};
      insert into lobby_visits (domain, device, state, reason, requested_at, finished_at)
      select 'casino-of-the-manor-' || n || '.example', 'desktop', 'failed', 'no_lobby_found',
             now() - n * interval '1 hour', now() - n * interval '1 hour'
        from ${rows};
      insert into lobby_runs (run_ref, account_id, visit_id, suppliers, requested_at)
      select 'lr_' || lpad(visit.id::text, 20, 'x'), filled.id, visit.id, '{}', visit.requested_at
        from filled, lobby_visits visit;
    `),
  )
  return accountRef
}
