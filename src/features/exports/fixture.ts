import { join } from 'node:path'
import type { FileStore } from '@baize/files'
import { openFileStore } from '@baize/files'
import { expect } from 'vitest'
import { createTestDirectory } from '../../../test/harness/directory.ts'
import {
  type Customer,
  type Response,
  startService,
  type TestService,
  type TestServiceOptions,
} from '../../../test/harness/service.ts'
import { verifyBalances, verifySettlements } from '../../metering/ledger.ts'
import { listUnfinishedExports } from './export-store.ts'
import { verifyExports } from './staff-exports-store.ts'
import { type WriteOptions, writeExport } from './write-export.ts'

/** A service for tests with the demo world as live data. It writes exports when the test says so. */
export type ExportService = TestService & {
  /** The folder is removed with the service. A test may replace the store in use. */
  store: { folder: FileStore; inUse: FileStore }
  folderPath: string
  post(customer: Customer, body: unknown, headers?: Record<string, string>): Promise<Response>
  write(options?: Partial<WriteOptions>): Promise<Written[]>
  exported(customer: Customer, body?: unknown): Promise<Response['body']['data']>
  expectConsistentBooks(): Promise<void>
  download(customer: Customer, id: number, headers?: Record<string, string>): Promise<Response>
}

type Written = Awaited<ReturnType<typeof writeExport>>

type ExportServiceOptions = {
  now?: () => Date
  /** The data of the service: the demo world by default, or nothing with `load`. */
  world?: TestServiceOptions['world']
  isReachable?: boolean
  load?: (service: TestService) => Promise<void>
}

export async function startExportService({
  load,
  world = load === undefined ? 'demo' : 'empty',
  ...options
}: ExportServiceOptions = {}): Promise<ExportService> {
  const directory = await createTestDirectory()
  const folderPath = join(directory.path, 'files')
  const folder = openFileStore({ kind: 'folder', path: folderPath })
  const store = { folder, inUse: folder }
  const files: FileStore = {
    put: (name, content) => store.inUse.put(name, content),
    find: name => store.inUse.find(name),
    remove: name => store.inUse.remove(name),
    list: place => store.inUse.list(place),
  }
  const service = await startService({ ...options, files, world })
  await load?.(service)
  const { live, now, settings } = service.service

  const post: ExportService['post'] = (customer, body, headers = {}) =>
    customer.ask('/v1/exports', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  const write: ExportService['write'] = async (more = {}) => {
    const written: Written[] = []
    const { signal } = new AbortController()
    for (const id of await listUnfinishedExports(live.database))
      written.push(await writeExport(live, id, { files, logoUrl: settings.logoUrl, now, signal, ...more }))
    return written
  }

  return {
    ...service,
    store,
    folderPath,
    post,
    write,
    async exported(customer, body = {}) {
      const queued = await post(customer, body)
      if (queued.status !== 202) throw new Error(`${queued.status} ${queued.text}`)
      await write()
      const shown = await customer.ask(queued.body.data.poll_url)
      if (shown.status !== 200) throw new Error(`${shown.status} ${shown.text}`)
      return shown.body.data
    },
    async expectConsistentBooks() {
      expect(await verifyBalances(live.database)).toEqual([])
      expect(await verifySettlements(live.database)).toEqual([])
      expect(await verifyExports(live.database)).toEqual([])
    },
    async close() {
      await service.close()
      await directory.remove()
    },
    download: (customer, id, headers = {}) => customer.ask(`/v1/exports/${id}/download`, { headers }),
  }
}
