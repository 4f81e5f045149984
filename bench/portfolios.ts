import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../src/database/open.ts'
import { countChanges, readChanges } from '../src/features/portfolios/index.ts'
import { serverOf, withCpuTime } from './harness/cpu-time.ts'
import { atMost, below, type Goal, judge, median } from './harness/goals.ts'
import { readOptions } from './harness/options.ts'
import { type Benchmark, createOneKey, runBenchmark } from './harness/run-benchmark.ts'
import { syncRegister } from './harness/sync-register.ts'

// Usage: npm run bench:portfolios [-- --portfolios N] [--members N] [--changes N] [--rounds N] [--again]
// [--json FILE]. Measures the CPU time of PostgreSQL and Node for syncs that change N verdicts, in turn in a
// database without portfolios and in one with them; of counting the changes for their messages; and of
// reading a quiet portfolio of 100,000 sites. A tenth of the members are sites of the register.
const { portfolios, members, changes, rounds, again, json } = readOptions({
  portfolios: 10_000,
  members: 1_000,
  changes: 10_000,
  rounds: 3,
  again: false,
  json: '',
})
const stream = 'estonia.blocklist'
const listed = 20_000
const named = 10 * listed
const quietMembers = 100_000
const quietReads = 200

type Cost = { cpu: number; seconds: number }
type Turn = { sync: Cost; count: Cost }
type Side = { database: Database; postgres: number | null; sync(file: string): Promise<Cost> }

const shown = (name: string, { sync, count }: Turn) =>
  `${name} ${sync.cpu.toFixed(1)} s of CPU in ${sync.seconds.toFixed(1)} s, to count ${count.cpu.toFixed(2)}`

await runBenchmark(json, async ({ open, judge: add }) => {
  const without = await openSide(open, 'bench-portfolios-none', 0)
  const filled = await openSide(open, 'bench-portfolios', portfolios)
  const turns: { alone: Turn; beside: Turn }[] = []
  for (let round = 0; round < rounds; round++) {
    // The order alternates, so that a drift of the machine's speed favours neither.
    const first = round % 2 === 0 ? await syncTwice(without) : null
    const beside = await syncTwice(filled)
    turns.push({ alone: first ?? (await syncTwice(without)), beside })
  }
  for (const turn of turns) console.log(`${shown('alone', turn.alone)}; ${shown('beside', turn.beside)}`)
  const noticed = await noticedChanges(filled.database)
  const quiet = await readQuiet(filled)
  console.log(`${noticed} changes wait for messages. A quiet read: ${JSON.stringify(quiet)}`)

  const figure = (name: string, goal: Goal | null, of: (turn: (typeof turns)[number]) => number) =>
    add(judge(name, goal, turns.map(of)))
  figure(
    'sync beside portfolios / alone, CPU',
    atMost(1.2),
    turn => turn.beside.sync.cpu / turn.alone.sync.cpu,
  )
  figure('the same, time', null, turn => turn.beside.sync.seconds / turn.alone.sync.seconds)
  figure('CPU of counting / of the sync', null, turn => turn.beside.count.cpu / turn.beside.sync.cpu)
  add(judge('quiet read of 100,000 sites, ms of CPU of PostgreSQL', below(5), [quiet.newest.cpuMs]))
  return { portfolios, members, changes, turns, noticed, quiet }
})

async function openSide(open: Benchmark['open'], name: string, count: number): Promise<Side> {
  const data = await open(name, { count, members }, again, async world => {
    await createOneKey(world)
    if (count > 0) await fill(world.database, count)
  })
  const { database } = data.world
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database)
  const postgres = await serverOf(rows[0]?.pid as number)
  const hosts = Array.from({ length: listed }, (_, number) => `play${number}.example`)
  await writeFile(join(data.directory, 'all.txt'), `${hosts.join('\n')}\n`)
  await writeFile(join(data.directory, 'fewer.txt'), `${hosts.slice(changes).join('\n')}\n`)
  const sync = (file: string) =>
    costOf(postgres, () => syncRegister(stream, join(data.directory, file), data))
  if ((await lastChange(database)) === 0) await sync('all.txt')
  return { database, postgres, sync }
}

