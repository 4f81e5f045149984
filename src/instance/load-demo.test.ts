import { readFile } from 'node:fs/promises'
import { readImageFileName } from '@baize/images'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsSql } from '../../scripts/generated/rows-sql.ts'
import { withClient } from '../../test/harness/client.ts'
import { startService, type TestService } from '../../test/harness/service.ts'
import type { World } from '../database/open.ts'
import { storedName } from '../features/logos/index.ts'
import { verifyAll } from '../verify/index.ts'
import { insertDemoRows } from './demo-store.ts'
import { demoRowsFile, loadDemo } from './load-demo.ts'

const startedAt = new Date('2031-05-06T07:08:09.012Z')

let service: TestService
let demo: World
let rows: string
beforeAll(async () => {
  service = await startService()
  demo = service.service.demo
  rows = await readFile(demoRowsFile, 'utf8')
})
afterAll(() => service.close())

const load = (now: Date) => loadDemo(demo, service.service.files, now)

const accounts = async () =>
  (await sql<{ account_ref: string }>`select account_ref from accounts`.execute(demo.database)).rows

async function drawn(): Promise<string> {
  const connection = {
    ...service.database.connection,
    options: '-c search_path=demo,extensions -c timezone=UTC',
  }
  return withClient(connection, client => rowsSql(client, 0))
}

const withoutHeader = (text: string) => text.slice(text.indexOf('do $$'))

test('loading the files of demo/ twice leaves each of their rows once', async () => {
  const insert = () => demo.database.transaction().execute(tx => insertDemoRows(tx, rows))
  await insert()
  await insert()
  const inserted = (await drawn()).replaceAll('2026-11-01 12:34:56.789+00', '2026-11-01T12:34:56.789Z')
  const unversioned = rows.replace(/version = version \+ \d+/, 'version = version + 0')
  expect(inserted).toBe(withoutHeader(unversioned))
})

test('the loaded rows pass each check of verify, and their history can be replayed', async () => {
  await load(startedAt)
  const { checks } = await verifyAll(demo, service.database.connection)
  expect(checks.filter(({ differences }) => differences.length > 0)).toEqual([])
})

test('each logo of the demo world has its image in the file store', async () => {
  const { rows: logos } = await sql<{ file_name: string }>`
    select distinct file_name from logos where file_name is not null`.execute(demo.database)
  expect(logos.length).toBeGreaterThan(5)
  for (const { file_name } of logos) {
    expect(readImageFileName(file_name)).not.toBeNull()
    expect(await service.service.files.find(storedName(file_name)), file_name).not.toBeNull()
  }
})

test('the import of the demo world is dated at the start of the service', async () => {
  const found = await sql`
    select distinct at from dataset_events where kind = 'import'`.execute(demo.database)
  expect(found.rows).toEqual([{ at: startedAt }])
})

test('a changed demo world replaces the old rows, and an unchanged one is not loaded again', async () => {
  const secret = await demo.cursorSecret()
  const [before] = await accounts()
  await load(new Date('2032-01-01T00:00:00Z'))
  expect(await accounts()).toEqual([before])
  await sql`comment on schema demo is 'of other rows'`.execute(demo.database)
  await load(new Date('2032-01-01T00:00:00Z'))
  const after = await accounts()
  expect(after).toHaveLength(1)
  expect(after).not.toEqual([before])
  expect(await demo.cursorSecret()).toEqual(secret)
})
