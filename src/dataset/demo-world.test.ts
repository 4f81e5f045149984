import { readFile } from 'node:fs/promises'
import type { FileStore } from '@baize/files'
import { openFileStore } from '@baize/files'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts'
import { createTestDirectory, type TestDirectory } from '../../test/harness/directory.ts'
import { demoFiles } from '../../test/harness/import-demo.ts'
import { openWorld, type World } from '../database/open.ts'
import { verifyListings, verifyObserved, verifyVerdicts } from '../features/domains/index.ts'
import { importFiles } from './index.ts'

let database: TestDatabase
let world: World
let directory: TestDirectory
let files: FileStore

beforeAll(async () => {
  database = await createTestDatabase()
  world = openWorld('public', { connection: database.connection })
  directory = await createTestDirectory()
  files = openFileStore({ kind: 'folder', path: directory.path })
  const report = await importFiles(world, await demoFiles(), { mode: 'strict', files })
  expect(report.rejects).toEqual([])
})
afterAll(async () => {
  await world.close()
  await database.drop()
  await directory.remove()
})

async function domainNamed(name: string) {
  const { rows } = await sql<Record<string, unknown>>`
    select domain.verdict, domain.licensed_by, domain.blocked_by, company.company_name,
           domain.payment_categories,
           platform.name as platform
      from domains domain
      left join companies company on company.id = domain.licensee_company_id
      left join platforms platform on platform.id = domain.platform_id
     where domain.domain = ${name}`.execute(world.database)
  return rows[0]
}

test('luckyotter.example is licensed in two jurisdictions and no longer accepts coins', async () => {
  expect(await domainNamed('luckyotter.example')).toEqual({
    verdict: 'licensed',
    licensed_by: [
      { geo: 'mga', license_number: 'MGA/B2C/9901/2019' },
      { geo: 'ukgc', license_number: '099101-R-339101-004' },
    ],
    blocked_by: [],
    company_name: 'Ottermoor Gaming',
    payment_categories: ['card', 'ewallet', 'open_banking'],
    platform: 'Copperbeam',
  })
})

test('redkite-casino.example is on three blocklists, and its revoked license does not count', async () => {
  expect(await domainNamed('redkite-casino.example')).toMatchObject({
    verdict: 'blocklisted',
    licensed_by: [],
    blocked_by: [{ geo: 'czechia' }, { geo: 'italy' }, { geo: 'poland' }],
    company_name: null,
  })
})

test('twofaced.example is licensed in one market and blocklisted in another', async () => {
  expect(await domainNamed('twofaced.example')).toMatchObject({
    verdict: 'mixed',
    licensed_by: [{ geo: 'denmark', license_number: '24-9901001' }],
    blocked_by: [{ geo: 'poland' }],
    platform: 'Tidewheel',
  })
})

test('neverheard.example is in none of the files', async () => {
  expect(await domainNamed('neverheard.example')).toBeUndefined()
  for (const file of await demoFiles()) expect(await readFile(file, 'utf8')).not.toContain('neverheard')
})

test('no file of the demo world contains neverheard.example', async () => {
  expect(await domainNamed('wipedslate.example')).toMatchObject({ verdict: 'no_record', blocked_by: [] })
  const { rows } = await sql`
    select entry.regulator, entry.listed, entry.last_seen_at
      from blocklist_entries entry
      join domains domain on domain.id = entry.domain_id
     where domain.domain = 'wipedslate.example'
     order by entry.regulator`.execute(world.database)
  expect(rows).toEqual([
    { regulator: 'greece', listed: false, last_seen_at: new Date('2025-09-30T04:30:00Z') },
    { regulator: 'ukraine', listed: false, last_seen_at: new Date('2025-11-14T04:30:00Z') },
  ])
})

const verdictByDomain = [
  ['mendedways.example', 'licensed'],
  ['finchspins-classic.example', 'licensed'],
  ['luckyotter-ie.example', 'licensed'],
  ['finchspins.example', 'mixed'],
  ['hedgehogfortune.example', 'mixed'],
  ['gullandbull.example', 'blocklisted'],
  ['cloudberrycasino.example', 'blocklisted'],
  ['badgerandsons.example', 'no_record'],
  ['redkite2.test', 'no_record'],
] as const

test('all domains of the demo have their documented verdicts', async () => {
  const stored = []
  for (const [name] of verdictByDomain) stored.push([name, (await domainNamed(name))?.verdict])
  expect(stored).toEqual(verdictByDomain)
})

test('a relation does not license a site: Zonkey’s parked domain has the verdict no_record', async () => {
  expect(await domainNamed('zonkey.test')).toMatchObject({ verdict: 'no_record', company_name: null })
})

test('every domain has a reserved top-level domain', async () => {
  const { rows } = await sql`select domain from domains where domain !~ '[.](example|test)$'`.execute(
    world.database,
  )
  expect(rows).toEqual([])
})

test('derived columns match the facts', async () => {
  expect((await verifyVerdicts(world.database)).differences).toEqual([])
  expect(await verifyListings(world.database)).toEqual([])
  expect(await verifyObserved(world.database)).toEqual([])
})

test('loading the demo again changes nothing', async () => {
  const report = await importFiles(world, await demoFiles(), {
    mode: 'strict',
    files,
    now: new Date('2030-01-01T00:00:00Z'),
  })
  for (const counts of Object.values(report.loaded)) expect(counts).toMatchObject({ added: 0, changed: 0 })
})
