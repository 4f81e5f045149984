import { join } from 'node:path'
import { claimDataDirectory, type DirectoryClaim } from '@baize/data-directory'
import { type EmbeddedServer, startEmbedded } from '@baize/embedded-postgres'
import { openFileStore } from '@baize/files'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../src/config/logger.ts'
import { migrate } from '../src/database/migrate.ts'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { type OpenedService, openService } from '../src/http/open-service.ts'
import { buildServer } from '../src/http/server.ts'
import { preparePartitions } from '../src/instance/index.ts'
import { verifyAll } from '../src/verify/index.ts'
import { withClient } from './harness/client.ts'
import { createTestDirectory, type TestDirectory } from './harness/directory.ts'
import { eventually } from './harness/eventually.ts'
import { killServersBelow, processesAreVisible } from './harness/processes.ts'
import { fastSettings } from './harness/server.ts'

// Tests a service whose external database server stops and restarts.

let directory: TestDirectory
let claim: DirectoryClaim
let database: EmbeddedServer
let service: OpenedService
let close: () => Promise<void>
let url: string
let key: string

const startDatabase = () => startEmbedded({ dataDirectory: directory.path, settings: fastSettings })

beforeAll(async () => {
  directory = await createTestDirectory()
  claim = await claimDataDirectory(directory.path)
  database = await startDatabase()
  const { host, port, user, database: name } = database
  const connection = { host, port, user, database: name }
  await migrate(connection)
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
  service = openService({ connection, settings, files, log: createLogger('silent') })
  await preparePartitions(service.live.database, new Date())
  const server = await buildServer(service)
  close = () => server.close()
  url = await server.listen({ host: '127.0.0.1', port: 0 })
  const account = await createAccount(service.live, { name: 'Away', plan: 'growth', creditsGranted: 100_000 })
  key = (await createKey(service.live, account.account_ref)).api_key
})
afterAll(async () => {
  await close?.()
  await service?.close()
  await database?.stop()
  await claim?.release()
  await directory?.remove()
})

type Answer = {
  status: number
  headers: Headers
  body: { errors?: { code: string }; data?: Record<string, number> }
}

async function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': key, ...headers } })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] }
}

const verdict = (name: string) =>
  ask(`/v1/domains/resolve?domain=${name}.example`, { 'idempotency-key': name })

function expectAway({ status, headers, body }: Answer): void {
  expect([status, body.errors?.code]).toEqual([503, 'service_unavailable'])
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
}

const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status

test('a service without its database answers 503, and makes every charge exactly once', async () => {
  const loops = 10
  const sent: string[] = []
  const charged = new Set<string>()
  const refusals = { count: 0 }
  let over = false
  const load = Promise.all(
    Array.from({ length: loops }, async () => {
      while (!over) {
        const name = `away-${sent.length}`
        sent.push(name)
        const answer = await verdict(name)
        if (answer.status === 200) charged.add(name)
        else {
          expectAway(answer)
          refusals.count += 1
        }
      }
    }),
  )
  load.catch(() => {}) // The error is handled where the promise is awaited.
  await eventually('charges flow', () => charged.size > 50)
  await database.stop()
  await eventually('requests are refused', () => refusals.count >= loops)
  const chargedBefore = charged.size
  expect(await statusOf('/healthz')).toBe(200)
  const ready = await fetch(`${url}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'not_ready' }])
  expectAway(await ask('/v1/account'))
  expectAway(await ask('/v1/domains/search?verdict=licensed'))
  expectAway(await ask('/v1/domains/resolve?domain=luckyotter.example', { 'x-api-key': 'client_demo' }))
  const cookie = `baize_session=${'x'.repeat(43)}`
  for (const path of ['/dashboard', '/sign-in', `/sign-in/${'x'.repeat(43)}`]) {
    expectAway(await ask(path, { cookie }))
    const page = await fetch(`${url}${path}`, { headers: { cookie, accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('The service is unavailable; try again.')
  }

  database = await startDatabase()
  await eventually('charges flow again', () => charged.size > chargedBefore + 50)
  await eventually('it is ready again', async () => (await statusOf('/readyz')) === 200)
  over = true
  await load

  for (const name of sent) {
    const answer = await verdict(name)
    expect(answer.status).toBe(200)
    if (charged.has(name)) expect(answer.headers.get('idempotency-replayed')).toBe('true')
  }
  expect((await ask('/v1/account')).body.data).toMatchObject({
    credits_used: sent.length,
    credits_reserved: 0,
  })
  expect(await verifyAll(service.live)).toMatchObject({ ok: true })
})

test('a restart of the database between two requests fails neither request', async () => {
  for (const round of ['first', 'second', 'third']) {
    await database.stop()
    database = await startDatabase()
    const answer = await verdict(`restarted-${round}`)
    expect(answer.status).toBe(200)
  }
})

test.skipIf(!processesAreVisible)('a cut database connection fails only the running statement', async () => {
  const underWay = sql`select pg_sleep(60)`.execute(service.live.database).then(
    () => null,
    error => error,
  )
  await eventually('the statement runs', () =>
    withClient(database, async client => {
      const { rowCount } = await client.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)
      return rowCount === 1
    }),
  )
  // The server is killed, because a regular shutdown would report its reason.
  await killServersBelow(directory.path)
  expect(await underWay).toBeInstanceOf(Error)
  await database.unexpectedEnd
  expectAway(await ask('/v1/account'))
  database = await startDatabase()
  expect(await statusOf('/readyz')).toBe(200)
  expect((await verdict('after-the-cut')).status).toBe(200)
})
