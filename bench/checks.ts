import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readSettings } from '../src/config/settings.ts'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { startBackgroundCheck } from '../src/features/enrichments/index.ts'
import { openFileStore } from '../src/files/index.ts'
import { lookSettingsOf } from '../src/instance/check-tasks.ts'
import { openLookTools, runCheck } from '../src/observation/index.ts'
import { openBenchData } from './data.ts'
import { generate } from './generate-store.ts'
import { pacedLoad } from './paced-load.ts'
import { verdictPaths } from './paths.ts'
import { forgetPeak, memoryMb, startFlags, startServer } from './processes.ts'
import { median } from './scenarios.ts'
import { defaultDomains, sizesFor } from './sizes.ts'

// npm run bench:checks [-- --rounds R] [--again]   Checks of casinos of a small internet: the time of one
// without the pauses of politeness, then eight at once in one process that serves and works, as `npm start`
// runs it, beside paid verdicts. Exits 1 beyond a limit.
const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, again: { type: 'boolean', default: false } },
})
const rounds = Number(options.rounds)
const requestsPerSecond = 300
const seconds = 10
const timedChecks = 20
const checksAtOnce = 8
const limits = { lookMs: 3_000, timesQuiet: 2, extraMb: 120, failed: 0 }

const sizes = sizesFor(defaultDomains, false)
const data = await openBenchData('bench-checks', sizes, options.again, world =>
  generate(world.database, sizes),
)
const { connection, url, world, directory } = data
const undo = [() => data.close()]
try {
  const { environment: ofSites, domains, stop } = await startCasinos(timedChecks + 1 + rounds * 40)
  undo.push(stop)
  const client = new pg.Client(connection)
  await client.connect()
  undo.push(() => client.end())

  const lookMs = await timeChecks(domains.splice(0, timedChecks + 1), ofSites)

  const account = await createAccount(world, { name: 'bench', plan: 'growth', creditsGranted: 1e9 })
  const { api_key: key } = await createKey(world, account.account_ref)
  const environment = { ...ofSites, DATABASE_URL: url, DATA_DIR: join(directory, 'instance') }
  const instance = await startServer(
    'src/main/start.ts',
    9_130,
    { ...environment, THROTTLE_PER_MINUTE: '0', LOG_LEVEL: 'warn' },
    await startFlags(),
  )
  undo.push(instance.stop)
  const target = { url: instance.url, paths: verdictPaths(sizes), keys: [key] }
  await pacedLoad(target, seconds, requestsPerSecond) // warms up
  const quiet: number[] = []
  const beside: number[] = []
  let extraMb = 0
  for (let round = 0; round < rounds; round++) {
    quiet.push((await pacedLoad(target, seconds, requestsPerSecond)).p99Ms)
    await forgetPeak(instance.pid)
    const before = await memoryMb(instance.pid, 'VmRSS')
    for (const domain of domains.splice(0, 40)) await enrich(instance.url, key, domain)
    await untilRunning(client)
    beside.push((await pacedLoad(target, seconds, requestsPerSecond)).p99Ms)
    const running = await countChecks(client, 'running')
    extraMb = Math.max(extraMb, (await memoryMb(instance.pid, 'VmHWM')) - before)
    console.log(
      `round ${round + 1}: p99 of paid verdicts ${quiet.at(-1)} ms quiet, ${beside.at(-1)} ms beside ` +
        `${running} running checks; ${extraMb.toFixed(0)} MB more memory`,
    )
    while ((await countChecks(client, 'running')) + (await countChecks(client, 'queued')) > 0)
      await pause(200)
  }
  const failed = await countChecks(client, 'failed')
  const measured = { lookMs, timesQuiet: median(beside) / median(quiet), extraMb, failed }
  for (const [figure, limit] of Object.entries(limits)) {
    const value = measured[figure as keyof typeof limits]
    console.log(`${figure}: ${value.toFixed(1)}, at most ${limit}`)
    if (value > limit) process.exitCode = 1
  }
} finally {
  for (const step of undo.reverse()) await step()
}

type SmallInternet = { environment: Record<string, string>; domains: string[] }

/** In a process of its own, so that its work is not measured. */
async function startCasinos(count: number): Promise<SmallInternet & { stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['bench/servers/casinos.ts', String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return {
    ...(JSON.parse(line) as SmallInternet),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/**
 * The longest time of fetching and rules of a fast site, in ms. Runs checks in this process without waiting
 * for turns; the first warms up.
 */
async function timeChecks(domains: string[], environment: Record<string, string>): Promise<number> {
  const now = () => new Date()
  const look = lookSettingsOf(readSettings(environment), { now, refreshes: false })
  const files = openFileStore({ kind: 'folder', path: join(directory, 'files') })
  const { signal } = new AbortController()
  const tools = { ...openLookTools(look, { database: world.database, now, signal }), takeTurn: async () => 0 }
  const times: number[] = []
  for (const domain of domains) {
    const started = await world.database
      .transaction()
      .execute(tx => startBackgroundCheck(tx, { domain, askedBy: 'staff', now: now() }))
    const checking = { world, files, tools, userAgent: look.userAgent, now }
    const report = await runCheck(started?.checkId ?? 0, checking)
    if (report?.outcome.outcome !== 'completed') throw new Error(JSON.stringify(report?.outcome))
    times.push(report.lookedMs)
  }
  const timed = times.slice(1)
  console.log(`${timed.length} checks of fast sites without politeness: median ${median(timed)} ms`)
  return Math.max(...timed)
}

async function enrich(instance: string, key: string, domain: string): Promise<void> {
  const response = await fetch(`${instance}/v1/enrichments`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ domain, max_age_days: 0 }),
  })
  if (response.status !== 202) throw new Error(await response.text())
}

async function countChecks(client: pg.Client, state: string): Promise<number> {
  const { rows } = await client.query('select count(*)::int as checks from site_checks where state = $1', [
    state,
  ])
  return rows[0].checks
}

async function untilRunning(client: pg.Client): Promise<void> {
  while ((await countChecks(client, 'running')) < checksAtOnce) await pause(50)
}
