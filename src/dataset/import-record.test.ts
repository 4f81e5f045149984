import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openStoredFile } from '../journal/index.ts'
import {
  type Line,
  later,
  loadedAt,
  openTestWorld,
  recordedImports,
  replayImports,
  type TestWorld,
} from './fixture.ts'
import { type RecordedImport, replayImport } from './index.ts'

let testWorld: TestWorld
let replayed: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
  replayed = await openTestWorld()
})
beforeEach(async () => {
  await testWorld.empty()
  await replayed.empty()
})
afterAll(async () => {
  await testWorld.close()
  await replayed.close()
})

const history = () => recordedImports(testWorld)

async function storedText({ files }: RecordedImport): Promise<string> {
  const pieces: Uint8Array[] = []
  for (const file of files) {
    for await (const piece of openStoredFile(testWorld.world.database, Buffer.from(file, 'hex')))
      pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

async function storedCounts() {
  const { rows } = await sql`
    select (select count(*) from kept_files) as files,
           (select count(*) from kept_chunks chunk
             where not exists (select from kept_files file where file.id = chunk.file_id)) as orphans
  `.execute(testWorld.world.database)
  return rows[0]
}

const acme: Line = { kind: 'company', key: 'acme', company_name: 'Acme', role: ['operator'] }
const entry: Line = { kind: 'blocklist_entry', regulator: 'poland', domain: 'a.example' }
const account: Line = { kind: 'account', key: 'c', name: 'Customer', plan: 'free', credits_granted: 1 }
const observation: Line = {
  kind: 'observation',
  domain: 'a.example',
  section: 'supplier_brands',
  normalized_provider_name: 'Brass Turnip',
}

test('an import stores the lines of facts in order, and no lines of accounts', async () => {
  await testWorld.load([entry, account, observation, acme])
  const [event, ...others] = await history()
  expect(others).toEqual([])
  expect(event).toMatchObject({ kind: 'import', at: loadedAt, detail: { mode: 'strict' } })
  expect(await storedText(event?.detail as RecordedImport)).toBe(
    `${JSON.stringify(entry)}\n${JSON.stringify(acme)}\n`,
  )
})

test('an import that changes no fact is neither stored nor recorded', async () => {
  await testWorld.load([entry, acme])
  await testWorld.load([entry, acme], { now: later })
  await testWorld.load([observation, account], { now: later })
  expect(await history()).toHaveLength(1)
  expect(await storedCounts()).toEqual({ files: 1, orphans: 0 })
})

test('a rejected import leaves nothing behind', async () => {
  const report = await testWorld.load([entry, { kind: 'domain', domain: 'b.example', company: 'nobody' }])
  expect(report.loaded).toEqual({})
  expect(await history()).toEqual([])
  expect(await storedCounts()).toEqual({ files: 0, orphans: 0 })
})

test('a replay skips the lines that the import skipped, and loads all other lines', async () => {
  const withoutCompany: Line = {
    kind: 'license',
    jurisdiction: 'mga',
    license_number: '1',
    company: 'nobody',
  }
  await testWorld.load(['not JSON', acme, withoutCompany, entry], { mode: 'skip-invalid' })
  await replayImports(testWorld, replayed)
  expect(await replayed.dump()).toEqual(await testWorld.dump())
})

test('an import larger than a chunk of a stored file is stored completely', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => ({
    kind: 'blocklist_entry',
    regulator: 'poland',
    domain: `site-${index}-${(index * 2_654_435_761).toString(36)}.example`,
  }))
  await testWorld.load(lines)
  const [event] = await history()
  expect(await storedText(event?.detail as RecordedImport)).toBe(
    lines.map(line => `${JSON.stringify(line)}\n`).join(''),
  )
})

test('a line that names a Company by its ref is replayed, although refs differ in a replay', async () => {
  await testWorld.load([acme])
  const { rows } = await sql<{ company_ref: string }>`select company_ref from companies`.execute(
    testWorld.world.database,
  )
  const ref = rows[0]?.company_ref as string
  await testWorld.load([{ kind: 'domain', domain: 'a.example', company: ref, relation: 'licensee' }], {
    now: later,
  })
  await replayImports(testWorld, replayed)
  expect(await replayed.dump()).toEqual(await testWorld.dump())
})

test('a replay names the same operator in the Signal of a site with many operators', async () => {
  const keys = Array.from({ length: 12 }, (_, index) => `operator-${index}`)
  await testWorld.load([
    ...keys.map(key => ({ kind: 'company', key, company_name: key, role: ['operator'] })),
    ...keys.map(company => ({ kind: 'domain', domain: 'a.example', company, relation: 'licensee' })),
    { kind: 'platform', key: 'p', name: 'P', reviewed: true },
    { kind: 'platform_reading', domain: 'a.example', platform: 'p', seen_at: '2026-01-01T00:00:00.000Z' },
  ])
  await replayImports(testWorld, replayed)
  const headlines = async ({ world }: TestWorld) =>
    (await sql`select headline from signals`.execute(world.database)).rows
  expect(await headlines(replayed)).toEqual(await headlines(testWorld))
  expect(await headlines(testWorld)).toEqual([{ headline: 'operator-0: a.example first observed on P' }])
})

test('a replay fails if lines are missing or refer to something that was not replayed', async () => {
  await testWorld.load([acme])
  await testWorld.load([{ kind: 'domain', domain: 'a.example', company: 'acme', relation: 'licensee' }])
  const [, { detail, at }] = (await history()) as [unknown, { detail: RecordedImport; at: Date }]
  const again = (files: string[]) =>
    replayImport(replayed.world, testWorld.world.database, { ...detail, files }, { now: at })
  await expect(again(['00'.repeat(32)])).rejects.toThrow(/no archived file/)
  await expect(again(detail.files)).rejects.toThrow(/is now rejected: .*acme/)
})

const verdictOf = async ({ world }: TestWorld, domain: string) => {
  const { rows } = await sql<{ verdict: string; hosts: number }>`
    select domain.verdict,
           (select count(*) from blocklist_entries entry
             where entry.domain_id = domain.id and entry.known_to is null) as hosts
      from domains domain
     where domain.domain = ${domain}`.execute(world.database)
  return rows[0]
}

test('a site stays listed when one of its two spellings is removed, in any order of the lines', async () => {
  const listed: Line = { ...entry, domain: 'www.a.example', first_seen_at: '2025-01-01T00:00:00Z' }
  const removed: Line = { ...entry, listed: false, first_seen_at: '2024-01-01T00:00:00Z' }
  for (const lines of [
    [listed, removed],
    [removed, listed],
  ]) {
    await testWorld.empty()
    await testWorld.load(lines)
    expect(await verdictOf(testWorld, 'a.example')).toEqual({ verdict: 'blocklisted', hosts: 2 })
  }
})
