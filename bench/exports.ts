import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { isSeenWith, licensedIn, medianCopy } from './data/copied-rows.ts'
import { addRareSupplier, generate } from './data/generate-store.ts'
import { fullDomains, sizesFor } from './data/sizes.ts'
import { median } from './harness/goals.ts'
import { readOptions } from './harness/options.ts'
import { pacedLoad } from './harness/paced-load.ts'
import { withExtraMemory } from './harness/processes.ts'
import { createOneKey, runBenchmark } from './harness/run-benchmark.ts'
import { verdictPaths } from './scenarios/paths.ts'

// Usage: npm run bench:exports [-- --domains N] [--at-once N] [--rounds R] [--json FILE] [--again]. Measures
// exports of 10,000 rows by one process that serves and works, as `npm start` runs it. COPY of the same
// rows is the limit. Then it measures many exports at once beside paid verdicts.
const options = readOptions({ domains: fullDomains, 'at-once': 200, rounds: 5, json: '', again: false })
const { domains, 'at-once': atOnce, rounds } = options
const requestsPerSecond = 300
const quietSeconds = 10
const pollEveryMs = 10
const completeWithinMs = 600_000
const overloadedMax = 20
const rareSupplier = 'Rare Reels'
const rareSites = 50
const everything = [
  'licenses',
  'payment_methods',
  'supplier_brands',
  'affiliate_programs',
  'geo',
  'related_domains',
  'operator_launch_profile',
  'logos',
  'platform_history',
]

/** Exports to compare with COPY; `where` selects the same rows for COPY. */
const compared: { title: string; body: object; where?: string }[] = [
  {
    title: 'CSV, no filter',
    body: {},
    where: `(domain.verdict <> 'no_record' or domain.last_observed_at is not null)`,
  },
  {
    title: 'CSV, three filters',
    body: { filters: { jurisdiction: 'mga', has_affiliate: true, exclude_payment: 'crypto' } },
    where: [
      licensedIn('mga'),
      isSeenWith('affiliate_programs'),
      "not domain.payment_categories @> '{crypto}'",
    ].join(' and '),
  },
  {
    title: `CSV, a supplier of ${rareSites} sites`,
    body: { filters: { supplier_brand: rareSupplier } },
    where: isSeenWith(
      'supplier_brands',
      `lower(value ->> 'normalized_provider_name') = lower('${rareSupplier}')`,
    ),
  },
  { title: 'JSON, no sections', body: { export_format: 'json' } },
  { title: 'JSON, every section', body: { export_format: 'json', fields: everything } },
]

