import { join } from 'node:path'
import { openFileStore } from '@baize/files'
import { createLogger } from '../../src/config/logger.ts'
import { type OpenedService, openService } from '../../src/http/open-service.ts'
import { buildServer } from '../../src/http/server.ts'
import { connectionTo } from '../../src/instance/index.ts'
import { createTestDirectory } from './directory.ts'

export type Api = { service: OpenedService; address: string; close(): Promise<void> }

/** Serves the API in this process, with the database of a DATABASE_URL, and of a DATABASE_REPLICA_URL. */
export async function openApi(url: string, replicaUrl?: string): Promise<Api> {
  const directory = await createTestDirectory()
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
  const connection = connectionTo({ url })
  const replica = replicaUrl === undefined ? undefined : connectionTo({ url: replicaUrl }, 'replica')
  const service = openService({ connection, replica, settings, files, log: createLogger('silent') })
  const server = await buildServer(service, { eventLoopDelayMsMax: 0 })
  return {
    service,
    address: await server.listen({ host: '127.0.0.1', port: 0 }),
    close: async () => {
      await server.close()
      await service.close()
      await directory.remove()
    },
  }
}
