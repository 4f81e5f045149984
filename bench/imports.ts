import { createReadStream } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { verifyAll } from '../src/verify/index.ts'
import { serverOf, withCpuTime } from './cpu-time.ts'
import { openBenchData } from './data.ts'
import { filesOf } from './import-lines.ts'
import { runMeasured } from './processes.ts'
import { columns } from './scenarios.ts'

// npm run bench:imports [-- --lines N] [--only KIND,…] [--json FILE] [--profile] Imports N lines of each
// kind with the command, with COPY of the same bytes into a table as the limit, and each file a second time.
// CPU time is that of the first time, of Node and PostgreSQL; the start of Node counts.
// --only needs the kinds that the lines refer to: domain,company; prospect_list,account.
const { values: options } = parseArgs({
  options: {
    lines: { type: 'string', default: '100000' },
    only: { type: 'string' },
    json: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
})
const lines = Number(options.lines)
const linesAtOnce = 10_000
const wanted: Record<string, number> = { domain: 50_000, blocklist_entry: 50_000 }
const wantedOfOthers = 20_000

type Imported = {
  title: string
  lines: number
  linesPerSecond: number
  wanted: number
  /** Of Node and PostgreSQL; null on systems other than Linux. */
  cpuUsPerLine: number | null
  againPerSecond: number
  ofCopy: number
  memoryMb: number
}

const data = await openBenchData('bench-imports', { lines }, false, async () => {})
const { connection, url, world, directory } = data
try {
  const results: Imported[] = []
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(world.database)
  const database = await serverOf(rows[0]?.pid as number)
  for (const { kind, title, lines: count, line } of filesOf(lines)) {
    if (options.only !== undefined && !options.only.split(',').includes(kind)) continue
    const file = join(directory, 'lines.ndjson')
    await writeLines(file, count, number => JSON.stringify({ kind, ...line(number) }))
    const copySeconds = await timeCopy(file)
    const { result: first, cpuUs } = await withCpuTime(database, () => importFile(file))
    const again = await importFile(file)
    const result = {
      title,
      lines: count,
      linesPerSecond: count / first.seconds,
      cpuUsPerLine: cpuUs === null ? null : cpuUs / count,
      wanted: wanted[kind] ?? wantedOfOthers,
      againPerSecond: count / again.seconds,
      ofCopy: copySeconds / first.seconds,
      memoryMb: Math.max(first.memoryMb, again.memoryMb),
    }
    results.push(result)
    console.error(`${title}: ${result.linesPerSecond.toFixed(0)} lines/s, ${result.memoryMb.toFixed(0)} MB`)
  }
  console.log(table(results))
  const verified = await verifyAll(world)
  console.log(`verify: ${verified.ok ? 'no difference' : JSON.stringify(verified)}`)
  if (options.json !== undefined)
    await writeFile(options.json, `${JSON.stringify({ lines, results, verified: verified.ok })}\n`)
} finally {
  await data.close()
}

async function writeLines(file: string, count: number, line: (number: number) => string): Promise<void> {
  const handle = await open(file, 'w')
  for (let start = 1; start <= count; start += linesAtOnce) {
    const size = Math.min(linesAtOnce, count - start + 1)
    await handle.write(`${Array.from({ length: size }, (_, index) => line(start + index)).join('\n')}\n`)
  }
  await handle.close()
}

async function importFile(file: string): Promise<{ seconds: number; memoryMb: number }> {
  const profiling = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${directory}`] : []
  const { stdout, memoryMb } = await runMeasured(
    'src/main/cli.ts',
    ['--json', 'import', file],
    { DATABASE_URL: url, DATA_DIR: join(directory, 'instance'), LOG_LEVEL: 'warn' },
    { nodeOptions: ['--max-semi-space-size=4', ...profiling] },
  )
  const { seconds, rejected } = JSON.parse(stdout) as { seconds: number; rejected: number }
  if (rejected > 0) throw new Error(stdout)
  return { seconds, memoryMb }
}

/** JSON lines contain no control characters, so that COPY takes each as one column. */
async function timeCopy(file: string): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('create table copied (line text)')
    const start = performance.now()
    const copy = copyFrom(`copy copied from stdin (format csv, delimiter e'\\x01', quote e'\\x02')`)
    await pipeline(createReadStream(file), client.query(copy))
    return (performance.now() - start) / 1000
  } finally {
    await client.query('drop table copied')
    await client.end()
  }
}

function table(results: readonly Imported[]): string {
  return columns([
    ['kind', 'lines', 'lines/s', 'wanted', '', 'CPU us/line', 'again', 'of COPY', 'peak MB'],
    ...results.map(each => [
      each.title,
      String(each.lines),
      each.linesPerSecond.toFixed(0),
      String(each.wanted),
      each.linesPerSecond >= each.wanted ? 'reached' : 'MISSED',
      each.cpuUsPerLine?.toFixed(0) ?? '-',
      each.againPerSecond.toFixed(0),
      each.ofCopy.toFixed(3),
      each.memoryMb.toFixed(0),
    ]),
  ])
}
