import { registerEventTypes } from '@baize/registers/changes'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { openWorld, type World } from '../../database/open.ts'
import type { RegisterChangeDraft } from './draft.ts'
import { addLicense, addSignals, inTransaction, registerChange } from './fixture.ts'
import { correctSignals, numberSignals, verifySignals } from './index.ts'

let database: TestDatabase
let world: World
let licensed: { companyId: number; licenseId: number }
beforeAll(async () => {
  database = await createTestDatabase()
  world = openWorld('public', { connection: database.connection })
  licensed = await addLicense(world, 'ukgc.licences', 'one')
})
afterEach(async () => {
  expect(await verifySignals(world.database)).toEqual([])
})
afterAll(async () => {
  await world.close()
  await database.drop()
})

async function refsInOrder(): Promise<string[]> {
  const { rows } = await sql<{ signal_ref: string }>`select signal_ref from signals order by number`.execute(
    world.database,
  )
  return rows.map(row => row.signal_ref)
}

async function deleteSignals(): Promise<void> {
  await sql`truncate signals, signal_counts, signal_months, signal_totals`.execute(world.database)
  await sql`update signal_sequence set last_number = 0`.execute(world.database)
}

const refOf = (draft: RegisterChangeDraft) => draft.signalRef

test('numbers of Signals continue without gaps in the order of the drafts', async () => {
  const drafts = Array.from({ length: 2_345 }, () => registerChange())
  expect(await addSignals(world, ...drafts.slice(0, 45))).toBe(45)
  expect(await addSignals(world)).toBe(0)
  expect(await addSignals(world, ...drafts.slice(45))).toBe(2_300)
  expect(await refsInOrder()).toEqual(drafts.map(refOf))
})

test('drafts of Signals can be read from an iterator, and a batch of drafts can be large', async () => {
  await deleteSignals()
  const domains = Array.from({ length: 40_000 }, (_, index) => `site-${index}.example`)
  let drawn = 0
  async function* largeDrafts() {
    for (; drawn < 5; drawn += 1) yield registerChange({ content: { authorized_domains: domains } })
  }
  expect(await inTransaction(world, tx => numberSignals(tx, largeDrafts()))).toBe(5)
  expect(drawn).toBe(5)
})

test('a failed transaction leaves neither numbers nor counts of Signals', async () => {
  await deleteSignals()
  const failing = inTransaction(world, async tx => {
    await numberSignals(tx, [registerChange(), registerChange()])
    throw new Error('after numbering')
  })
  await expect(failing).rejects.toThrow('after numbering')
  await addSignals(world, registerChange())
  expect(await refsInOrder()).toHaveLength(1)
})

test('a duplicate ref of a Signal rejects the whole transaction', async () => {
  await deleteSignals()
  const draft = registerChange()
  await addSignals(world, draft)
  await expect(addSignals(world, registerChange(), draft)).rejects.toThrow(/signal_ref/)
  expect(await refsInOrder()).toEqual([draft.signalRef])
})

test('concurrent writers get numbers of Signals in the order of their commits', async () => {
  await deleteSignals()
  const committed: string[][] = []
  const write = (drafts: RegisterChangeDraft[]) =>
    world.database
      .transaction()
      .execute(tx => numberSignals(tx, drafts))
      .then(() => committed.push(drafts.map(refOf)))
  await Promise.all(
    Array.from({ length: 6 }, (_, writer) =>
      write(Array.from({ length: 1 + writer * 300 }, () => registerChange())),
    ),
  )
  expect(committed).toHaveLength(6)
  expect(await refsInOrder()).toEqual(committed.flat())
})

test('counts and totals always match the Signals', async () => {
  const some = fc.record({
    stream: fc.constantFrom('ukgc.licences', 'ukgc.other'),
    market: fc.constantFrom('ukgc', 'poland'),
    eventType: fc.constantFrom(...registerEventTypes),
    occurredAt: fc.constantFrom(
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T23:59:59.999Z',
      '2026-01-02T00:00:00.000Z',
      '2024-02-29T12:00:00.000Z',
    ),
    isMarketEntry: fc.boolean(),
    nameless: fc.boolean(),
  })
  const transactions = fc.array(fc.array(some, { maxLength: 12 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(transactions, async writes => {
      await deleteSignals()
      for (const write of writes) {
        await addSignals(
          world,
          ...write.map(({ occurredAt, nameless, ...fields }) =>
            registerChange({
              ...fields,
              ...licensed,
              occurredAt: new Date(occurredAt),
              ...(nameless ? { publishedLegalName: null } : {}),
            }),
          ),
        )
      }
      expect(await verifySignals(world.database)).toEqual([])
      const { rows } = await sql<{ signals: number }>`
        select coalesce(sum(signals), 0)::bigint as signals from signal_totals where feed = 'market_entries'
      `.execute(world.database)
      const entries = writes.flat().filter(each => each.isMarketEntry && !each.nameless)
      expect(rows[0]?.signals).toBe(entries.length)
    }),
    { numRuns: 25 },
  )
})

test('verify finds a gap in the Signals, a wrong sequence and each wrong count', async () => {
  await deleteSignals()
  await addSignals(world, registerChange(), registerChange(), registerChange())
  const tamper = (statement: string) => sql.raw(statement).execute(world.database)
  await tamper('delete from signals where number = 2')
  await tamper('update signal_sequence set last_number = 9')
  expect(await verifySignals(world.database)).toEqual([
    { what: 'the sequence is the last number', stored: 9, counted: 3 },
    { what: 'there are as many Signals as numbers', stored: 3, counted: 2 },
    {
      what: 'signal_counts register_changes ukgc ukgc.licences added_to_register 2026-03-02',
      stored: [3, 1, 3],
      counted: [2, 1, 3],
    },
    {
      what: 'signal_months register_changes ukgc ukgc.licences added_to_register 2026-03-01',
      stored: [3, 1, 3],
      counted: [2, 1, 3],
    },
    {
      what: 'signal_totals register_changes ukgc ukgc.licences added_to_register',
      stored: [3, 1, 3],
      counted: [2, 1, 3],
    },
  ])
  await deleteSignals()
})

test('a correction marks the Signals of its records and leaves order, content and counts', async () => {
  await deleteSignals()
  const [corrected, other, otherKind] = [
    registerChange({ recordKey: 'a' }),
    registerChange({ recordKey: 'b' }),
    registerChange({ recordKey: 'a', recordKind: 'licensee' }),
  ]
  await addSignals(world, corrected, other, otherKind)
  const correctedAt = new Date('2026-06-01T00:00:00Z')
  const correction = {
    stream: 'ukgc.licences',
    recordKind: 'license',
    recordKeys: ['a', 'z'],
    correctedAt,
  } as const
  const marked = await inTransaction(world, tx => correctSignals(tx, correction))
  expect(marked).toBe(1)
  const { rows } = await sql<{ last_corrected_at: Date | null }>`
    select last_corrected_at from signals order by number`.execute(world.database)
  expect(rows.map(row => row.last_corrected_at)).toEqual([correctedAt, null, null])
  expect(await refsInOrder()).toEqual([corrected, other, otherKind].map(refOf))
})
