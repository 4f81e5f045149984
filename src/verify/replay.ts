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
  compareConsistently,
  createSchema,
  digestFacts,
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
  return world.database.transaction().execute(async lock => {
    await lockReplays(lock)
    for (const abandoned of await findAbandonedSchemas(world.database))
      await dropSchema(world.database, abandoned)
    // No snapshot stays open during the replay: PostgreSQL could not clean up behind the charges meanwhile.
    const stored = await compareConsistently(world, async tx => {
      return {
        last: await lastEventNumber(tx),
        digests: await digestAll(tx, kind => onProgress(`reading ${kind}`)),
      }
    })
    return withEmptyWorld(world, connection, async replayed => {
      let events = 0
      for await (const event of readEvents(world.database)) {
        if (event.number > stored.last) break
        events += 1
        const doing = `replaying event ${event.number} of ${stored.last}`
        onProgress(doing)
        await replayEvent(replayed, world.database, event, ({ lines }) =>
          onProgress(`${doing}: ${counted(lines, 'line')} read`),
        )
      }
      const digests = await compareConsistently(replayed, tx =>
        digestAll(tx, kind => onProgress(`comparing ${kind} after the replay`)),
      )
      const differences = await readDifferences(world, replayed, differingGroups(stored.digests, digests))
      return { note: counted(events, 'event'), differences }
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

type Digests = Map<string, Map<string, string>>
type Group = { kind: string; group: string; storedDigest: string | undefined }

async function digestAll(database: Database, onKind: (kind: string) => void): Promise<Digests> {
  const digests: Digests = new Map()
  for (const kind of factKinds) {
    onKind(kind)
    digests.set(kind, await digestFacts(database, kind))
  }
  return digests
}

function differingGroups(stored: Digests, replayed: Digests): Group[] {
  return factKinds.flatMap(kind => {
    const [one, other] = [stored.get(kind) ?? new Map(), replayed.get(kind) ?? new Map()]
    return [...new Set([...one.keys(), ...other.keys()])]
      .filter(group => one.get(group) !== other.get(group))
      .map(group => ({ kind, group, storedDigest: one.get(group) }))
  })
}

/** Reads one group after the other until there are enough differences. */
async function readDifferences(world: World, replayed: World, groups: readonly Group[]): Promise<unknown[]> {
  const differences: unknown[] = []
  for (const { kind, group, storedDigest } of groups) {
    if (differences.length >= differencesShownMax) break
    const read = (from: World) => compareConsistently(from, tx => readFacts(tx, kind, group))
    const [stored, again] = [await read(world), await read(replayed)]
    if (stored.digest !== storedDigest)
      differences.push({
        kind,
        note: 'these facts changed during the replay, so some may not be differences',
      })
    const [storedFacts, replayedFacts] = [new Set(stored.facts), new Set(again.facts)]
    differences.push(
      ...stored.facts.filter(fact => !replayedFacts.has(fact)).map(fact => ({ kind, stored: fact })),
      ...again.facts.filter(fact => !storedFacts.has(fact)).map(fact => ({ kind, replayed: fact })),
    )
  }
  return differences.slice(0, differencesShownMax)
}
