import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { verifySignals } from '../features/signals/index.ts'
import { openStoredFile, readEvents } from '../journal/index.ts'
import { type Line, later, loadedAt, openTestWorld, type TestWorld } from './fixture.ts'
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

async function history() {
  const events: { kind: string; at: Date; detail: RecordedImport }[] = []
  for await (const { kind, at, detail } of readEvents(testWorld.world.database)) {
    events.push({ kind, at, detail: detail as RecordedImport })
  }
  return events
}

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

test('an import stores the lines of facts in order, and none of accounts', async () => {
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

test('a replay skips the lines that were skipped and loads the others', async () => {
  const withoutCompany: Line = {
    kind: 'license',
    jurisdiction: 'mga',
    license_number: '1',
    company: 'nobody',
  }
  await testWorld.load(['not JSON', acme, withoutCompany, entry], { mode: 'skip-invalid' })
  await replay()
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
  await replay()
  expect(await replayed.dump()).toEqual(await testWorld.dump())
})

test('a replay fails if lines are missing or refer to something that was not replayed', async () => {
  await testWorld.load([acme])
  await testWorld.load([{ kind: 'domain', domain: 'a.example', company: 'acme', relation: 'licensee' }])
  const [, { detail, at }] = (await history()) as [unknown, { detail: RecordedImport; at: Date }]
  const again = (files: string[]) =>
    replayImport(replayed.world, testWorld.world.database, { ...detail, files }, at)
  await expect(again(['00'.repeat(32)])).rejects.toThrow(/no archived file/)
  await expect(again(detail.files)).rejects.toThrow(/is now rejected: .*acme/)
})

async function replay(): Promise<void> {
  for (const { detail, at } of await history()) {
    await replayImport(replayed.world, testWorld.world.database, detail, at)
  }
}

const few = <Value>(...values: Value[]) => fc.constantFrom(...values)
const domain = few('a.example', 'b.example', 'c.test')
const company = few('acme', 'umbrella')
const seenAt = few('2025-01-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')
const sometimes = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

const fact: fc.Arbitrary<Line> = fc.oneof(
  fc.record({
    kind: fc.constant('company'),
    key: company,
    role: few(['operator'], ['game_studio']),
    company_name: few('Acme', 'Umbrella'),
  }),
  fc.record({
    kind: fc.constant('platform'),
    key: few('p', 'q'),
    name: few('P', 'Q'),
    reviewed: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('domain'),
    domain,
    company,
    relation: few('licensee', 'brand_owner'),
    brand: sometimes(few('One', 'Two')),
  }),
  fc.record({
    kind: fc.constant('license'),
    jurisdiction: few('ukgc', 'mga'),
    license_number: few('1', '2'),
    status: few('Active', 'Revoked'),
    company: sometimes(company),
    authorized_domains: fc.uniqueArray(domain, { maxLength: 2 }),
  }),
  fc.record({
    kind: fc.constant('blocklist_entry'),
    regulator: few('poland', 'italy'),
    domain,
    listed: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('platform_reading'),
    domain,
    platform: few('p', 'q'),
    seen_at: sometimes(seenAt),
  }),
)
const named: Line[] = [
  ...['acme', 'umbrella'].map(key => ({ kind: 'company', key, company_name: key, role: ['operator'] })),
  { kind: 'domain', domain: 'a.example', company: 'acme', relation: 'licensee' },
  { kind: 'platform_reading', domain: 'a.example', platform: 'p', seen_at: '2026-01-01T00:00:00.000Z' },
  ...['p', 'q'].map(key => ({ kind: 'platform', key, name: key, reviewed: key === 'p' })),
]

/** A reading before the first one of a reported site, which corrects when the site was first seen. */
const earlierReading: Line = {
  kind: 'platform_reading',
  domain: 'a.example',
  platform: 'p',
  seen_at: '2025-01-01T00:00:00.000Z',
}

async function signalsOf({ world }: TestWorld): Promise<unknown[]> {
  const { rows } = await sql`
    select number, signal_ref, event_type, headline, occurred_at, detected_at, last_corrected_at, content
      from signals
     order by number`.execute(world.database)
  return rows
}

test('replaying the recorded imports in an empty world gives the same facts and Signals', async () => {
  let signalCount = 0
  let corrected = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fact, { minLength: 1, maxLength: 8 }), { maxLength: 6 }),
      async files => {
        await testWorld.empty()
        await replayed.empty()
        for (const [index, lines] of [named, ...files].entries()) {
          await testWorld.load(lines, { now: new Date(Date.UTC(2026, 5, 1 + index)) })
        }
        await replay()
        expect(await replayed.dump()).toEqual(await testWorld.dump())
        const signals = await signalsOf(testWorld)
        expect(await signalsOf(replayed)).toEqual(signals)
        for (const { world } of [testWorld, replayed]) expect(await verifySignals(world.database)).toEqual([])
        signalCount += signals.length
        corrected += signals.filter(
          each => (each as { last_corrected_at: unknown }).last_corrected_at !== null,
        ).length
      },
    ),
    { numRuns: 5, examples: [[[[earlierReading]]]] },
  )
  // Guards against comparing only empty lists.
  expect(signalCount).toBeGreaterThan(0)
  expect(corrected).toBeGreaterThan(0)
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

test('the removal of one spelling of a site leaves the other listed, in any order of the lines', async () => {
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

test('a site that an earlier release stored as one entry goes on as that entry', async () => {
  const lines: Line[] = [{ ...entry, domain: 'www.a.example' }, entry]
  await testWorld.load(lines)
  const [detail] = (await history()).map(event => event.detail)
  const { entries: _, ...earlier } = detail as RecordedImport
  await replayImport(replayed.world, testWorld.world.database, earlier, loadedAt)
  expect(await verdictOf(replayed, 'a.example')).toEqual({ verdict: 'blocklisted', hosts: 1 })
  await replayed.load([{ ...entry, listed: false }], { now: later })
  expect(await verdictOf(replayed, 'a.example')).toEqual({ verdict: 'no_record', hosts: 1 })
})
