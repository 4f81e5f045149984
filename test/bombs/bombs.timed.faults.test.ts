/** Throws all bombs at every parser of a service that sells verdicts meanwhile, as `npm start` runs it. */
import { mkdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { median } from '../../bench/harness/goals.ts'
import type { Figures } from '../../bench/harness/load.ts'
import { type Server, startFlags, startServer } from '../../bench/harness/processes.ts'
import { openWorld, type World } from '../../src/database/open.ts'
import { createAccount, createKey } from '../../src/features/account/index.ts'
import { addJob, listJobs } from '../../src/jobs/index.ts'
import { describeRegister, findKnownStream, type Stream, watchRegister } from '../../src/registers/index.ts'
import { startChild } from '../harness/child.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../harness/directory.ts'
import { eventually } from '../harness/eventually.ts'
import { childrenOf, memoryOfTree, processesAreVisible } from '../harness/processes.ts'
import { freePort } from '../harness/program.ts'
import { publicAddress, type Scenario, type SiteResponse } from '../small-internet/scenario.ts'
import { type SmallInternet, startSmallInternet } from '../small-internet/start-small-internet.ts'
import { type Bomb, registerBombs, type SiteBomb, siteBombs } from './corpus.ts'

/** The goal on a quiet machine is 2. A machine whose quiet p99 is low may have this one beside bombs. */
const timesQuietMax = 10
const besideMsMax = 500
/** The service, two reading threads, the reader of registers and the decoder of images, all at their largest. */
const megabytesMax = 800
/** A parser that stopped the service for seconds would show in one window. */
const stallMsMax = 5_000
const requestsPerSecond = 100
const quietWindows = 2
/** Bombs take up to five minutes of processor time. */
const bombsMs = 900_000

let database: TestDatabase
let directory: TestDirectory
let internet: SmallInternet
let world: World
let instance: Server
let key: string
let sites: SiteBomb[]

const scenario = (
  domain: string,
  responses: Scenario['responses'],
  rdap: SiteResponse | null = null,
): Scenario => ({
  about: 'A bomb',
  domain,
  licensed: false,
  license: null,
  background: false,
  slow: false,
  dns: { [domain]: { A: [publicAddress] } },
  certificate: 'valid',
  refuses: [],
  responses,
  rdap,
  expect: { web_presence: 'unknown', launch: 'unknown', outcome: 'completed' },
})

const bombs = registerBombs()
const hostOf = (name: string) => `${name}.example`

beforeAll(async () => {
  sites = await siteBombs()
  internet = await startSmallInternet([
    ...bombs.map(({ name, body }) =>
      scenario(hostOf(name), { '/list': { base64: body.toString('base64') } }),
    ),
    ...sites.map(({ name, responses, rdap }) => scenario(hostOf(name), responses, rdap)),
  ])
  directory = await createTestDirectory()
  database = await createTestDatabase()
  world = openWorld('public', { connection: database.connection })
  const account = await createAccount(world, {
    name: 'A customer',
    plan: 'growth',
    creditsGranted: 1_000_000,
  })
  key = (await createKey(world, account.account_ref)).api_key
  await mkdir('var', { recursive: true })
  const port = await freePort()
  instance = await startServer(
    'src/main/start.ts',
    port,
    {
      ...internet.environment,
      DATA_DIR: directory.path,
      DATABASE_URL: database.url,
      BASE_URL: `http://localhost:${port}`,
      LOG_LEVEL: 'info',
      THROTTLE_PER_MINUTE: '0',
    },
    await startFlags(),
  )
  for (const bomb of bombs) await watchBomb(bomb)
})
afterAll(async () => {
  await instance?.stop()
  await world?.close()
  await internet?.close()
  await database?.drop()
  await directory?.remove()
})

const streamOf = (name: string) => `greece.${name.replaceAll('-', '')}`

async function watchBomb({ name, form }: Bomb): Promise<void> {
  const description = JSON.stringify({ ...describedList, key: streamOf(name), file: form })
  const read = await describeRegister(world, description, { now: new Date(), checkOnly: false })
  expect(read).toMatchObject({ ok: true })
  const stream = (await findKnownStream(world, streamOf(name))) as Stream
  await watchRegister(world, stream, { urls: [`https://${hostOf(name)}/list`], allowedHosts: [] })
}

const describedList = {
  market: 'greece',
  covers: ['blocklist'],
  regulator: 'A regulator',
  regulator_country_code: 'GR',
  official_url: 'https://regulator.example/',
  file_urls: ['https://regulator.example/list'],
  cadence: { words: 'daily', hours: 24 },
  publishes: { revoked: false, dates: false, domains: true, roles: false },
  format: 'made up',
  identity: 'the host',
  rows_min: 1,
  ends_with_line_break: false,
  source_claim: 'blocklist',
  qualification: 'Made up.',
  source_identity: 'Made up',
  language: 'en',
  sources: { address: 'made up', layout: 'made up', cadence: 'made up', rows: 'made up' },
  columns: { site: { headers: ['site'] } },
  records: { blocklist_entries: { domain: { column: 'site' } } },
}

async function throwBombs(): Promise<void> {
  for (const { name } of bombs) {
    const job = { task: 'fetch_register', payload: { stream: streamOf(name) }, key: `bomb ${name}` }
    await addJob(world.database, { ...job, attemptsMax: 1, delayMs: 0 })
  }
  for (const { name } of sites) await eventually('a check is accepted', () => enrich(hostOf(name)))
}

/** Returns false if a busy service asks to try again. */
async function enrich(domain: string): Promise<boolean> {
  const { status } = await fetch(`${instance.url}/v1/enrichments`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ domain, max_age_days: 0 }),
  })
  expect([202, 503]).toContain(status)
  return status === 202
}

