import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { domainOf, regulators } from './data/sizes.ts'
import { writeLines } from './data/write-lines.ts'
import { serverOf, withCpuTime } from './harness/cpu-time.ts'
import type { BenchData } from './harness/data.ts'
import { load, warmUp } from './harness/load.ts'
import { readOptions } from './harness/options.ts'
import { pacedLoad } from './harness/paced-load.ts'
import { runMeasured } from './harness/processes.ts'
import { createOneKey, instanceOf, runBenchmark } from './harness/run-benchmark.ts'
import { syncRegister } from './harness/sync-register.ts'
import { keystrokeScenarios } from './scenarios/keystrokes.ts'
import { verdictPaths } from './scenarios/paths.ts'

// Usage: npm run bench:large-world [-- --domains N] [--again] [--json FILE]. Loads N domains, and blocklist
// entries of seven in ten, with one command into an empty database. Then it measures paid verdicts, a page
// of a search, the search box, and a sync of a register with 1 % changed rows. --again reuses the last world.
const { domains, again, json } = readOptions({ domains: 10_000_000, again: false, json: '' })
const entries = Math.round(0.7 * domains)
/** Names and license numbers are typed into the search box too, though this world has none. */
const sizes = { domains, entries, companies: 1, licenses: 1, observations: 0, usageRecords: 0, closedRows: 0 }
const hosts = 100_000
const changedEvery = 100
const seconds = 10
const verdictsPerSecond = 300
const searchesPerSecond = 10
const stream = 'lithuania.blocklist'

await runBenchmark(json, async ({ open, serve, print }) => {
  const data = await open('bench-large-world', sizes, again, loadWorld)
  const key = await createOneKey(data.world)
  const api = await serve(data, 'src/main/serve.ts', 9_150)
  const paced = async (title: string, paths: string[], perSecond: number) => {
    const target = { url: api.url, paths, keys: [key] }
    await pacedLoad(target, 3, perSecond)
    return { title, ...(await pacedLoad(target, seconds, perSecond)) }
  }
  const searches = regulators.map(
    market => `/v1/domains/search?verdict=blocklisted&geo=${market}&per_page=100`,
  )
  const results = [
    await paced('paid verdict', verdictPaths(sizes), verdictsPerSecond),
    await paced('search of domains, 100 rows', searches, searchesPerSecond),
  ]
  for (const { title, target } of await keystrokeScenarios(sizes, api.url, data.world)) {
    await warmUp(target, 2)
    results.push({ title, ...(await load(target, seconds)) })
  }
  const older = await writeHosts(data, 'older.txt', '')
  const newer = await writeHosts(data, 'newer.txt', 'new-')
  const baseline = await syncRegister(stream, older, data)
  const [beside, changed] = await Promise.all([
    paced('paid verdict beside the sync', verdictPaths(sizes), verdictsPerSecond),
    syncRegister(stream, newer, data),
  ])
  print([...results, beside].map(({ title, p50Ms, p99Ms, requests }) => ({ title, p50Ms, p99Ms, requests })))
  for (const [title, sync] of Object.entries({ baseline, changed }))
    console.log(
      `${title}: ${sync.seconds.toFixed(1)} s, ${sync.added} added, ${sync.removed} removed, ` +
        `at most ${sync.memoryMb.toFixed(0)} MB`,
    )
  return { sizes, results, beside, baseline, changed }
})

/** Prints lines a second, CPU time and memory of the load, and what it takes on disk. */
async function loadWorld({ database }: BenchData['world'], data: BenchData): Promise<void> {
  const fileOf = (name: string) => join(data.directory, `${name}.ndjson`)
  const files = [fileOf('domains'), fileOf('entries')] as const
  await writeLines(files[0], domains, number =>
    JSON.stringify({ kind: 'domain', domain: domainOf(number), inferred_geo: 'GB' }),
  )
  await writeLines(files[1], entries, number =>
    JSON.stringify({
      kind: 'blocklist_entry',
      regulator: regulators[number % regulators.length],
      domain: domainOf(number),
      first_seen_at: '2024-01-01T00:00:00Z',
    }),
  )
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database)
  const postgres = await serverOf(rows[0]?.pid as number)
  const { result, cpuUs } = await withCpuTime(postgres, () =>
    runMeasured('src/main/cli.ts', ['--json', 'import', ...files], instanceOf(data), {
      nodeOptions: ['--max-semi-space-size=4'],
    }),
  )
  const { seconds: took, rejected } = JSON.parse(result.stdout) as { seconds: number; rejected: number }
  if (rejected > 0) throw new Error(result.stdout)
  for (const file of files) await rm(file)
  const size = await sql<{ gb: number }>`
    select pg_database_size(current_database()) / 1e9::float8 as gb`.execute(database)
  const lines = domains + entries
  console.log(
    `${lines} lines in ${took.toFixed(0)} s: ${(lines / took).toFixed(0)} lines/s, ` +
      `${((cpuUs ?? Number.NaN) / lines).toFixed(0)} us of CPU a line, ` +
      `at most ${result.memoryMb.toFixed(0)} MB; the database has ${size.rows[0]?.gb.toFixed(1)} GB`,
  )
}

/** Writes a list of new hosts, of which each hundredth begins with `changed`. */
async function writeHosts({ directory }: BenchData, name: string, changed: string): Promise<string> {
  const path = join(directory, name)
  const host = (number: number) => `${number % changedEvery === 7 ? changed : ''}ours-${domainOf(number)}`
  await writeFile(path, `${Array.from({ length: hosts }, (_, number) => host(number)).join('\n')}\n`)
  return path
}
