import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '@baize/embedded-postgres'
import { openFileStore } from '@baize/files'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { createLogger } from '../src/config/logger.ts'
import { migrate } from '../src/database/migrate.ts'
import { createAccount, createKey } from '../src/features/account/index.ts'
import { type OpenedService, openService } from '../src/http/open-service.ts'
import { buildServer } from '../src/http/server.ts'
import { preparePartitions } from '../src/metering/housekeeping.ts'

export type OwnService = {
  service: OpenedService
  server: FastifyInstance
  connection: pg.ClientConfig
  /** The key of an account without a quota. */
  apiKey: string
  close(): Promise<void>
}

const creditsGranted = 100_000_000

export async function startOwnService(name: string): Promise<OwnService> {
  const dataDirectory = await mkdtemp(join(tmpdir(), `baize-${name}-`))
  await using opening = new AsyncDisposableStack()
  opening.defer(() => rm(dataDirectory, { recursive: true, force: true }))
  const embedded = await startEmbedded({ dataDirectory })
  opening.defer(() => embedded.stop())
  const { host, port, user, database } = embedded
  const connection = { host, port, user, database }
  await migrate(connection)
  const service = openService({
    connection,
    settings: {
      baseUrl: 'http://127.0.0.1',
      logoUrl: 'http://127.0.0.1/logos',
      imageUrl: 'http://127.0.0.1/images',
      throttlePerMinute: 0,
      trustProxy: null,
      observation: { isOn: true, waitSeconds: 240 },
    },
    files: openFileStore({ kind: 'folder', path: join(dataDirectory, 'files') }),
    log: createLogger('warn'),
  })
  opening.defer(() => service.close())
  await preparePartitions(service.live.database, service.now())
  const server = await buildServer(service)
  opening.defer(() => server.close())
  const account = await createAccount(service.live, { name, plan: 'growth', creditsGranted })
  const { api_key: apiKey } = await createKey(service.live, account.account_ref)
  const opened = opening.move()
  return { service, server, connection, apiKey, close: () => opened.disposeAsync() }
}