async function areDefused(): Promise<boolean> {
  const jobs = (await listJobs(world.database)).filter(each => each.key?.startsWith('bomb ') === true)
  const { rows } = await sql`select from site_checks where state in ('queued', 'running')`.execute(
    world.database,
  )
  return jobs.every(({ state }) => state === 'failed') && rows.length === 0
}

const paths = Array.from({ length: 500 }, (_, index) => `/v1/domains/resolve?domain=otter-${index}.example`)
async function p99Of(seconds: number): Promise<number> {
  const target = JSON.stringify({ url: instance.url, paths, keys: [key] })
  const load = startChild<Figures>('../bombs/run-load.ts', target, `${seconds}`, `${requestsPerSecond}`)
  return (await load.hello).p99Ms
}

/** Returns the 99th percentiles of windows of three seconds. */
async function windowsOf(isOver: (windows: number) => Promise<boolean> | boolean): Promise<number[]> {
  const windows: number[] = []
  do windows.push(await p99Of(3))
  while (!(await isOver(windows.length)))
  return windows
}

test.runIf(processesAreVisible)(
  'bombs leave verdicts their speed, and the service its memory',
  async () => {
    const quiet = () => windowsOf(windows => windows === quietWindows)
    await p99Of(3) // This load warms up the service.
    let largestMb = 0
    const watch = setInterval(async () => {
      largestMb = Math.max(largestMb, await memoryOfTree(instance.pid))
    }, 50)
    const before = await quiet()
    await throwBombs()
    const beside = await windowsOf(areDefused)
    clearInterval(watch)
    const after = await quiet()
    const [quietMs, besideMs] = [median([...before, ...after]), median(beside)]
    console.info(
      `p99 of verdicts ${quietMs} ms quiet, ${besideMs} ms beside bombs (${beside.length} windows); ` +
        `${Math.round(largestMb)} MB`,
    )
    const { rows: runs } = await sql<{ stream: string }>`
    select distinct stream from register_runs where status = 'refused' order by stream`.execute(
      world.database,
    )
    expect(runs.map(({ stream }) => stream)).toEqual(bombs.map(({ name }) => streamOf(name)).toSorted())
    const { rows: crashes } = await sql`
    select stream, reasons from register_runs
     where array_to_string(reasons, ' ') ~ 'ends the process|could not start'`.execute(world.database)
    expect(crashes).toEqual([])
    expect((await fetch(`${instance.url}/readyz`)).status).toBe(200)
    expect(largestMb).toBeGreaterThan(0)
    expect(largestMb).toBeLessThan(megabytesMax)
    expect(Math.max(...beside)).toBeLessThan(stallMsMax)
    expect(besideMs).toBeLessThanOrEqual(Math.max(quietMs * timesQuietMax, besideMsMax))
  },
  bombsMs,
)

test.runIf(processesAreVisible)('a stop while bombs are read ends every process', async () => {
  await throwBombs()
  let children: number[] = []
  await eventually('a process reads', async () => {
    children = await childrenOf(instance.pid)
    return children.length > 0
  })
  await instance.stop()
  const isGone = async () => (await Promise.all(children.map(memoryOfTree))).every(each => each === 0)
  await eventually('all processes have ended', isGone)
})