/** Changes the verdicts of the same sites twice. The second sync and its count are measured. */
async function syncTwice({ database, postgres, sync }: Side): Promise<Turn> {
  await sync('fewer.txt')
  await countAll(database)
  const from = await lastChange(database)
  await sql`checkpoint`.execute(database)
  const synced = await sync('all.txt')
  const changed = (await lastChange(database)) - from
  if (changed !== changes) throw new Error(`the sync changed ${changed} verdicts, not ${changes}`)
  return { sync: synced, count: await costOf(postgres, () => countAll(database)) }
}

async function costOf(postgres: number | null, work: () => Promise<unknown>): Promise<Cost> {
  const startedAt = performance.now()
  const { cpuUs } = await withCpuTime(postgres, work)
  return { cpu: (cpuUs ?? Number.NaN) / 1e6, seconds: (performance.now() - startedAt) / 1000 }
}

/** Counts as the worker does once a minute. */
async function countAll(database: Database): Promise<void> {
  while (!(await countChanges(database)));
}

async function lastChange(database: Database): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(number), 0) as last from verdict_changes`.execute(database)
  return rows[0]?.last ?? 0
}

async function noticedChanges(database: Database): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    select coalesce(sum(changes), 0) as changes from portfolio_notices`.execute(database)
  return rows[0]?.changes ?? 0
}

/** Measures reads of a portfolio that no change is of: after the last change, and after those of a sync. */
async function readQuiet({ database, postgres }: Side) {
  const { rows } = await sql<{ id: number }>`select id from portfolios where name = 'quiet'`.execute(database)
  const portfolioId = rows[0]?.id as number
  const last = await lastChange(database)
  async function read(after: number, reads: number) {
    const wallMs: number[] = []
    const { cpu } = await costOf(postgres, async () => {
      for (let number = 0; number < reads; number++) {
        const startedAt = performance.now()
        const { rows } = await readChanges(database, { portfolioId, after, limit: 21 })
        wallMs.push(performance.now() - startedAt)
        if (rows.length > 0) throw new Error('the quiet portfolio has changes')
      }
    })
    return { cpuMs: (cpu * 1000) / reads, medianMs: median(wallMs) }
  }
  return { newest: await read(last, quietReads), ofSync: await read(last - changes, quietReads / 10) }
}

async function fill(database: Database, portfolios: number): Promise<void> {
  const add = (name: RawBuilder<unknown>, size: number, count: number) =>
    sql`
    insert into portfolios (account_id, name, size, created_at, changed_at)
    select (select id from accounts limit 1), ${name}, ${size}, now(), now()
      from generate_series(1, ${count}::int) n`.execute(database)
  await add(sql`'portfolio-' || n`, members, portfolios)
  await add(sql`'quiet'`, quietMembers, 1)
  await sql`
    insert into portfolio_notices (portfolio_id, channel, target, next_at)
    select id, 'url', 'https://merchant.example/', now() + interval '1 year' from portfolios`.execute(
    database,
  )
  await database.connection().execute(async connection => {
    await sql`set statement_timeout = 0`.execute(connection)
    // Foreign keys are not checked, which would take most of the time.
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`
      insert into portfolio_members (portfolio_id, domain, added_after)
      select portfolios.id,
             case name when 'quiet' then 'quiet' || n
                       else 'play' || (n::bigint * 9973 + id * 7919) % ${named}::int end || '.example', 0
        from portfolios
       cross join lateral generate_series(1, portfolios.size) n`.execute(connection)
    await sql`reset session_replication_role`.execute(connection)
    await sql`vacuum analyze portfolio_members, portfolios, portfolio_notices`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}
