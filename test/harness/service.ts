import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { FileStore } from '@baize/files'
import { openFileStore } from '@baize/files'
import type { FastifyInstance } from 'fastify'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { createLogger } from '../../src/config/logger.ts'
import type { Sources } from '../../src/core/observe.ts'
import type { PlanName } from '../../src/core/operation.ts'
import type { World } from '../../src/database/open.ts'
import { createAccount, createKey } from '../../src/features/account/index.ts'
import type { ConnectionLimits } from '../../src/http/connections.ts'
import { type OpenedService, openService } from '../../src/http/open-service.ts'
import { buildServer } from '../../src/http/server.ts'
import { preparePartitions } from '../../src/metering/housekeeping.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { createTestDirectory } from './directory.ts'
import { copyWorldFiles, type TestWorld } from './world-template.ts'

export type Response = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts.
  body: any
}

export type Ask = {
  key?: string | null
  headers?: Record<string, string>
  method?: string
  body?: string | Uint8Array<ArrayBuffer>
}

export type TestService = {
  url: string
  service: OpenedService
  server: FastifyInstance
  database: TestDatabase
  ask(path: string, ask?: Ask): Promise<Response>
  customer(options?: { credits?: number; plan?: PlanName }): Promise<Customer>
  close(): Promise<void>
}

export type Customer = { accountRef: string; key: string; ask(path: string, ask?: Ask): Promise<Response> }

export type TestServiceOptions = ConnectionLimits & {
  throttlePerMinute?: number
  now?: () => Date
  trustProxy?: number
  observation?: { isOn?: boolean; waitSeconds?: number }
  log?: Logger
  redis?: Redis
  /** Limits the event loop's delay. The default is no limit, so that a slow machine fails no test. */
  eventLoopDelayMsMax?: number
  files?: FileStore
  /** The sources of the service; the default is none. */
  sources?: (live: World) => Sources
  /** The variables that a shell needs before a command. */
  commandVariables?: string[]
  /** The sender of mails; the default is no mail server. */
  mailFrom?: string
  world?: TestWorld
  /** Sets a BASE_URL that a browser can open. The default is a name that does not resolve. */
  isReachable?: boolean
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  await using opening = new AsyncDisposableStack()
  const database = await createTestDatabase(options.world)
  opening.defer(() => database.drop())
  const directory = await createTestDirectory()
  opening.defer(() => directory.remove())
  const { isReachable = false } = options
  const port = isReachable ? await freePort() : 0
  // The URL has a name, because browsers accept passkeys only for names, not for addresses.
  const baseUrl = isReachable ? `http://localhost:${port}` : 'http://baize.test'
  const files = options.files ?? openFileStore({ kind: 'folder', path: join(directory.path, 'files') })
  await copyWorldFiles(options.world ?? 'empty', files)
  const service = openService({
    connection: database.connection,
    settings: {
      baseUrl,
      logoUrl: `${baseUrl}/logos`,
      imageUrl: `${baseUrl}/images`,
      throttlePerMinute: options.throttlePerMinute ?? 0,
      trustProxy: options.trustProxy ?? null,
      observation: { isOn: true, waitSeconds: 240, ...options.observation },
      mail: options.mailFrom === undefined ? null : { from: options.mailFrom },
      commandVariables: options.commandVariables ?? [],
    },
    files,
    log: options.log ?? createLogger('silent'),
    ...(options.now === undefined ? {} : { now: options.now }),
    ...(options.sources === undefined ? {} : { sources: options.sources }),
  })
  opening.defer(() => service.close())
  await preparePartitions(service.live.database, service.now())
  const { redis = null, silenceMsMax, requestMsMax, eventLoopDelayMsMax = 0 } = options
  const server = await buildServer(service, {
    redis,
    eventLoopDelayMsMax,
    ...(silenceMsMax === undefined ? {} : { silenceMsMax }),
    ...(requestMsMax === undefined ? {} : { requestMsMax }),
  })
  opening.defer(() => server.close())
  const url = await server.listen({ host: '127.0.0.1', port })

  async function ask(
    path: string,
    { key = null, headers = {}, method = 'GET', body }: Ask = {},
  ): Promise<Response> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(key === null ? {} : { 'x-api-key': key }), ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : null,
    }
  }

  async function customer({ credits = 1_000, plan = 'growth' }: { credits?: number; plan?: PlanName } = {}) {
    const creditsGranted = plan === 'internal' ? null : credits
    const account = await createAccount(service.live, { name: 'A customer', plan, creditsGranted })
    const { api_key: key } = await createKey(service.live, account.account_ref)
    const asCustomer = (path: string, asked: Ask = {}) => ask(path, { key, ...asked })
    return { accountRef: account.account_ref, key, ask: asCustomer }
  }

  const opened = opening.move()
  return { url, service, server, database, ask, customer, close: () => opened.disposeAsync() }
}
