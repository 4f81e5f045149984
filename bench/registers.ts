import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateSignals } from './data/generate-signals-store.ts'
import { timeCopyIn } from './harness/copy.ts'
import type { BenchData } from './harness/data.ts'
import { readOptions } from './harness/options.ts'
import { pacedLoad } from './harness/paced-load.ts'
import { createOneKey, runBenchmark } from './harness/run-benchmark.ts'
import { type Synced, syncRegister } from './harness/sync-register.ts'

// Usage: npm run bench:registers [-- --rows N] [--signals N] [--json FILE] [--again]. Measures a snapshot
// with 1 % changed rows beside the running API, with COPY of the same rows as the limit. Then it measures
// pages of the register-changes feed at any depth. --rows 0 measures only the feed. --again reuses the last
// data.
const { rows, signals, json, again } = readOptions({
  rows: 1_000_000,
  signals: 10_000_000,
  json: '',
  again: false,
})
const stream = 'estonia.blocklist'
const changedEvery = 200
const quietSeconds = 10
const feedSeconds = 10
const requestsPerSecond = 300
const feedRequestsPerSecond = 100

const feeds = {
  'one market, from the start': 'jurisdiction=czechia',
  'one event type': 'jurisdiction=czechia&event_type=revoked',
  'three event types':
    'jurisdiction=czechia&event_type[]=revoked&event_type[]=added_to_register' +
    '&event_type[]=removed_from_register',
  'one stream': 'jurisdiction=czechia&source_stream_key=czechia.blocklist',
  'years of it, by the day': 'jurisdiction=czechia&occurred_from=2020-01-05&occurred_to=2026-11-15',
  'a month of it': 'jurisdiction=czechia&occurred_from=2025-03-01&occurred_to=2025-03-31',
}

await runBenchmark(json, async ({ open, serve }) => {
  // The snapshot is measured first, in an empty database, and then the feeds.
  const data = await open('bench-registers', { rows, signals }, again && rows === 0, async world => {
    if (rows === 0) await generateSignals(world.database, signals)
  })
  const key = await createOneKey(data.world)
  const api = await serve(data, 'src/main/serve.ts', 9_110)
  const target = (paths: string[]) => ({ url: api.url, paths, keys: [key] })
  const snapshot = rows === 0 ? {} : await measureSnapshot(data, target)
  if (rows > 0) await generateSignals(data.world.database, signals)

  // This target is a paid answer with its charge, at the same rate.
  const verdict = target(['/v1/domains/resolve?domain=nobody.example'])
  await pacedLoad(verdict, 3, feedRequestsPerSecond)
  const floor = await pacedLoad(verdict, feedSeconds, feedRequestsPerSecond)
  console.log(`a paid verdict at ${feedRequestsPerSecond}/s: p50 ${floor.p50Ms} ms, p99 ${floor.p99Ms} ms`)
  const pages: Record<string, unknown> = { verdict: floor }
  for (const [title, query] of Object.entries(feeds)) {
    const paths = await deepPaths(api.url, key, query)
    const figures = await pacedLoad(target(paths), feedSeconds, feedRequestsPerSecond)
    pages[title] = figures
    console.log(`feed, ${title}: p50 ${figures.p50Ms} ms, p99 ${figures.p99Ms} ms (${paths.length} depths)`)
  }
  return { rows, signals, ...snapshot, pages }
})

type Target = Parameters<typeof pacedLoad>[0]

async function measureSnapshot(data: BenchData, targetOf: (paths: string[]) => Target): Promise<object> {
  const older = join(data.directory, 'older.txt')
  const newer = join(data.directory, 'newer.txt')
  await writeHosts(older, hostOf)
  await writeHosts(newer, number => (number % changedEvery === 7 ? `new-${hostOf(number)}` : hostOf(number)))
  const copySeconds = await timeCopyIn(data.connection, createReadStream(newer))
  const baseline = await syncRegister(stream, older, data)
  console.log(`baseline: ${describe(baseline)}`)
  const target = targetOf(
    Array.from({ length: 500 }, (_, at) => `/v1/domains/resolve?domain=${hostOf((at * 1_999) % rows)}`),
  )
  await pacedLoad(target, 3, requestsPerSecond)
  const quiet = await pacedLoad(target, quietSeconds, requestsPerSecond)
  const besideSeconds = Math.max(10, Math.round(baseline.seconds / 3))
  const [beside, changed] = await Promise.all([
    pacedLoad(target, besideSeconds, requestsPerSecond),
    syncRegister(stream, newer, data),
  ])
  console.log(`1 % changed: ${describe(changed)}`)
  const hosts = Math.ceil((rows - 7) / changedEvery)
  if (changed.added !== hosts || changed.removed !== hosts || changed.signals !== 2 * hosts)
    throw new Error(`${hosts} hosts changed, of each a Signal of its addition and of its removal is wanted`)
  console.log(
    `  ${(changed.seconds / copySeconds).toFixed(1)} times the COPY of the same rows ` +
      `(${copySeconds.toFixed(1)} s)`,
  )
  console.log(
    `  paid verdict at ${requestsPerSecond}/s: p99 ${quiet.p99Ms} ms alone, ${beside.p99Ms} ms beside ` +
      `it: ${(beside.p99Ms / quiet.p99Ms).toFixed(1)} times`,
  )
  return { baseline, changed, copySeconds, quiet, beside }
}

/** Returns pages from the first to the last of the feed: some pages after each of a few positions. */
async function deepPaths(url: string, key: string, query: string): Promise<string[]> {
  const isBounded = query.includes('occurred_from')
  const found: string[] = []
  for (let month = 0; month < (isBounded ? 1 : 24); month += 3) {
    const from = new Date(Date.UTC(2024, month, 1)).toISOString().slice(0, 10)
    const bounded = isBounded ? query : `${query}&occurred_from=${from}`
    let after = ''
    for (let page = 0; page < 5; page += 1) {
      const path = `/v1/signals/register-changes?${bounded}&page_size=20${after}`
      found.push(path)
      const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
      const { data } = (await response.json()) as { data: { next_cursor: string | null; signals: unknown[] } }
      if (data.signals.length === 0 && page === 0) throw new Error(`${path} has no Signals to measure`)
      if (data.next_cursor === null) break
      after = `&after=${encodeURIComponent(data.next_cursor)}`
    }
  }
  return found
}

function hostOf(number: number): string {
  return `${((number * 7_919) % 1_000_003).toString(36)}-play${number}.com`
}

async function writeHosts(path: string, host: (number: number) => string): Promise<void> {
  await writeFile(path, `${Array.from({ length: rows }, (_, number) => host(number)).join('\n')}\n`)
}

function describe({ seconds, added, removed, signals: created, memoryMb }: Synced): string {
  return (
    `${seconds.toFixed(1)} s, ${added} added, ${removed} removed, ${created} signals, ` +
    `at most ${memoryMb.toFixed(0)} MB`
  )
}
