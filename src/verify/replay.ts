import { counted } from '@baize/names'
import type pg from 'pg'
import { differencesShownMax } from '../core/verification.ts'
import { migrateSchema } from '../database/migrate.ts'
import type { WorldName } from '../database/open.ts'
import { type Database, openWorld, type World } from '../database/open.ts'
import { type ImportOptions, replayImport } from '../dataset/index.ts'
import { replayBrandDecision } from '../features/brands/index.ts'
import { replayDistinct, replayMerge, replaySplit } from '../features/companies/index.ts'
import { replayPersonNames } from '../features/licensee-names/index.ts'
import { replayReview } from '../features/signals/index.ts'
import { type RecordedEvent, readEvents } from '../journal/index.ts'
import { replayCheck } from '../observation/index.ts'
import { replayConfirmation, replayDiscard, replaySnapshot } from '../registers/index.ts'
import {
  createSchema,
  digestFacts,
  disableIdleTimeout,
  dropSchema,
  factKinds,
  findAbandonedSchemas,
  lastEventNumber,
  lockReplays,
  readFacts,
} from './replay-store.ts'

export type ReplayReport = { note: string; differences: unknown[] }

/**
 * Replays the recorded history into an empty schema: snapshots with approvals and corrections, imports,
 * discards, reviews, merges, splits, brands. Open facts, verdicts, Companies and the order of Signals must
 * equal those of the running service.
 */
export async function verifyReplay(
  world: World,
  connection: pg.PoolConfig,
  onProgress: (doing: string) => void = () => {},
): Promise<ReplayReport> {
  return world.database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async moment => {
      await disableIdleTimeout(moment)
      await lockReplays(moment)
      for (const abandoned of await findAbandonedSchemas(world.database))
        await dropSchema(world.database, abandoned)
      const last = await lastEventNumber(moment)
      return withEmptyWorld(world, connection, async replayed => {
        let events = 0
        for await (const event of readEvents(world.database)) {
          if (event.number > last) break
          events += 1
          const doing = `replaying event ${event.number} of ${last}`
          onProgress(doing)
          await replayEvent(replayed, world.database, event, ({ lines }) =>
            onProgress(`${doing}: ${counted(lines, 'line')} read`),
          )
        }
        const differences: unknown[] = []
        for (const kind of factKinds) {
          onProgress(`comparing ${kind} after the replay`)
          differences.push(...(await compareFacts(moment, replayed.database, kind)))
        }
        return { note: counted(events, 'event'), differences: differences.slice(0, differencesShownMax) }
      })
    })
}

async function withEmptyWorld<Result>(
  world: World,
  connection: pg.PoolConfig,
  work: (empty: World) => Promise<Result>,
): Promise<Result> {
  const name: WorldName = `replay_${Date.now().toString(36)}_${process.pid}`
  const empty = openWorld(name, { connection, connectionsMax: 2 })
  try {
    await createSchema(world.database, name)
    await migrateSchema(connection, name)
    return await work(empty)
  } finally {
    await empty.close()
    await dropSchema(world.database, name)
  }
}

async function replayEvent(
  world: World,
  history: Database,
  event: RecordedEvent,
  onProgress: ImportOptions['onProgress'],
): Promise<void> {
  const { kind, at, snapshotId } = event
  const detail = event.detail as never
  switch (kind) {
    case 'snapshot':
      return replaySnapshot(world, history, { snapshotId: snapshotId as number, detail, at })
    case 'confirmation': {
      const { stream, taken_at } = detail as { stream: string; taken_at: string }
      return replayConfirmation(world, stream, new Date(taken_at))
    }
    case 'discard':
      return replayDiscard(world, detail, at)
    case 'import':
      return replayImport(world, history, detail, { now: at, onProgress })
    case 'review':
      return replayReview(world, detail, at)
    case 'merge':
      return replayMerge(world, detail, at)
    case 'distinct':
      return replayDistinct(world, detail, at)
    case 'split':
      return replaySplit(world, detail, at)
    case 'check':
      return replayCheck(world, detail, at)
    case 'person':
      return replayPersonNames(world, history, detail, at)
    case 'brand':
      return replayBrandDecision(world, detail, at)
    // A replay derives verdicts by today's rules, on today's day.
    case 'scopes':
    case 'lapse':
      return
  }
}

async function compareFacts(stored: Database, replayed: Database, kind: string): Promise<unknown[]> {
  const [one, other] = [await digestFacts(stored, kind), await digestFacts(replayed, kind)]
  const groups = [...new Set([...one.keys(), ...other.keys()])].filter(
    group => one.get(group) !== other.get(group),
  )
  if (groups.length === 0) return []
  const [facts, again] = [await readFacts(stored, kind, groups), await readFacts(replayed, kind, groups)]
  const [factSet, againSet] = [new Set(facts), new Set(again)]
  return [
    ...facts.filter(fact => !againSet.has(fact)).map(fact => ({ kind, held: fact })),
    ...again.filter(fact => !factSet.has(fact)).map(fact => ({ kind, replayed: fact })),
  ].slice(0, differencesShownMax)
}
