import { sql } from 'kysely'
import type { World } from '../../src/database/open.ts'
import { deriveObserved } from '../../src/features/domains/index.ts'
import { findStream, type SourceFile, type Stream, syncRegister } from '../../src/registers/index.ts'
import { domainOf } from './sizes.ts'

/** The numbers of rows in lists other than usage and ledger. */
export const listRows = {
  accounts: 10_000,
  auditEvents: 100_000,
  exports: 1_000,
  keys: 100,
  members: 100,
  platforms: 200,
  prospectLists: 10_000,
  /** The hosts of a blocklist. The quarantined snapshot has a tenth of them. */
  blocklist: 20_000,
}

/** Returns the ref of a row: a prefix and 20 digits. */
const ref = (prefix: string) => sql`${`${prefix}_`} || lpad(n::text, 20, '0')`

/** Generates long lists of an account, and work that waits for staff. The domains must exist. */
export async function generateDashboard({ database }: World, accountRef: string): Promise<void> {
  const account = sql`(select id from accounts where account_ref = ${accountRef})`
  const run = (statement: ReturnType<typeof sql>) => statement.execute(database)
  await run(sql`
    with created as (
      insert into accounts (account_ref, name, plan)
      select ${ref('acc')}, 'Casino Group ' || n, 'free' from generate_series(1, ${listRows.accounts}) n
      returning id
    )
    insert into account_balances (account_id, granted) select id, 0 from created`)
  await run(sql`
    with created as (
      insert into users (user_ref, email, created_at)
      select ${ref('usr')}, 'analyst' || n || '@bank.example', now()
        from generate_series(1, ${listRows.members}) n
      returning id
    )
    insert into memberships (user_id, account_id, role, created_at)
    select id, ${account}, 'member', now() from created`)
  await run(sql`
    insert into api_keys (key_ref, account_id, key_sha256, last_four, name)
    select ${ref('key')}, ${account}, sha256(n::text::bytea), lpad(n::text, 4, '0'), 'Screening ' || n
      from generate_series(1, ${listRows.keys}) n`)
  await run(sql`
    insert into audit_events (happened_at, account_id, action, subject)
    select now() - n * interval '1 minute', ${account}, 'key.rotate', ${ref('key')}
      from generate_series(1, ${listRows.auditEvents}) n`)
  await run(sql`
    insert into exports
      (account_id, state, format, filters, fields, quoted_rows, quoted_credits, requested_at, failure)
    select ${account}, 'failed', 'csv', '{}', '{}', 1000, 1000, now() - n * interval '1 hour', 'no space'
      from generate_series(1, ${listRows.exports}) n`)
  await run(sql`
    with platform as (
      insert into platforms (platform_key, name)
      select 'platform-' || n, 'Platform ' || n from generate_series(1, ${listRows.platforms}) n
      returning id
    )
    insert into platform_readings (domain_id, seen_at, platform_id, stream)
    select domain.id, now() - interval '1 day', platform.id, 'bench'
      from platform
      join domains domain on domain.id % ${listRows.platforms} = platform.id % ${listRows.platforms}`)
  await database.transaction().execute(async tx => {
    const { rows } = await sql<{
      id: number
    }>`select distinct domain_id as id from platform_readings`.execute(tx)
    await deriveObserved(
      tx,
      rows.map(row => row.id),
    )
  })
  await run(sql`
    with list as (
      insert into prospect_lists (prospect_list_ref, account_id, cadence, status, requested_at)
      select ${ref('pl')}, case when n % 10 = 0 then ${account} end, 'one_time',
             case when n % 10 = 0 then 'preparing' else 'requested' end, now() - n * interval '1 hour'
        from generate_series(1, ${listRows.prospectLists}) n
      returning id, requested_at
    )
    insert into prospect_list_requests (prospect_list_id, name, email, company, request, received_at)
    select id, 'Ada', 'ada@bank.example', 'Bank', repeat('Operators with a Maltese license. ', 20),
           requested_at
      from list`)
  await run(sql`analyze`)
}

/** Stores a blocklist, and then a quarantined snapshot with a tenth of it. */
export async function holdSnapshot(world: World): Promise<void> {
  const stream = findStream('estonia.blocklist') as Stream
  for (const [hour, hosts] of [listRows.blocklist, listRows.blocklist / 10].entries()) {
    const text = Array.from({ length: hosts }, (_, number) => `${domainOf(number)}\n`).join('')
    const file: SourceFile = {
      name: 'blocklist.txt',
      async *open() {
        yield Buffer.from(text)
      },
    }
    const takenAt = new Date(Date.UTC(2026, 0, 1, hour))
    const { status } = await syncRegister(world, stream, [file], { takenAt, now: new Date() })
    if (status === 'held') return
  }
  throw new Error('no snapshot was quarantined')
}
