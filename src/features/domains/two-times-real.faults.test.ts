import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findStream, type Stream } from '@baize/registers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realSnapshots } from '../../../scripts/journey-files.ts'
import { openTestWorld, syncApproved, type TestWorld } from '../../registers/fixture.ts'
import { sourceFileFrom } from '../../registers/index.ts'
import { readTimes, type Times } from '../two-times.ts'
import { verifyVerdictChanges } from '../verdict-changes/index.ts'
import { verdictKey, verdictsThen } from './verdicts-then-store.ts'

const directory = fileURLToPath(new URL('../../../../shared/data/', import.meta.url))
const all = existsSync(directory) ? realSnapshots(directory) : []
const snapshots = all
  .filter(({ stream }) => all.filter(other => other.stream === stream).length > 1)
  .toSorted((one, other) => Date.parse(one.takenAt) - Date.parse(other.takenAt))

let testWorld: TestWorld
beforeAll(async () => {
  testWorld = await openTestWorld()
})
afterAll(() => testWorld.close())

type Row = { domain: string; verdict: string; licensed_by: string; blocked_by: string }

/** One domain of twenty, of all markets. */
async function verdictsNow(): Promise<{ time: Date; rows: Row[] }> {
  const { database } = testWorld.world
  const { rows: times } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(database)
  const { rows } = await sql<Row>`
    select domain, verdict, licensed_by::text, blocked_by::text
      from domains where id % 20 = 0 order by domain`.execute(database)
  return { time: (times[0] as { time: Date }).time, rows }
}

async function verdictsAt(domains: readonly string[], time: Date): Promise<Row[]> {
  const text = time.toISOString()
  const times = readTimes({ as_of: text, known_at: text }, new Date()) as Times
  const rows: Row[] = []
  for (let start = 0; start < domains.length; start += 1_000) {
    const keys = domains.slice(start, start + 1_000).map(domain => verdictKey(domain, times))
    const read = await testWorld.world.primary.readByKeys(verdictsThen, keys)
    for (const { domain, verdict, licensed_by, blocked_by } of read)
      rows.push({ domain, verdict, licensed_by, blocked_by })
  }
  return rows.sort((one, other) => (one.domain < other.domain ? -1 : 1))
}

describe.skipIf(snapshots.length === 0)('real registers in order (skipped without ../shared/data)', () => {
  test('Verdicts of each moment are those that were stored then', async () => {
    const answered: Awaited<ReturnType<typeof verdictsNow>>[] = []
    for (const [index, { stream: key, takenAt, files }] of snapshots.entries()) {
      const sources = await Promise.all(files.map(sourceFileFrom))
      const now = new Date(Date.parse('2026-11-01T00:00:00Z') + index * 1_000)
      await syncApproved(testWorld.world, findStream(key) as Stream, sources, {
        takenAt: new Date(takenAt),
        now,
        isBackfill: true,
      })
      answered.push(await verdictsNow())
    }
    for (const { time, rows } of answered) {
      const domains = rows.map(({ domain }) => domain)
      const then = await verdictsAt(domains, time)
      expect(then.filter((row, place) => JSON.stringify(row) !== JSON.stringify(rows[place]))).toEqual([])
    }
    expect(new Set(answered.map(({ rows }) => JSON.stringify(rows))).size).toBeGreaterThan(2)
    expect((await verifyVerdictChanges(testWorld.world.database)).differences).toEqual([])
  }, 600_000)
})
