import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { verifyAll } from '../src/verify/index.ts'
import { openBenchData } from './data.ts'
import { generate } from './generate-store.ts'
import { pacedLoad } from './paced-load.ts'
import { verdictPaths } from './paths.ts'
import { forgetPeak, memoryMb, startFlags, startServer } from './processes.ts'
import { median } from './scenarios.ts'
import { fullDomains, sizesFor } from './sizes.ts'

// npm run bench:exports [-- --domains N] [--at-once N] [--rounds R] [--json FILE] [--again] Exports of
// 10,000 rows by one process that serves and works, as `npm start` runs it, with COPY of the same rows as
// the limit; then many exports at once beside paid verdicts.
const { values: options } = parseArgs({
  options: {
    domains: { type: 'string', default: String(fullDomains) },
    'at-once': { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'string' },
    again: { type: 'boolean', default: false },
  },
})
const domains = Number(options.domains)
const atOnce = Number(options['at-once'])
const rounds = Number(options.rounds)
const requestsPerSecond = 300
const quietSeconds = 10
const pollEveryMs = 10
const completeWithinMs = 600_000
const rareSupplier = 'Rare Reels'
const rareSites = 50

const sizes = sizesFor(domains, false)
const data = await openBenchData('bench', sizes, options.again, world => generate(world.database, sizes))
const { connection, url, world, directory } = data
const undo = [() => data.close()]
const report: Record<string, unknown> = { domains, atOnce }
try {
  const client = new pg.Client(connection)
  await client.connect()
  undo.push(() => client.end())
  await addRareSupplier(client)
  const { account_ref } = await createAccount(world, {
    name: 'bench',
    plan: 'growth',
    creditsGranted: 1_000_000_000,
  })
  const { api_key: key } = await createKey(world, account_ref)
  const instance = await startServer(
    'src/main/start.ts',
    9_120,
    {
      DATABASE_URL: url,
      DATA_DIR: join(directory, 'instance'),
      THROTTLE_PER_MINUTE: '0',
      LOG_LEVEL: 'warn',
    },
    await startFlags(),
  )
  undo.push(instance.stop)
  const headers = { 'x-api-key': key }

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
  const bodies: [string, object, string?][] = [
    ['CSV, no filter', {}, `(domain.verdict <> 'no_record' or domain.last_observed_at is not null)`],
    [
      'CSV, three filters',
      { filters: { jurisdiction: 'mga', has_affiliate: true, exclude_payment: 'crypto' } },
      [
        licensedIn('mga'),
        isSeenWith('affiliate_programs'),
        "not domain.payment_categories @> '{crypto}'",
      ].join(' and '),
    ],
    [
      `CSV, a supplier of ${rareSites} sites`,
      { filters: { supplier_brand: rareSupplier } },
      isSeenWith('supplier_brands', `lower(value ->> 'normalized_provider_name') = lower('${rareSupplier}')`),
    ],
    ['JSON, no sections', { export_format: 'json' }],
    ['JSON, every section', { export_format: 'json', fields: everything }],
  ]
  for (const [, body] of bodies) await timeExport(body) // warms up
  const single: Record<string, unknown> = {}
  for (const [title, body, where] of bodies) {
    const copied = where === undefined ? null : await medianCopy(rounds, where)
    await forgetPeak(instance.pid)
    const before = await memoryMb(instance.pid, 'VmRSS')
    const times: Timed[] = []
    for (let round = 0; round < rounds; round++) times.push(await timeExport(body))
    const extraMb = (await memoryMb(instance.pid, 'VmHWM')) - before
    const [last] = times
    const ms = median(times.map(each => each.ms))
    const writingMs = median(times.map(each => each.writingMs))
    if (copied !== null && copied.rows !== last?.rows)
      throw new Error(`${title}: COPY found ${copied.rows} rows, the export ${last?.rows}`)
    single[title] = { ms, writingMs, copyMs: copied?.ms, rows: last?.rows, bytes: last?.bytes, extraMb }
    console.log(
      `${title}: ${last?.rows} rows, ${((last?.bytes ?? 0) / 1e6).toFixed(1)} MB, ready after ` +
        `${ms.toFixed(0)} ms (${writingMs.toFixed(0)} ms writing), ${extraMb.toFixed(0)} MB more memory`,
    )
    if (copied !== null)
      console.log(
        `  COPY of the same rows to a file: ${copied.ms.toFixed(0)} ms; the export took ` +
          `${(ms / copied.ms).toFixed(1)} times that, writing ${(writingMs / copied.ms).toFixed(1)} times`,
      )
  }

  const target = { url: instance.url, paths: verdictPaths(sizes), keys: [key] }
  await pacedLoad(target, 3, requestsPerSecond)
  const quiet = await pacedLoad(target, quietSeconds, requestsPerSecond)
  await forgetPeak(instance.pid)
  const before = await memoryMb(instance.pid, 'VmRSS')
  const began = performance.now()
  const urls = await Promise.all(Array.from({ length: atOnce }, () => queue({})))
  let allMs = 0
  const complete = Promise.all(urls.map(url => completed(url))).then(records => {
    allMs = performance.now() - began
    return records
  })
  const beside = await pacedLoad(target, Math.ceil(atOnce / 10), requestsPerSecond)
  const records = await complete
  const rows = records.reduce((sum, record) => sum + record.total_rows, 0)
  const extraMb = (await memoryMb(instance.pid, 'VmHWM')) - before
  console.log(
    `${atOnce} exports at once: all complete after ${(allMs / 1000).toFixed(1)} s, ${rows} rows, ` +
      `${extraMb.toFixed(0)} MB more memory`,
  )
  console.log(
    `  paid verdict at ${requestsPerSecond}/s: p99 ${quiet.p99Ms} ms alone, ${beside.p99Ms} ms beside ` +
      `them: ${(beside.p99Ms / quiet.p99Ms).toFixed(1)} times`,
  )
  const verified = await verifyAll(world)
  console.log(`verify: ${verified.ok ? 'no difference' : JSON.stringify(verified)}`)
  Object.assign(report, { single, quiet, beside, allMs, extraMb, verified: verified.ok })
  if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report)}\n`)

  async function medianCopy(times: number, where: string): Promise<{ ms: number; rows: number }> {
    const { rows } = await timeCopy(client, where) // warms the cache
    const measured: number[] = []
    for (let time = 0; time < times; time++) measured.push((await timeCopy(client, where)).ms)
    return { ms: median(measured), rows }
  }

  async function queue(body: object): Promise<string> {
    const response = await fetch(`${instance.url}/v1/exports`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (response.status !== 202) throw new Error(JSON.stringify(answer))
    return `${instance.url}${answer.data.poll_url}`
  }

  async function timeExport(body: object): Promise<Timed> {
    const start = performance.now()
    const record = await completed(await queue(body), pollEveryMs)
    const ms = performance.now() - start
    const { rows: found } = await client.query(
      'select extract(epoch from completed_at - started_at) * 1000 as ms from exports where id = $1',
      [record.id],
    )
    return { ms, writingMs: Number(found[0].ms), rows: record.total_rows, bytes: record.bytes }
  }

  /** Polls at the rate of Retry-After, or more often to measure. */
  async function completed(url: string, everyMs?: number): Promise<ExportRecord> {
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
} finally {
  for (const step of undo.reverse()) await step()
}

type ExportRecord = { id: number; total_rows: number; bytes: number }
type Timed = { ms: number; writingMs: number; rows: number; bytes: number }

async function addRareSupplier(client: pg.Client): Promise<void> {
  await client.query(
    `insert into observations (domain_id, section, value_key, value, first_seen_at, last_seen_at, stream)
     select id, 'supplier_brands', $1, jsonb_build_object('normalized_provider_name', $1::text),
            last_observed_at, last_observed_at, 'bench'
       from domains
      where id % greatest(1, (select count(*) from domains) / $2::int) = 0
     on conflict do nothing`,
    [rareSupplier, rareSites],
  )
  await client.query('analyze observations')
}

function licensedIn(jurisdiction: string): string {
  return `
  domain.id in (
    select domain_id from domain_listings where verdict = 'licensed' and geo = '${jurisdiction}'
    union all
    select mixed.id
      from domain_listings listing
      join domains mixed on mixed.id = listing.domain_id
     where listing.verdict = 'mixed' and listing.geo = ''
       and exists (select from json_array_elements(mixed.licensed_by) as license
         where license ->> 'geo' = '${jurisdiction}')
  )`
}

function isSeenWith(section: string, which = 'true'): string {
  return `
  exists (
    select from observations
     where domain_id = domain.id and section = '${section}' and ${which}
       and last_seen_at >= domain.last_observed_at - interval '30 days'
  )`
}

async function timeCopy(client: pg.Client, where: string): Promise<{ ms: number; rows: number }> {
  const start = performance.now()
  const rows = client.query(
    copyTo(`
      copy (
        select domain.domain, owner.name,
               case when domain.last_observed_at is null then 'not_observed' else 'observed' end,
               domain.last_observed_at
          from domains domain
          left join lateral (
            select coalesce(company.company_name, company.legal_entity) as name
              from domain_companies link
              join companies named on named.id = link.company_id
              join companies company on company.id = coalesce(named.merged_into, named.id)
             where link.domain_id = domain.id and link.known_to is null
             order by link.company_id is not distinct from domain.licensee_company_id desc, link.relation,
                      company.company_ref collate "C"
             limit 1
          ) owner on true
         where ${where}
         order by domain.domain
         limit 10000
      ) to stdout with (format csv, header)`),
  )
  await pipeline(rows, createWriteStream(join(directory, 'copied.csv'), { flush: true }))
  return { ms: performance.now() - start, rows: rows.rowCount }
}
