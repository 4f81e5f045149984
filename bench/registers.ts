import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { World } from '../src/database/open.ts'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { openBenchData } from './data.ts'
import { generateSignals } from './generate-signals-store.ts'
import { pacedLoad } from './paced-load.ts'
import { runMeasured, startFlags, startServer } from './processes.ts'

// npm run bench:registers [-- --rows N] [--signals N] [--json FILE] [--again] A snapshot with 1 % changed
// rows beside the running API, with COPY of the same rows as the limit; then pages of the register-changes
// feed at any depth. --rows 0: the feed only. --again reuses the last data.
const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    signals: { type: 'string', default: '10000000' },
    json: { type: 'string' },
    again: { type: 'boolean', default: false },
  },
})
const rows = Number(options.rows)
const signals = Number(options.signals)
const stream = 'estonia.blocklist'
const changedEvery = 200
const quietSeconds = 10
const feedSeconds = 10
const requestsPerSecond = 300
const feedRequestsPerSecond = 100

const makeSignals = (world: World) => generateSignals(world.database, signals)
// The snapshot is measured in an empty database, the feeds afterwards.
const data = await openBenchData(
  'bench-registers',
  { rows, signals },
  options.again && rows === 0,
  async world => {
    if (rows === 0) await makeSignals(world)
  },
)
const { connection, url, world, directory } = data
const undo = [() => data.close()]
const results: Record<string, unknown> = { rows, signals }
try {
  const { account_ref } = await createAccount(world, {
    name: 'bench',
    plan: 'growth',
    creditsGranted: 1_000_000_000,
  })
  const { api_key: key } = await createKey(world, account_ref)
  const environment = {
    DATABASE_URL: url,
    DATA_DIR: join(directory, 'api'),
    THROTTLE_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
  }
  const api = await startServer('src/main/serve.ts', 9_110, environment, await startFlags())
  undo.push(api.stop)

  if (rows > 0) {
    await measureSnapshot()
    await makeSignals(world)
  }

  const feeds: [string, string][] = [
    ['one market, from the start', 'jurisdiction=czechia'],
    ['one event type', 'jurisdiction=czechia&event_type=revoked'],
    [
      'three event types',
      'jurisdiction=czechia&event_type[]=revoked&event_type[]=added_to_register' +
        '&event_type[]=removed_from_register',
    ],
    ['one stream', 'jurisdiction=czechia&source_stream_key=czechia.blocklist'],
    ['years of it, by the day', 'jurisdiction=czechia&occurred_from=2020-01-05&occurred_to=2026-11-15'],
    ['a month of it', 'jurisdiction=czechia&occurred_from=2025-03-01&occurred_to=2025-03-31'],
  ]
  // A paid answer at that rate, including the charge.
  const verdict = { url: api.url, paths: ['/v1/domains/resolve?domain=nobody.example'], keys: [key] }
  await pacedLoad(verdict, 3, feedRequestsPerSecond)
  const floor = await pacedLoad(verdict, feedSeconds, feedRequestsPerSecond)
  console.log(`a paid verdict at ${feedRequestsPerSecond}/s: p50 ${floor.p50Ms} ms, p99 ${floor.p99Ms} ms`)
  const pages: Record<string, unknown> = { verdict: floor }
  for (const [title, query] of feeds) {
    const deep = await deepPaths(query)
    const figures = await pacedLoad(
      { url: api.url, paths: deep, keys: [key] },
      feedSeconds,
      feedRequestsPerSecond,
    )
    pages[title] = figures
    console.log(`feed, ${title}: p50 ${figures.p50Ms} ms, p99 ${figures.p99Ms} ms (${deep.length} depths)`)
  }
  Object.assign(results, { pages })
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results)}\n`)

  async function measureSnapshot(): Promise<void> {
    const older = join(directory, 'older.txt')
    const newer = join(directory, 'newer.txt')
    await writeHosts(older, number => [hostOf(number)])
    await writeHosts(newer, number =>
      number % changedEvery === 7 ? [`new-${hostOf(number)}`] : [hostOf(number)],
    )

    const copySeconds = await timeCopy(connection, newer)
    const baseline = await sync(older, environment)
    console.log(`baseline: ${describe(baseline)}`)
    const paths = Array.from(
      { length: 500 },
      (_, index) => `/v1/domains/resolve?domain=${hostOf((index * 1_999) % rows)}`,
    )
    const target = { url: api.url, paths, keys: [key] }
    await pacedLoad(target, 3, requestsPerSecond)
    const quiet = await pacedLoad(target, quietSeconds, requestsPerSecond)
    const [beside, changed] = await Promise.all([besideSync(), sync(newer, environment)])
    console.log(`1 % changed: ${describe(changed)}`)
    console.log(
      `  ${(changed.seconds / copySeconds).toFixed(1)} times the COPY of the same rows ` +
        `(${copySeconds.toFixed(1)} s)`,
    )
    console.log(
      `  paid verdict at ${requestsPerSecond}/s: p99 ${quiet.p99Ms} ms alone, ${beside.p99Ms} ms beside ` +
        `it: ${(beside.p99Ms / quiet.p99Ms).toFixed(1)} times`,
    )
    Object.assign(results, { baseline, changed, copySeconds, quiet, beside })

    async function besideSync() {
      return pacedLoad(target, Math.max(10, Math.round(baseline.seconds / 3)), requestsPerSecond)
    }
  }

  /** Pages from the first to the last of the feed: cursors of a few places, each walked on for some pages. */
  async function deepPaths(query: string): Promise<string[]> {
    const found: string[] = []
    for (let month = 0; month < 24; month += 3) {
      const from = new Date(Date.UTC(2024, month, 1)).toISOString().slice(0, 10)
      const bounded = query.includes('occurred_from') ? query : `${query}&occurred_from=${from}`
      let after = ''
      for (let page = 0; page < 5; page += 1) {
        const path = `/v1/signals/register-changes?${bounded}&page_size=20${after}`
        found.push(path)
        const response = await fetch(`${api.url}${path}`, { headers: { 'x-api-key': key } })
        if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
        const { data } = (await response.json()) as { data: { next_cursor: string | null } }
        if (data.next_cursor === null) break
        after = `&after=${encodeURIComponent(data.next_cursor)}`
      }
      if (query.includes('occurred_from')) break
    }
    return found
  }
} finally {
  for (const step of undo.reverse()) await step()
}

function hostOf(number: number): string {
  return `${((number * 7_919) % 1_000_003).toString(36)}-play${number}.com`
}

async function writeHosts(path: string, hosts: (number: number) => string[]): Promise<void> {
  const lines: string[] = []
  for (let number = 0; number < rows; number += 1) lines.push(...hosts(number))
  await writeFile(path, `${lines.join('\n')}\n`)
}

type Synced = {
  status: string
  seconds: number
  removed: number
  added: number
  signals: number
  memoryMb: number
}

/** The baseline is larger than any real list: it is quarantined, then approved. */
async function sync(file: string, environment: Record<string, string>): Promise<Synced> {
  const register = (...args: string[]) =>
    runMeasured('src/main/cli.ts', ['--json', 'register', ...args], environment, {
      nodeOptions: ['--max-semi-space-size=4'],
      codes: [0, 1],
    })
  const run = await register('sync', stream, '--file', file)
  const first = JSON.parse(run.stdout)
  const approval =
    first.status === 'held' ? await register('approve', first.snapshot_ref, '--why', 'bench') : null
  const report = approval === null ? first : JSON.parse(approval.stdout)
  if (report.status !== 'applied') throw new Error(approval?.stdout ?? run.stdout)
  const { status, removed, added, signals: signalsCreated } = report
  const seconds = approval === null ? first.seconds : first.seconds + report.seconds
  const memoryMb = Math.max(run.memoryMb, approval?.memoryMb ?? 0)
  return { status, seconds, removed, added, signals: signalsCreated, memoryMb }
}

function describe({ seconds, added, removed, signals: signalsCreated, memoryMb }: Synced): string {
  return (
    `${seconds.toFixed(1)} s, ${added} added, ${removed} removed, ${signalsCreated} signals, ` +
    `at most ${memoryMb.toFixed(0)} MB`
  )
}

async function timeCopy(connection: pg.ClientConfig, file: string): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('create table copied (host text)')
    const start = performance.now()
    await pipeline(createReadStream(file), client.query(copyFrom('copy copied from stdin')))
    return (performance.now() - start) / 1000
  } finally {
    await client.query('drop table copied')
    await client.end()
  }
}
