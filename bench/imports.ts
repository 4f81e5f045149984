import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { filesOf } from './data/import-lines.ts'
import { writeLines } from './data/write-lines.ts'
import { timeCopyIn } from './harness/copy.ts'
import { serverOf, withCpuTime } from './harness/cpu-time.ts'
import { readOptions } from './harness/options.ts'
import { runMeasured } from './harness/processes.ts'
import { instanceOf, runBenchmark } from './harness/run-benchmark.ts'

// Usage: npm run bench:imports [-- --lines N] [--only KIND,…] [--json FILE] [--profile]. Imports N lines of
// each kind with the command, and each file a second time. COPY of the same bytes into a table is the
// limit. CPU time is that of the first import in Node and PostgreSQL, with the start of Node. --only must
// include the kinds that the lines refer to: domain,company; prospect_list,account.
const options = readOptions({ lines: 100_000, only: '', json: '', profile: false })
// Targets that do not decide the exit code, because they are missed today (decision 15).
const wanted: Record<string, number> = { domain: 50_000, blocklist_entry: 50_000 }
const wantedOfOthers = 20_000

await runBenchmark(options.json, async ({ open, print }) => {
  const data = await open('bench-imports', { lines: options.lines }, false, async () => {})
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(data.world.database)
  const postgres = await serverOf(rows[0]?.pid as number)
  const file = join(data.directory, 'lines.ndjson')
  const profiling = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${data.directory}`] : []
  async function importFile(isAgain: boolean): Promise<{ seconds: number; memoryMb: number }> {
    const { stdout, memoryMb } = await runMeasured(
      'src/main/cli.ts',
      ['--json', 'import', file],
      instanceOf(data),
      { nodeOptions: ['--max-semi-space-size=4', ...profiling] },
    )
    const { seconds, rejected, loaded } = JSON.parse(stdout) as Imported
    const changed = Object.values(loaded).reduce((sum, each) => sum + each.added + each.changed, 0)
    if (rejected > 0 || (isAgain ? changed > 0 : changed === 0)) throw new Error(stdout)
    return { seconds, memoryMb }
  }

  const results = []
  for (const { kind, title, lines, line } of filesOf(options.lines)) {
    if (options.only !== '' && !options.only.split(',').includes(kind)) continue
    await writeLines(file, lines, number => JSON.stringify({ kind, ...line(number) }))
    // COPY reads each line as one column, because JSON lines contain no control characters.
    const copySeconds = await timeCopyIn(
      data.connection,
      createReadStream(file),
      `format csv, delimiter e'\\x01', quote e'\\x02'`,
    )
    const { result: first, cpuUs } = await withCpuTime(postgres, () => importFile(false))
    const again = await importFile(true)
    const linesPerSecond = lines / first.seconds
    const memoryMb = Math.max(first.memoryMb, again.memoryMb)
    results.push({
      title,
      lines,
      linesPerSecond,
      wanted: wanted[kind] ?? wantedOfOthers,
      /** The CPU time of Node and PostgreSQL; null on systems other than Linux. */
      cpuUsPerLine: cpuUs === null ? null : cpuUs / lines,
      againPerSecond: lines / again.seconds,
      ofCopy: copySeconds / first.seconds,
      memoryMb,
    })
    console.error(`${title}: ${linesPerSecond.toFixed(0)} lines/s, ${memoryMb.toFixed(0)} MB`)
  }
  if (results.length === 0) throw new Error(`--only ${options.only} names no kind of line`)
  print(
    results.map(({ title, lines, ...each }) => ({
      kind: title,
      lines,
      'lines/s': each.linesPerSecond.toFixed(0),
      wanted: each.wanted,
      '': each.linesPerSecond >= each.wanted ? 'reached' : 'below target',
      'CPU us/line': each.cpuUsPerLine?.toFixed(0) ?? '-',
      again: each.againPerSecond.toFixed(0),
      'of COPY': each.ofCopy.toFixed(3),
      'peak MB': each.memoryMb.toFixed(0),
    })),
  )
  return { lines: options.lines, results }
})

type Imported = {
  seconds: number
  rejected: number
  loaded: Record<string, { added: number; changed: number }>
}
