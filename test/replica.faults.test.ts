import { join } from 'node:path'
import { openFileStore } from '@baize/files'
import { ReplicaWatch } from '@baize/postgres'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../src/config/logger.ts'
import { importFiles } from '../src/dataset/index.ts'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { suppressPerson } from '../src/features/people/index.ts'
import { type OpenedService, openService } from '../src/http/open-service.ts'
import { buildServer } from '../src/http/server.ts'
import { preparePartitions } from '../src/instance/index.ts'
import { verifyAll } from '../src/verify/index.ts'
import { withClient } from './harness/client.ts'
import { createTestDirectory, type TestDirectory } from './harness/directory.ts'
import { eventually } from './harness/eventually.ts'
import { demoFiles } from './harness/import-demo.ts'
import { freePort } from './harness/program.ts'
import { type StreamingReplica, startStreamingReplica } from './harness/streaming-replica.ts'

// Tests a service that reads from a streaming replica, which lags, cancels statements, stops and returns.

let servers: StreamingReplica
let directory: TestDirectory
let service: OpenedService
let close: () => Promise<void>
let url: string
let key: string

beforeAll(async () => {
  servers = await startStreamingReplica()
  directory = await createTestDirectory()
  const baseUrl = 'http://baize.test'
  const settings = {
    baseUrl,
    logoUrl: `${baseUrl}/logos`,
    imageUrl: `${baseUrl}/images`,
    throttlePerMinute: 0,
    trustProxy: null,
    observation: { isOn: true, waitSeconds: 240 },
  }
  const files = openFileStore({ kind: 'folder', path: join(directory.path, 'files') })
  const { primary: connection, replica } = servers
  service = openService({ connection, replica, settings, files, log: createLogger('silent') })
  await preparePartitions(service.live.database, new Date())
  await importFiles(service.live, await demoFiles(), { mode: 'strict', files })
  const server = await buildServer(service, { eventLoopDelayMsMax: 0 })
  close = () => server.close()
  url = await server.listen({ host: '127.0.0.1', port: 0 })
  const account = await createAccount(service.live, {
    name: 'Far',
    plan: 'growth',
    creditsGranted: 1_000_000,
  })
  key = (await createKey(service.live, account.account_ref)).api_key
  await isAsked(1)
})
afterAll(async () => {
  await close?.()
  await service?.close()
  await servers?.close()
  await directory?.remove()
})
beforeEach(() => servers.resume())

