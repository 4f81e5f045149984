import { availableParallelism } from 'node:os'
import { sql } from 'kysely'
import { generate, markChanged, prepareComparison } from './data/generate-store.ts'
import { defaultDomains, fullDomains, sizesFor } from './data/sizes.ts'
import { bindTo, describeCores, divideCores } from './harness/cores.ts'
import { serverOf, withCpuShare } from './harness/cpu-time.ts'
import { median } from './harness/goals.ts'
import { load, warmUp } from './harness/load.ts'
import { readOptions } from './harness/options.ts'
import { memoryMb } from './harness/processes.ts'
import { createKeys, runBenchmark } from './harness/run-benchmark.ts'
import { keystrokeScenarios } from './scenarios/keystrokes.ts'
import { searchPaths, verdictPaths } from './scenarios/paths.ts'
import { judgeRounds } from './scenarios/ratios.ts'
import {
  cpuRows,
  type Measured,
  resultRows,
  type Scenario,
  scenario,
  summarise,
} from './scenarios/scenarios.ts'
import { coldPreview, searchScenarios } from './scenarios/search-scenarios.ts'
import { startServers } from './scenarios/start-servers.ts'
import { withTwoProcesses } from './scenarios/two-processes.ts'
import { verdictScenarios } from './scenarios/verdict-scenarios.ts'

// Usage: npm run bench [-- --full | --domains N] [--seconds S] [--rounds R] [--only SCENARIO,…] [--json FILE]
// [--profile] [--again] [--processes 2] [--history N]. With --again it reuses the data that the last run of
// this size generated. With --processes 2 each scenario of the API is measured with one and with two API
// processes. With --history each domain has N closed rows, and verdicts of random days are measured.
const options = readOptions({
  full: false,
  domains: defaultDomains,
  seconds: 5,
  rounds: 3,
  only: '',
  profile: false,
  again: false,
  processes: 1,
  history: 0,
  json: '',
})
const { seconds, rounds } = options
const sizes = sizesFor(options.full ? fullDomains : options.domains, options.full, options.history)
if (![1, 2].includes(options.processes)) throw new Error('--processes must be 1 or 2')
const warmupSeconds = 2
const accountsMany = 100
const name = ['bench', sizes.domains, ...(sizes.closedRows > 0 ? ['history', sizes.closedRows] : [])].join(
  '-',
)

await runBenchmark(options.json, async ({ undo, open, print, judge }) => {
  const coreCount = availableParallelism()
  const cores = await divideCores()
  if (cores !== null) await bindTo(cores.servers)
  const data = await open(name, sizes, options.again, world => generate(world.database, sizes))
  const { database } = data.world
  const keys = await createKeys(data.world, accountsMany)
  const key = keys[0] as string
  await prepareComparison(database)

  const [firstVerdict = ''] = verdictPaths(sizes)
  const servers = await startServers(data, { undo, firstVerdict, key, profile: options.profile })
  const { api } = servers
  if (cores !== null) await bindTo(cores.load)
  const pages = await searchPaths(api.url, key)
  const ofOne: Scenario[] = [
    ...verdictScenarios(sizes, servers, keys),
    scenario('search_100', 'domains/search, 100 rows, any depth', {
      url: api.url,
      paths: pages.hundred,
      keys,
    }),
    scenario('search_1000', 'domains/search, 1,000 rows', { url: api.url, paths: pages.thousand, keys }),
    ...searchScenarios(sizes, api.url, servers.handwritten.url, keys),
    ...(await keystrokeScenarios(sizes, api.url, data.world)),
  ]
  const all = options.processes === 2 ? withTwoProcesses(ofOne, api.url, servers.second.url) : ofOne
  const scenarios = chosenOf(all)

  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database)
  const postgres = await serverOf(rows[0]?.pid as number)
  for (const { target } of scenarios) await warmUp(target, warmupSeconds)
  const measuredRounds: Map<string, Measured>[] = []
  const memory: number[] = []
  for (let number = 1; number <= rounds; number++) {
    const round = new Map<string, Measured>()
    // The order alternates, so that a drift of the machine's speed favours no scenario of a pair.
    for (const { name, target } of number % 2 === 1 ? scenarios : scenarios.toReversed()) {
      const urls = [target.url, target.secondUrl]
      const pids = Object.values(servers).flatMap(({ url, pid }) => (urls.includes(url) ? pid : []))
      const figures = await withCpuShare({ servers: pids, database: postgres }, () => load(target, seconds))
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
  const results = scenarios.map(scenario => summarise(scenario, roundsOf(scenario.name), limitPerSecond))
  print(resultRows(results))
  print(cpuRows(results))
  judge(judgeRounds(measuredRounds, { cores: coreCount, memoryMb: memory }))
  console.log(`\n${describeCores(cores, coreCount)}`)
  const cold = await coldPreview(api.url, key, () => markChanged(database))
  console.log(
    `unfiltered preview after a change: p50 ${cold.p50Ms.toFixed(1)} ms, p99 ${cold.p99Ms.toFixed(1)} ms`,
  )
  console.log(`API memory after each round: ${memory.map(mb => mb.toFixed(0)).join(', ')} MB`)
  return { sizes, seconds, rounds, results, cold_preview: cold, api_memory_mb: memory, cores: coreCount }
})

function chosenOf(all: readonly Scenario[]): readonly Scenario[] {
  if (options.only === '') return all
  const chosen = options.only.split(',')
  const unknown = chosen.filter(name => all.every(scenario => scenario.name !== name))
  if (unknown.length > 0) throw new Error(`--only: there is no scenario ${unknown.join(', ')}`)
  return all.filter(({ name }) => ['limit', ...chosen].includes(name.replace(/_by_two$/, '')))
}
