import type { World } from '../../database/open.ts'
import { knownStreams } from '../known-streams.ts'
import { readStreamStates } from '../list-registers-store.ts'
import { dropOtherFacts, writeFacts } from './facts-store.ts'

/**
 * Stores the facts of the streams that this release and its descriptions know. `onlyRead` limits them to
 * streams that were ever read, as in the demo world.
 */
export async function recordFacts(world: World, { onlyRead = false } = {}): Promise<void> {
  const known = await knownStreams(world)
  const read = onlyRead ? new Set((await readStreamStates(world.database)).map(each => each.stream)) : null
  const streams = known.filter(stream => read === null || read.has(stream.key))
  await writeFacts(world.database, streams)
  await dropOtherFacts(world.database, streams)
}