async function ask(path: string) {
  const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts.
  return { status: answer.status, body: (await answer.json()) as any }
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find(each => each.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

const isAsked = (fit: 0 | 1) =>
  eventually(`baize_replica_fit is ${fit}`, async () => (await metric('baize_replica_fit')) === fit)

const verdictOf = async (domain: string) =>
  (await ask(`/v1/domains/resolve?domain=${domain}`)).body.data.verdict

async function storeVerdict(verdict: 'licensed' | 'mixed'): Promise<void> {
  await service.live.database
    .updateTable('domains')
    .set({ verdict })
    .where('domain', '=', 'luckyotter.example')
    .execute()
}

const reads = [
  '/v1/domains/resolve?domain=luckyotter.example&include[]=licenses',
  '/v1/domains/search?verdict=licensed&per_page=5',
  '/v1/domains/search?verdict=blocklisted&since=2020-01-01T00:00:00Z&per_page=5',
  '/v1/companies/search?q=otter',
  '/v1/companies/search?role=operator',
  '/v1/companies/search/preview?q=otter',
  '/v1/companies/resolve?domain=luckyotter.example&include[]=firmographics',
  '/v1/licenses/search?jurisdiction=ukgc',
  '/v1/licenses/resolve?license_number=MGA/B2C/9901/2019',
  '/v1/signals/register-changes?jurisdiction=ukgc',
  '/v1/signals/market-entries?role=operator&market=ukgc',
  '/v1/logos/search?q=otter',
  '/v1/people/roles',
]

async function everyRead(): Promise<Record<string, number>> {
  const answers = await Promise.all(reads.map(async path => [path, (await ask(path)).status]))
  return Object.fromEntries(answers)
}
const allAnswered = Object.fromEntries(reads.map(path => [path, 200]))

test('a replica that lags slightly is read, except for contacts of people', async () => {
  const { rows } = await sql<{ company_ref: string; email: string }>`
    select company_ref, email
      from contacts
      join companies on companies.id = contacts.company_id
     where email is not null
     limit 1`.execute(service.live.database)
  const { company_ref, email } = rows[0] as { company_ref: string; email: string }
  const delivered = async () => JSON.stringify((await ask(`/v1/companies/${company_ref}/people`)).body)
  expect(await delivered()).toContain(email)
  await servers.pause()
  onTestFinished(() => storeVerdict('licensed'))
  await storeVerdict('mixed')
  await suppressPerson(service.live, { email, reason: 'asked', now: new Date() })
  expect(await verdictOf('luckyotter.example')).toBe('licensed')
  expect(await delivered()).not.toContain(email)
  expect(await everyRead()).toEqual(allAnswered)
  await servers.resume()
  expect(await verdictOf('luckyotter.example')).toBe('mixed')
})

test('verdicts with checked_streams come with their streams from the primary', async () => {
  await servers.pause()
  onTestFinished(() => storeVerdict('licensed'))
  const path = '/v1/domains/resolve?domain=luckyotter.example'
  await storeVerdict('mixed')
  const verdictBy = async (query: string) => (await ask(path + query)).body.data.verdict
  expect([await verdictBy(''), await verdictBy('&checked_streams=true')]).toEqual(['licensed', 'mixed'])
})

test('the primary answers a read that the replica cancels or cannot answer yet', async () => {
  const repeatedReads = await metric('baize_replica_reads_given_up_total')
  const reading = sql<{ there: boolean }>`
    select pg_is_in_recovery() as there, case when pg_is_in_recovery() then pg_sleep(60)::text end as waited
      from dataset_version`.execute(service.live.replica)
  await eventually('it is under way', () =>
    withClient(servers.replica, async client => {
      const { rowCount } = await client.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)
      return rowCount === 1
    }),
  )
  await withClient(servers.primary, client =>
    client.query('begin; lock table dataset_version in access exclusive mode; commit'),
  )
  expect((await reading).rows).toMatchObject([{ there: false }])

  await servers.pause()
  await withClient(servers.primary, client => client.query('create table just_made (id int)'))
  expect((await sql`select * from just_made`.execute(service.live.replica)).rows).toEqual([])
  await servers.resume()
  expect((await sql`select * from just_made`.execute(service.live.replica)).rows).toEqual([])
  expect(await metric('baize_replica_reads_given_up_total')).toBe(repeatedReads + 2)
})

test('the primary answers while the replica is stopped, and no request fails', async () => {
  const loops = 6
  const statuses = new Map<number, number>()
  let over = false
  let sent = 0
  const load = Promise.all(
    Array.from({ length: loops }, async () => {
      while (!over) {
        const { status } = await ask(reads[sent++ % reads.length] as string)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }),
  )
  const more = (count: number) => {
    const before = sent
    return eventually('requests are answered', () => sent > before + count)
  }
  await more(3 * reads.length)
  await servers.stopReplica()
  await isAsked(0)
  await more(3 * reads.length)
  // The write of readiness may take longer than its 2 seconds on a busy machine.
  await eventually('it is ready', async () => (await fetch(`${url}/readyz`)).ok)
  await servers.startReplica()
  await isAsked(1)
  await more(3 * reads.length)
  over = true
  await load
  expect([...statuses.keys()]).toEqual([200])
  expect(await verifyAll(service.live)).toMatchObject({ ok: true })
})

test('a replica that lags beyond the limit is not read until it has caught up', async () => {
  const { primary: connection, replica } = servers
  const reasons: (string | null)[] = []
  const watching = {
    connection,
    replica,
    lagMsMax: 1,
    onChange: (why: string | null) => void reasons.push(why),
  }
  const write = () => sql`select pg_switch_wal(), txid_current()`.execute(service.live.database)
  const watch = new ReplicaWatch(watching)
  await eventually('it is fit', () => watch.isFit)
  await servers.pause()
  await write()
  await eventually('it is not', () => !watch.isFit)
  const late = new ReplicaWatch(watching)
  await eventually('three reports', () => reasons.length === 3)
  expect(late.isFit).toBe(false)
  await servers.resume()
  await eventually('both are fit', () => watch.isFit && late.isFit)
  expect(reasons).toEqual([
    null,
    'it is more than 0.001 seconds behind',
    'it has not caught up since this process began',
    null,
    null,
  ])
  await watch.close()
  await late.close()
})

test('a server that is not a replica of this database is never read, and is reported', async () => {
  const { primary: connection, replica } = servers
  const reasons: (string | null)[] = []
  const onChange = (why: string | null) => void reasons.push(why)
  const other = { ...replica, database: 'postgres' }
  const nobody = { ...replica, host: 'localhost', port: await freePort() }
  const watches = [connection, other, nobody].map(
    each => new ReplicaWatch({ connection, replica: each, onChange }),
  )
  await eventually('three reports', () => reasons.length === 3)
  expect(reasons.sort()).toEqual([
    expect.stringMatching(/^it does not answer \(.*ECONNREFUSED.*\)$/),
    'it does not follow a primary',
    'it is not a replica of this database',
  ])
  for (const watch of watches) await watch.close()

  await servers.promote()
  await isAsked(0)
  expect(await everyRead()).toEqual(allAnswered)
})
