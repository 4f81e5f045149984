import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { verifyAll } from '../src/verify/index.ts'
import { bindTo, describeCores, divideCores } from './cores.ts'
import { serverOf, withCpuShare } from './cpu-time.ts'
import { openBenchData } from './data.ts'
import { generate, markChanged, prepareComparison } from './generate-store.ts'
import { load, warmUp } from './load.ts'
import { searchPaths } from './paths.ts'
import { memoryMb } from './processes.ts'
import { judge, judgedTable } from './ratios.ts'
import { cpuTable, type Measured, median, resultTable, type Scenario, summarise } from './scenarios.ts'
import { coldPreview, searchScenarios } from './search-scenarios.ts'
import { defaultDomains, fullDomains, sizesFor } from './sizes.ts'
import { startServers } from './start-servers.ts'
import { verdictScenarios } from './verdict-scenarios.ts'

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

const coreCount = availableParallelism()
const cores = await divideCores()
if (cores !== null) await bindTo(cores.servers)
const data = await openBenchData('bench', sizes, options.again, world => generate(world.database, sizes))
const { world, directory, url } = data
const undo = [() => data.close()]
try {
  const keys: string[] = []
  // One after the other: on a busy machine many at once wait for a connection too long.
  for (let index = 0; index < accountsMany; index++) {
    const account = { name: `bench ${index}`, plan: 'growth', creditsGranted: credits } as const
    const { account_ref } = await createAccount(world, account)
    keys.push((await createKey(world, account_ref)).api_key)
  }
  await prepareComparison(world.database)

  const servers = await startServers(
    { directory, url, sizes, key: keys[0] as string, profile: options.profile },
    undo,
  )
  const { api } = servers
  if (cores !== null) await bindTo(cores.load)
  const pages = await searchPaths(api.url, keys[0] as string)
  const scenarios: Scenario[] = [
    ...verdictScenarios(sizes, servers, keys),
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
    ...searchScenarios(sizes, api.url, servers.handwritten.url, keys),
  ].filter(
    scenario => options.only === undefined || ['limit', ...options.only.split(',')].includes(scenario.name),
  )

  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(world.database)
  const database = await serverOf(rows[0]?.pid as number)
  for (const { target } of scenarios) await warmUp(target, warmupSeconds)
  const measuredRounds: Map<string, Measured>[] = []
  const memory: number[] = []
  for (let number = 1; number <= rounds; number++) {
    const round = new Map<string, Measured>()
    // Forwards and backwards, so that a drift of the machine favours none of a pair.
    for (const { name, target } of number % 2 === 1 ? scenarios : scenarios.toReversed()) {
      const urls = [target.url, target.secondUrl]
      const pids = Object.values(servers).flatMap(({ url, pid }) => (urls.includes(url) ? pid : []))
      const figures = await withCpuShare({ servers: pids, database }, () => load(target, seconds))
      round.set(name, figures)
      console.error(
        `round ${number}  ${name}: ${figures.requestsPerSecond.toFixed(0)}/s, p99 ${figures.p99Ms} ms`,
      )
    }
    measuredRounds.push(round)
    memory.push(await memoryMb(api.pid, 'VmRSS').catch(() => Number.NaN))
  }
  const roundsOf = (name: string) => measuredRounds.flatMap(round => round.get(name) ?? [])
  const limitPerSecond = median(roundsOf('limit').map(each => each.requestsPerSecond))
  const reported = scenarios.map(scenario => summarise(scenario, roundsOf(scenario.name), limitPerSecond))
  const judged = judge(measuredRounds, { cores: coreCount, memoryMb: memory })
  console.log(`\n${resultTable(reported)}\n\n${cpuTable(reported)}\n\n${judgedTable(judged)}`)
  console.log(`\n${describeCores(cores, coreCount)}`)
  const cold = await coldPreview(api.url, keys[0] as string, () => markChanged(world.database))
  console.log(
    `unfiltered preview after a change: p50 ${cold.p50Ms.toFixed(1)} ms, p99 ${cold.p99Ms.toFixed(1)} ms`,
  )
  console.log(`API memory after each round: ${memory.map(mb => mb.toFixed(0)).join(', ')} MB`)
  const verified = await verifyAll(world)
  console.log(`verify: ${verified.ok ? 'no difference' : JSON.stringify(verified)}`)
  const json = JSON.stringify({
    sizes,
    seconds,
    rounds,
    results: reported,
    judged,
    cold_preview: cold,
    api_memory_mb: memory,
    cores: coreCount,
    verified: verified.ok,
  })
  if (options.json === undefined) console.log(json)
  else await writeFile(options.json, `${json}\n`)
} finally {
  for (const step of undo.reverse()) await step()
}
