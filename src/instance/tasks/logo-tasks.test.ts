import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FileStore } from '@baize/files'
import { openFileStore } from '@baize/files'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDirectory, type TestDirectory } from '../../../test/harness/directory.ts'
import { importDemo } from '../../../test/harness/import-demo.ts'
import { startService, type TestService } from '../../../test/harness/service.ts'
import { createLogger } from '../../config/logger.ts'
import { drawing, type LogoFeed, logoLine, openLogoFeed } from '../../features/logos/fixture.ts'
import { blockLogoSweep } from '../../features/logos/index.ts'
import { loadDemo } from '../load-demo.ts'
import { sweepLogos } from './logo-tasks.ts'

let directory: TestDirectory
let files: FileStore
let service: TestService
let feed: LogoFeed
beforeAll(async () => {
  directory = await createTestDirectory()
  files = openFileStore({ kind: 'folder', path: join(directory.path, 'files') })
  service = await startService({ files })
  feed = await openLogoFeed(service)
})
afterAll(async () => {
  await feed.close()
  await service.close()
  await directory.remove()
})

const world = () => service.service.live
const minutesOn = (minutes: number) => new Date(Date.now() + minutes * 60_000)

async function sweep(now: Date, task = sweepLogos({ files, now: () => now })): Promise<void> {
  expect(task).toMatchObject({ name: 'sweep_logo_files', everyMinute: true })
  await task.run({}, { world: world(), log: createLogger('silent'), signal: new AbortController().signal })
}

async function stored(): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of files.list('logos')) names.push(name)
  return names.sort()
}

/** Stores an unreferenced drawing, because the second line makes the import rejected. */
async function refusedImport(width: number): Promise<void> {
  await feed.put('refused.svg', drawing(width))
  const line = logoLine('game', `refused-${width}`, 'Refused', { file: 'refused.svg' })
  expect(await feed.load([line, { kind: 'nothing' }])).toMatchObject({ rejected: 1, loaded: {} })
}

test('the sweep of an empty logo store reports no error', async () => {
  await sweep(minutesOn(120))
  expect(await stored()).toEqual([])
})

test('unreferenced logo files are removed after an hour, and files with any reference stay', async () => {
  await importDemo(service.service.live, service.service.files)
  await loadDemo(service.service.demo, service.service.files)
  for (const [index, status] of ['superseded', 'withdrawn', 'rejected', 'current'].entries()) {
    await feed.put(`${status}.svg`, drawing(100 + index))
    await feed.load([logoLine('game', 'otter-splash', 'Otter Splash', { file: `${status}.svg`, status })])
  }
  const named = await stored()
  expect(named.length).toBeGreaterThan(8)
  await refusedImport(7)
  await files.put('logos/killed.svg.0a1b2c.part', Readable.from(['half']))
  const all = await stored()
  expect(all).toHaveLength(named.length + 2)
  await sweep(minutesOn(59))
  expect(await stored()).toEqual(all)
  await sweep(minutesOn(61))
  expect(await stored()).toEqual(named)
})

test('the removal of logo files waits for a running import, which may still add references', async () => {
  const named = await stored()
  await refusedImport(8)
  await world()
    .database.transaction()
    .execute(async tx => {
      await blockLogoSweep(tx)
      await sweep(minutesOn(120))
      expect(await stored()).toHaveLength(named.length + 1)
    })
  await sweep(minutesOn(120))
  expect(await stored()).toEqual(named)
})

test('a worker removes unreferenced logo files once an hour', async () => {
  const task = sweepLogos({ files, now: () => minutesOn(120) })
  await sweep(minutesOn(120), task)
  await refusedImport(9)
  const all = await stored()
  await sweep(minutesOn(120), task)
  expect(await stored()).toEqual(all)
})
