import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { filesOf } from './data/import-lines.ts'
import { writeLines } from './data/write-lines.ts'
import { serverOf, withCpuTime } from './harness/cpu-time.ts'
import { atLeast, judge } from './harness/goals.ts'
import { readOptions } from './harness/options.ts'
import { runMeasured } from './harness/processes.ts'
import { type Benchmark, instanceOf, runBenchmark } from './harness/run-benchmark.ts'

// Usage: npm run bench:first-load [-- --lines N] [--json FILE]. Loads N lines of domains, and N blocklist
// entries of new domains, each with the command into an empty database. The limit is COPY of the rows that
// the load wrote, into tables with the same indexes, in the same run.
const options = readOptions({ lines: 100_000, json: '' })
const wanted = 50_000
const titles = ['domain, without a Company', 'blocklist_entry, of new domains']
const filled = ['domains', 'blocklist_entries', 'domain_listings', 'verdict_changes']

await runBenchmark(options.json, async benchmark => {
  const results = []
  for (const file of filesOf(options.lines).filter(({ title }) => titles.includes(title)))
    results.push(await load(benchmark, file))
  benchmark.print(
    results.map(({ title, ...each }) => ({
      kind: title,
      'lines/s': each.linesPerSecond.toFixed(0),
      'COPY, rows of lines/s': each.copyPerSecond.toFixed(0),
      'of COPY': (each.linesPerSecond / each.copyPerSecond).toFixed(2),
      'CPU us/line': each.cpuUsPerLine?.toFixed(0) ?? '-',
      'COPY CPU': each.copyCpuUsPerLine?.toFixed(0) ?? '-',
      'peak MB': each.memoryMb.toFixed(0),
    })),
  )
  benchmark.judge(
    results.flatMap(({ title, linesPerSecond }) =>
      judge(`lines/s, ${title}`, { ...atLeast(wanted), coresMin: 2 }, [linesPerSecond]),
    ),
  )
  return { lines: options.lines, results }
})

async function load({ open }: Benchmark, { kind, title, lines, line }: ReturnType<typeof filesOf>[number]) {
  const data = await open(`bench-first-${kind}`, { lines }, false, async () => {})
  const { database } = data.world
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database)
  const postgres = await serverOf(rows[0]?.pid as number)
  const file = join(data.directory, 'lines.ndjson')
  await writeLines(file, lines, number => JSON.stringify({ kind, ...line(number) }))
  const { result: measured, cpuUs } = await withCpuTime(postgres, () =>
    runMeasured('src/main/cli.ts', ['--json', 'import', file], instanceOf(data), {
      nodeOptions: ['--max-semi-space-size=4'],
    }),
  )
  const { seconds, rejected } = JSON.parse(measured.stdout) as { seconds: number; rejected: number }
  if (rejected > 0) throw new Error(measured.stdout)
  const copy = await copyAgain(data, postgres)
  const result = {
    title,
    linesPerSecond: lines / seconds,
    copyPerSecond: lines / copy.seconds,
    cpuUsPerLine: cpuUs === null ? null : cpuUs / lines,
    copyCpuUsPerLine: copy.cpuUs === null ? null : copy.cpuUs / lines,
    memoryMb: measured.memoryMb,
  }
  console.error(
    `${title}: ${result.linesPerSecond.toFixed(0)} lines/s, COPY ${result.copyPerSecond.toFixed(0)}`,
  )
  return result
}

/** Copies the rows of the load into tables with the same indexes. Returns what that takes. */
async function copyAgain(
  { connection, directory }: Awaited<ReturnType<Benchmark['open']>>,
  postgres: number | null,
): Promise<{ seconds: number; cpuUs: number | null }> {
  const path = (table: string) => join(directory, `${table}.copy`)
  const client = new pg.Client(connection)
  await client.connect()
  try {
    for (const table of filled)
      await pipeline(
        client.query(copyTo(`copy ${table} to stdout (format binary)`)),
        createWriteStream(path(table)),
      )
    await client.query('begin')
    for (const table of filled)
      await client.query(`create table copied_${table} (like ${table} including all)`)
    const start = performance.now()
    const { cpuUs } = await withCpuTime(postgres, async () => {
      for (const table of filled)
        await pipeline(
          createReadStream(path(table)),
          client.query(copyFrom(`copy copied_${table} from stdin (format binary)`)),
        )
    })
    const seconds = (performance.now() - start) / 1000
    await client.query('rollback')
    return { seconds, cpuUs }
  } finally {
    await client.end()
    for (const table of filled) await rm(path(table), { force: true })
  }
}
