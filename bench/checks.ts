import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openFileStore } from '@baize/files'
import pg from 'pg'
import { readSettings } from '../src/config/settings.ts'
import { startBackgroundCheck } from '../src/features/enrichments/index.ts'
import { lookSettingsOf } from '../src/instance/tasks/check-tasks.ts'
import { openLookTools, runCheck } from '../src/observation/index.ts'
import { generate } from './data/generate-store.ts'
import { defaultDomains, sizesFor } from './data/sizes.ts'
import type { BenchData } from './harness/data.ts'
import { atLeast, atMost, judge as judgeFigure, median } from './harness/goals.ts'
import { readOptions } from './harness/options.ts'
import { pacedLoad } from './harness/paced-load.ts'
import { withExtraMemory } from './harness/processes.ts'
import { createOneKey, runBenchmark } from './harness/run-benchmark.ts'
import { verdictPaths } from './scenarios/paths.ts'
import { startCasinos } from './servers/start-casinos.ts'

// Usage: npm run bench:checks [-- --rounds R] [--again] [--renders]. Measures checks of casinos in a small
// internet: first the time of one check without pauses, then eight at once beside paid verdicts. One process
// serves and works, as `npm start` runs it. With --renders each check has a visit in Chromium, two at once:
// the load beside them starts when the first visit of the round has ended, and visits must end during it.
// Each round compares its own two loads; the median of these ratios is judged. Memory is that of the service.
const options = readOptions({ rounds: 3, again: false, renders: false, json: '' })
const requestsPerSecond = 300
const seconds = 10
const timedChecks = 20
const checksAtOnce = 8
const checksQueued = 40
const limits = { lookMs: 3_000, timesQuiet: 2, extraMb: 120, failed: 0, notCompleted: 0, notRendered: 0 }
/** A load during which fewer visits ended was not beside renders. */
const visitsBesideMin = 2

await runBenchmark(options.json, async ({ undo, open, serve, judge }) => {
  const sizes = sizesFor(defaultDomains, false)
  const data = await open('bench-checks', sizes, options.again, world => generate(world.database, sizes))
  const casinos = await startCasinos(timedChecks + 1 + options.rounds * checksQueued)
  undo.defer(casinos.stop)
  const { domains } = casinos
  const environment = { ...casinos.environment, RENDER: options.renders ? 'on' : 'off' }
  const client = new pg.Client(data.connection)
  await client.connect()
  undo.defer(() => client.end())
  const lookTimes = await timeChecks(data, domains.splice(0, timedChecks + 1), casinos.environment)

  const key = await createOneKey(data.world)
  const instance = await serve(data, 'src/main/start.ts', 9_130, environment)
  const target = { url: instance.url, paths: verdictPaths(sizes), keys: [key] }
  await pacedLoad(target, seconds, requestsPerSecond) // This load warms up the server.
  const completedBefore = await countChecks(client, 'completed')
  const failedBefore = await countChecks(client, 'failed')
  const quiet: number[] = []
  const beside: number[] = []
  const visitsBeside: number[] = []
  const startedAt = new Date()
  let extraMb = 0
  for (let round = 1; round <= options.rounds; round++) {
    quiet.push((await pacedLoad(target, seconds, requestsPerSecond)).p99Ms)
    const roundAt = new Date()
    const busy = await withExtraMemory(instance.pid, async () => {
      for (const domain of domains.splice(0, checksQueued)) await enrich(instance.url, key, domain)
      while ((await countChecks(client, 'running')) < checksAtOnce) await pause(50)
      while (options.renders && (await countVisits(client, roundAt)) === 0) await pause(50)
      const besideAt = new Date()
      beside.push((await pacedLoad(target, seconds, requestsPerSecond)).p99Ms)
      return { running: await countChecks(client, 'running'), besideAt, besideUntil: new Date() }
    })
    extraMb = Math.max(extraMb, busy.extraMb)
    console.log(
      `round ${round}: p99 of paid verdicts ${quiet.at(-1)} ms quiet, ${beside.at(-1)} ms beside ` +
        `${busy.result.running} running checks; ${extraMb.toFixed(0)} MB more memory`,
    )
    while ((await countChecks(client, 'running')) + (await countChecks(client, 'queued')) > 0)
      await pause(200)
    visitsBeside.push(await countVisits(client, busy.result.besideAt, busy.result.besideUntil))
  }
  const failed = (await countChecks(client, 'failed')) - failedBefore
  const completed = (await countChecks(client, 'completed')) - completedBefore
  const measured = {
    lookMs: Math.max(...lookTimes),
    timesQuiet: median(beside.map((ms, round) => ms / (quiet[round] ?? Number.NaN))),
    extraMb,
    failed,
    notCompleted: options.rounds * checksQueued - completed,
    notRendered: options.renders ? options.rounds * checksQueued - (await countVisits(client, startedAt)) : 0,
  }
  for (const [figure, limit] of Object.entries(limits))
    judge(judgeFigure(figure, atMost(limit), [measured[figure as keyof typeof limits]]))
  if (options.renders)
    judge(judgeFigure('fewest visits beside a load', atLeast(visitsBesideMin), [Math.min(...visitsBeside)]))
  return { limits, measured, quiet, beside, visitsBeside }
})

/**
 * Measures the milliseconds for fetching and rules of fast sites, checked in this process without waiting
 * for turns. The first check warms up.
 */
async function timeChecks(
  { world, directory }: BenchData,
  domains: string[],
  environment: Record<string, string>,
): Promise<number[]> {
  const now = () => new Date()
  const look = lookSettingsOf(readSettings(environment), { now, refreshes: false, renderer: null })
  const files = openFileStore({ kind: 'folder', path: join(directory, 'files') })
  const { signal } = new AbortController()
  const openTools = (limit: AbortSignal) => ({
    ...openLookTools(look, { database: world.database, now, signal: limit }),
    takeTurn: async () => 0,
  })
  const times: number[] = []
  for (const domain of domains) {
    const started = await world.database
      .transaction()
      .execute(tx => startBackgroundCheck(tx, { domain, askedBy: 'staff', now: now() }))
    const checking = { world, files, openTools, userAgent: look.userAgent, now, signal }
    const report = await runCheck(started?.checkId ?? 0, checking)
    if (report?.outcome.outcome !== 'completed') throw new Error(JSON.stringify(report?.outcome))
    times.push(report.lookedMs)
  }
  const timed = times.slice(1)
  console.log(`${timed.length} checks of fast sites without politeness: median ${median(timed)} ms`)
  return timed
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
  const text = 'select count(*)::int as checks from site_checks where state = $1'
  return (await client.query(text, [state])).rows[0].checks
}

/** Counts sites that a browser saw in this time. Their captures are stored when their checks end. */
async function countVisits(client: pg.Client, from: Date, to = new Date()): Promise<number> {
  const text = `
    select count(*)::int as visits from site_captures
     where kind = 'dom' and purpose = 'root' and body_hash is not null and seen_at between $1 and $2`
  return (await client.query(text, [from, to])).rows[0].visits
}
