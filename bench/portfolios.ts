import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { countChanges } from '../src/features/portfolios/index.ts'
import { serverOf, withCpuTime } from './harness/cpu-time.ts'
import { atMost, judge } from './harness/goals.ts'
import { readOptions } from './harness/options.ts'
import { createOneKey, runBenchmark } from './harness/run-benchmark.ts'
import { syncRegister } from './harness/sync-register.ts'

// Usage: npm run bench:portfolios [-- --portfolios N] [--members N] [--changes N] [--json FILE]. Measures the
// CPU time of syncs that change N verdicts, without portfolios and beside them, and of counting the changes
// for their messages. A tenth of the members are sites of the register.
const { portfolios, members, changes, json } = readOptions({
  portfolios: 10_000,
  members: 1_000,
  changes: 10_000,
  json: '',
})
const stream = 'estonia.blocklist'
const listed = 20_000
const named = 10 * listed
const rounds = 2

await runBenchmark(json, async ({ open, judge: add }) => {
  const data = await open('bench-portfolios', { portfolios, members, changes }, false, async () => {})
  const { database } = data.world
  await createOneKey(data.world)
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database)
  const postgres = await serverOf(rows[0]?.pid as number)
  const [all, fewer] = [join(data.directory, 'all.txt'), join(data.directory, 'fewer.txt')]
  const hosts = Array.from({ length: listed }, (_, number) => `play${number}.example.com`)
  await writeFile(all, `${hosts.join('\n')}\n`)
  await writeFile(fewer, `${hosts.slice(changes).join('\n')}\n`)
  await syncRegister(stream, all, data)
  const cpuOf = async (work: () => Promise<unknown>) =>
    (await withCpuTime(postgres, work)).cpuUs ?? Number.NaN

  /** Changes the verdicts of the same sites twice. Returns the CPU time of the second sync, in seconds. */
  async function syncTwice(): Promise<{ sync: number; count: number }> {
    await syncRegister(stream, fewer, data)
    while (!(await countChanges(database)));
    const sync = await cpuOf(() => syncRegister(stream, all, data))
    const count = await cpuOf(async () => {
      while (!(await countChanges(database)));
    })
    return { sync: sync / 1e6, count: count / 1e6 }
  }
  const alone: number[] = []
  for (let round = 0; round < rounds; round++) alone.push((await syncTwice()).sync)
  await fill(database)
  const beside: { sync: number; count: number }[] = []
  for (let round = 0; round < rounds; round++) beside.push(await syncTwice())
  const base = Math.min(...alone)
  console.log(`alone ${alone.map(each => each.toFixed(1)).join(', ')} s of CPU; beside`)
  for (const { sync, count } of beside)
    console.log(`  ${sync.toFixed(1)} s, and ${count.toFixed(1)} s to count`)
  const ratios = (of: (each: (typeof beside)[number]) => number) => beside.map(each => of(each) / base)
  add(
    judge(
      'sync beside portfolios / alone',
      atMost(1.2),
      ratios(({ sync }) => sync),
    ),
  )
  add(
    judge(
      'sync and counting / alone',
      null,
      ratios(({ sync, count }) => sync + count),
    ),
  )
  return { portfolios, members, changes, alone, beside }
})

async function fill(database: Parameters<typeof countChanges>[0]): Promise<void> {
  await sql`
    insert into portfolios (account_id, name, size, created_at, changed_at)
    select (select id from accounts limit 1), 'portfolio-' || n, ${members}, now(), now()
      from generate_series(1, ${portfolios}::int) n`.execute(database)
  await sql`
    insert into portfolio_notices (portfolio_id, channel, target, next_at)
    select id, 'url', 'https://merchant.example/', now() + interval '1 year' from portfolios`.execute(
    database,
  )
  await database.transaction().execute(async tx => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`
      insert into portfolio_members (portfolio_id, domain, added_after)
      select portfolios.id, 'play' || (n::bigint * 9973 + id * 7919) % ${named}::int || '.example.com', 0
        from portfolios, generate_series(1, ${members}::int) n`.execute(tx)
    await sql`analyze portfolio_members`.execute(tx)
  })
}
