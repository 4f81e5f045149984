import { createHash } from 'node:crypto'
import type { Database, World } from '../database/open.ts'
import {
  knownStreams,
  type NormalisedRow,
  readReparsableSnapshots,
  reparseSnapshot,
  type Stream,
} from '../registers/index.ts'

export type ReparsedSnapshot = {
  snapshot_ref: string
  stream: string
  /** The version of the parser that read the snapshot; `parser_version_now` is today's. */
  parser_version: number
  parser_version_now: number
  rows: number
  /** The number of rows that only the stored reading has; `only_now` counts those of today's. */
  only_then: number
  only_now: number
  /** The reason why today's parser refuses the files; null when it reads them. */
  refused: string | null
}

/**
 * Compares today's parsers with the stored readings of every applied snapshot (`baize verify --reparse`).
 * Differences are not errors, because a corrected parser reads differently on purpose.
 */
export async function* reparse(world: World): AsyncGenerator<ReparsedSnapshot, void> {
  const streams = new Map((await knownStreams(world)).map(stream => [stream.key, stream]))
  for (const snapshot of await readReparsableSnapshots(world.database)) {
    const stream = streams.get(snapshot.stream)
    if (stream === undefined) continue
    const { snapshot_ref, parser_version, rows } = snapshot
    const facts = {
      snapshot_ref,
      stream: stream.key,
      parser_version,
      parser_version_now: stream.parserVersion,
      rows,
    }
    yield { ...facts, ...(await compareReadings(world.database, stream, snapshot)) }
  }
}

async function compareReadings(
  database: Database,
  stream: Stream,
  snapshot: Awaited<ReturnType<typeof readReparsableSnapshots>>[number],
): Promise<Pick<ReparsedSnapshot, 'only_then' | 'only_now' | 'refused'>> {
  const counts = new Map<string, number>()
  const count = async (rows: AsyncIterable<NormalisedRow>, step: 1 | -1) => {
    for await (const row of rows) {
      // Members are sorted, because releases wrote them in different orders.
      const members = JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)))
      const digest = createHash('md5').update(members).digest('base64')
      const sum = (counts.get(digest) ?? 0) + step
      if (sum === 0) counts.delete(digest)
      else counts.set(digest, sum)
    }
  }
  const { stored, reparsed } = reparseSnapshot(database, stream, snapshot)
  await count(stored, 1)
  try {
    await count(reparsed, -1)
  } catch (error) {
    return { only_then: snapshot.rows, only_now: 0, refused: (error as Error).message }
  }
  let [onlyThen, onlyNow] = [0, 0]
  for (const sum of counts.values()) {
    if (sum > 0) onlyThen += sum
    else onlyNow -= sum
  }
  return { only_then: onlyThen, only_now: onlyNow, refused: null }
}