await runBenchmark(options.json, async ({ undo, open, serve }) => {
  const sizes = sizesFor(domains, false)
  const data = await open('bench', sizes, options.again, world => generate(world.database, sizes))
  await addRareSupplier(data.world.database, rareSupplier, rareSites)
  const client = new pg.Client(data.connection)
  await client.connect()
  undo.defer(() => client.end())
  const key = await createOneKey(data.world)
  const instance = await serve(data, 'src/main/start.ts', 9_120)
  const api = { url: instance.url, headers: { 'x-api-key': key } }
  const file = join(data.directory, 'copied.csv')

  for (const { body } of compared) await timeExport(api, client, body) // This round warms up.
  const single: Record<string, { rows: number } & Record<string, unknown>> = {}
  for (const { title, body, where } of compared) {
    const copy = where === undefined ? null : await medianCopy(client, { where, file, rounds })
    const { result: times, extraMb } = await withExtraMemory(instance.pid, async () => {
      const timed: Timed[] = []
      for (let round = 0; round < rounds; round++) timed.push(await timeExport(api, client, body))
      return timed
    })
    const { rows, bytes } = times[0] as Timed
    if (rows === 0 || times.some(each => each.rows !== rows))
      throw new Error(`${title}: exports of ${times.map(each => each.rows).join(', ')} rows`)
    const ms = median(times.map(each => each.ms))
    const writingMs = median(times.map(each => each.writingMs))
    if (copy !== null && copy.rows !== rows)
      throw new Error(`${title}: COPY found ${copy.rows} rows, the export ${rows}`)
    single[title] = { ms, writingMs, copyMs: copy?.ms, rows, bytes, extraMb }
    console.log(
      `${title}: ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB, ready after ` +
        `${ms.toFixed(0)} ms (${writingMs.toFixed(0)} ms writing), ${extraMb.toFixed(0)} MB more memory`,
    )
    if (copy !== null)
      console.log(
        `  COPY of the same rows to a file: ${copy.ms.toFixed(0)} ms; the export took ` +
          `${(ms / copy.ms).toFixed(1)} times that, writing ${(writingMs / copy.ms).toFixed(1)} times`,
      )
  }

  const target = { url: instance.url, paths: verdictPaths(sizes), keys: [key] }
  await pacedLoad(target, 3, requestsPerSecond)
  const quiet = await pacedLoad(target, quietSeconds, requestsPerSecond)
  const { result, extraMb } = await withExtraMemory(instance.pid, async () => {
    const began = performance.now()
    const urls = await Promise.all(Array.from({ length: atOnce }, () => queue(api, {})))
    const complete = Promise.all(urls.map(url => completed(api, url))).then(records => ({
      rows: records.reduce((sum, record) => sum + record.total_rows, 0),
      allMs: performance.now() - began,
    }))
    const beside = await pacedLoad(target, Math.ceil(atOnce / 10), requestsPerSecond)
    return { beside, ...(await complete) }
  })
  const { beside, rows, allMs } = result
  const rowsOfOne = single[compared[0]?.title ?? '']?.rows ?? 0
  const wanted = atOnce * rowsOfOne
  if (rows !== wanted) throw new Error(`${atOnce} exports at once have ${rows} rows instead of ${wanted}`)
  console.log(
    `${atOnce} exports at once: all complete after ${(allMs / 1000).toFixed(1)} s, ${rows} rows, ` +
      `${extraMb.toFixed(0)} MB more memory`,
  )
  console.log(
    `  paid verdict at ${requestsPerSecond}/s: p99 ${quiet.p99Ms} ms alone, ${beside.p99Ms} ms beside ` +
      `them: ${(beside.p99Ms / quiet.p99Ms).toFixed(1)} times`,
  )
  return { domains, atOnce, single, quiet, beside, allMs, extraMb }
})

type Api = { url: string; headers: Record<string, string> }
type ExportRecord = { id: number; total_rows: number; bytes: number }
type Timed = { ms: number; writingMs: number; rows: number; bytes: number }

async function queue({ url, headers }: Api, body: object): Promise<string> {
  for (let overloaded = 0; ; overloaded++) {
    const response = await fetch(`${url}/v1/exports`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (response.status === 202) return `${url}${answer.data.poll_url}`
    // Retries 503, because a busy machine can stall the service.
    if (response.status !== 503 || overloaded === overloadedMax) throw new Error(JSON.stringify(answer))
    await pause(Number(response.headers.get('retry-after')) * 1_000)
  }
}

async function timeExport(api: Api, client: pg.Client, body: object): Promise<Timed> {
  const start = performance.now()
  const record = await completed(api, await queue(api, body), pollEveryMs)
  const ms = performance.now() - start
  const { rows: found } = await client.query(
    'select extract(epoch from completed_at - started_at) * 1000 as ms from exports where id = $1',
    [record.id],
  )
  return { ms, writingMs: Number(found[0].ms), rows: record.total_rows, bytes: record.bytes }
}

/** Polls at the rate of Retry-After, or more often to measure. */
async function completed({ headers }: Api, url: string, everyMs?: number): Promise<ExportRecord> {
  const deadline = Date.now() + completeWithinMs
  for (;;) {
    const response = await fetch(url, { headers })
    const answer = await response.json()
    if (response.ok) return answer.data
    if (answer.errors.code !== 'export_pending' || Date.now() > deadline)
      throw new Error(JSON.stringify(answer))
    await pause(everyMs ?? Number(response.headers.get('retry-after')) * 1_000)
  }
}
