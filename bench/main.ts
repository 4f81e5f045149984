import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { verifyAll } from '../src/verify/index.ts'
import { serverOf, withCpuShare } from './cpu-time.ts'
import { openBenchData } from './data.ts'
import { generate, markChanged, prepareComparison } from './generate-store.ts'
import { load } from './load.ts'
import { searchPaths, verdictPaths } from './paths.ts'
import { type Server, startFlags, startServer } from './processes.ts'
import {
  cpuTable,
  type Measured,
  type Result,
  ratiosOf,
  ratioTable,
  resultTable,
  type Scenario,
  summarise,
} from './scenarios.ts'
import { coldPreview, searchScenarios } from './search-scenarios.ts'
import { defaultDomains, fullDomains, sizesFor } from './sizes.ts'

// npm run bench [-- --full | --domains N] [--seconds S] [--rounds R] [--only SCENARIO,…] [--json FILE]
// [--profile] [--again]
// --again reuses the data that the last run of this size generated.
const { values: options } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    domains: { type: 'string' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    profile: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const domains = options.full ? fullDomains : Number(options.domains ?? defaultDomains)
const seconds = Number(options.seconds)
const rounds = Number(options.rounds)
const sizes = sizesFor(domains, options.full)
const warmupSeconds = 2
const accountsMany = 100
const credits = 1_000_000_000

const data = await openBenchData('bench', sizes, options.again, world => generate(world.database, sizes))
const { world, directory, url } = data
const undo = [() => data.close()]
try {
  const keys = await Promise.all(
    Array.from({ length: accountsMany }, async (_, index) => {
      const { account_ref } = await createAccount(world, {
        name: `bench ${index}`,
        plan: 'growth',
        creditsGranted: credits,
      })
      return (await createKey(world, account_ref)).api_key
    }),
  )
  const oneKey = keys.slice(0, 1)
  await prepareComparison(world.database)

  const profiling = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${directory}`] : []
  const api = await startServer(
    'src/main/serve.ts',
    9_100,
    {
      DATA_DIR: join(directory, 'api'),
      DATABASE_URL: url,
      THROTTLE_PER_MINUTE: '1000000',
      LOG_LEVEL: 'info',
    },
    [...(await startFlags()), ...profiling],
  )
  undo.push(api.stop)
  const paths = verdictPaths(sizes)
  const bodyFile = join(directory, 'body.json')
  const sample = await fetch(`${api.url}${paths[0]}`, { headers: { 'x-api-key': keys[0] as string } })
  await writeFile(bodyFile, await sample.text())
  const limit = await startServer('bench/servers/limit.ts', 9_101, { BENCH_BODY_FILE: bodyFile })
  undo.push(limit.stop)
  const handwritten = await startServer('bench/servers/handwritten.ts', 9_102, { DATABASE_URL: url })
  undo.push(handwritten.stop)
  const transaction = await startServer('bench/servers/handwritten.ts', 9_103, {
    DATABASE_URL: url,
    BENCH_CHARGE: '1',
  })
  undo.push(transaction.stop)

  const pages = await searchPaths(api.url, keys[0] as string)
  const scenarios: Scenario[] = [
    {
      name: 'limit',
      title: 'static answer of the same bytes (the limit)',
      target: { url: limit.url, paths, keys: oneKey },
    },
    { name: 'verdict', title: 'paid verdict, one account', target: { url: api.url, paths, keys: oneKey } },
    {
      name: 'verdict_100_accounts',
      title: 'paid verdict, 100 accounts',
      target: { url: api.url, paths, keys },
    },
    {
      name: 'verdict_fresh_keys',
      title: 'paid verdict, fresh Idempotency-Key each',
      target: { url: api.url, paths, keys, freshKeys: true },
    },
    {
      name: 'handwritten',
      title: 'hand-written read, unmetered',
      target: { url: handwritten.url, paths, keys: oneKey },
    },
    {
      name: 'transaction',
      title: 'hand-written, a charging transaction each, one account',
      target: { url: transaction.url, paths, keys: oneKey },
    },
    {
      name: 'transaction_100_accounts',
      title: 'hand-written, a charging transaction each, 100 accounts',
      target: { url: transaction.url, paths, keys },
    },
    {
      name: 'search_100',
      title: 'domains/search, 100 rows, any depth',
      target: { url: api.url, paths: pages.hundred, keys },
    },
    {
      name: 'search_1000',
      title: 'domains/search, 1,000 rows',
      target: { url: api.url, paths: pages.thousand, keys },
    },
    ...searchScenarios(sizes, api.url, handwritten.url, keys),
  ].filter(
    scenario => options.only === undefined || ['limit', ...options.only.split(',')].includes(scenario.name),
  )

  const servers = [api, limit, handwritten, transaction]
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(world.database)
  const database = await serverOf(rows[0]?.pid as number)
  const measured = new Map<string, Measured[]>(scenarios.map(({ name }) => [name, []]))
  for (const { target } of scenarios) await load(target, warmupSeconds)
  for (let round = 1; round <= rounds; round++) {
    for (const { name, target } of scenarios) {
      const server = servers.find(({ url }) => url === target.url) as Server
      const figures = await withCpuShare({ server: server.pid, database }, () => load(target, seconds))
      measured.get(name)?.push(figures)
      console.error(
        `round ${round}  ${name}: ${figures.requestsPerSecond.toFixed(0)}/s, p99 ${figures.p99Ms} ms`,
      )
    }
  }
  const limitPerSecond = summarise(scenarios[0] as Scenario, measured.get('limit') ?? [], 1).requestsPerSecond
  const results = new Map<string, Result>(
    scenarios.map(scenario => [
      scenario.name,
      summarise(scenario, measured.get(scenario.name) ?? [], limitPerSecond),
    ]),
  )
  const memory = await readFile(`/proc/${api.pid}/status`, 'utf8').then(
    status => Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    () => null,
  )
  const ratios = ratiosOf(results).filter(({ value }) => !Number.isNaN(value))
  const reported = [...results.values()]
  console.log(`\n${resultTable(reported)}\n\n${cpuTable(reported)}\n\n${ratioTable(ratios)}`)
  const cold = await coldPreview(api.url, keys[0] as string, () => markChanged(world.database))
  console.log(
    `unfiltered preview after a change: p50 ${cold.p50Ms.toFixed(1)} ms, p99 ${cold.p99Ms.toFixed(1)} ms`,
  )
  console.log(`\nAPI memory after the benchmark: ${memory?.toFixed(0) ?? 'unknown'} MB`)
  const verified = await verifyAll(world)
  console.log(`verify: ${verified.ok ? 'no difference' : JSON.stringify(verified)}`)
  const json = JSON.stringify({
    sizes,
    seconds,
    rounds,
    results: reported,
    ratios,
    cold_preview: cold,
    api_memory_mb: memory,
    verified: verified.ok,
  })
  if (options.json === undefined) console.log(json)
  else await writeFile(options.json, `${json}\n`)
} finally {
  for (const step of undo.reverse()) await step()
}
