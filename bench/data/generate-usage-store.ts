import { sql } from 'kysely'
import type { World } from '../../src/database/open.ts'
import { createAccount, sumLedgerDays, sumUsageDays } from '../../src/features/account/index.ts'

const days = 90
const granted = 100_000_000
const endpoints = ['domain.resolve', 'company.search', 'company.resolve', 'signal.feed', 'export.quote']

/** Generates an account with this many usage records of the last days. Each has its entry in the ledger. */
export async function generateUsage(world: World, records: number): Promise<string> {
  const account = await createAccount(world, { name: 'bench', plan: 'growth', creditsGranted: granted })
  const { database } = world
  const today = new Date()
  const from = new Date(today.getTime() - days * 86_400_000).toISOString().slice(0, 10)
  await sql`select ensure_month_partitions(${from}::date, 4)`.execute(database)
  await database.connection().execute(async connection => {
    // A busy machine needs longer than the time limit of the service.
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`
      insert into usage_records
        (account_id, requested_at, endpoint, status, credits, duration_ms, request_params, settlement_status,
         source, request_id)
      select account.id,
             ${today}::timestamptz - make_interval(secs => n * ${days * 86_400}::float8 / ${records}::int),
             (${endpoints}::text[])[1 + n % ${endpoints.length}::int],
             case when n % 23 = 0 then 429 else 200 end,
             case when n % 23 = 0 then 0 else 1 end,
             5 + n % 40, '{"domain":"example.com"}',
             case when n % 23 = 0 then 'refused' else 'settled' end,
             'api', 'req_' || n
        from accounts account
       cross join generate_series(1, ${records}::int) n
       where account.account_ref = ${account.account_ref}`.execute(connection)
    await sql`
      insert into ledger_entries
        (account_id, settlement_id, kind, price_key, units, credits, request_id, recorded_at)
      select account_id, gen_random_uuid(), 'charge', 'domain.resolve', 1, credits, request_id, requested_at
        from usage_records
       where settlement_status = 'settled'
       order by requested_at`.execute(connection)
    // Housekeeping deletes older records.
    await sql`
      insert into settlements (settlement_id, account_id, kind, credits, settled_at)
      select entry.settlement_id, entry.account_id, entry.kind, entry.credits, entry.recorded_at
        from ledger_entries entry
        join accounts account on account.id = entry.account_id
       where account.account_ref = ${account.account_ref} and entry.kind = 'charge'
         and entry.recorded_at > ${today}::timestamptz - interval '8 days'`.execute(connection)
    await sql`
      update account_balances balance
         set used = spent.credits
        from (
          select account_id, sum(credits) as credits
            from ledger_entries
           where kind = 'charge'
           group by account_id
        ) spent
       where spent.account_id = balance.account_id`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
  // Finished days are summed, as housekeeping does.
  while ((await sumUsageDays(database, today)) > 0);
  while ((await sumLedgerDays(database, today)) > 0);
  // Without a vacuum a BRIN index finds every page of the newest month.
  await sql`vacuum (analyze)`.execute(database)
  return account.account_ref
}
