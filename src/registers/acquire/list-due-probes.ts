import { lastTurn } from '@baize/register-fetcher'
import type { World } from '../../database/open.ts'
import { readProbes } from './probes-store.ts'
import { readWatches } from './watch-store.ts'

/** Lists streams whose nightly probe is due. Watched ones are fetched instead. */
export async function listDueProbes(world: World, now: Date): Promise<string[]> {
  const salt = await world.cursorSecret()
  const watched = new Set((await readWatches(world.database)).map(watch => watch.stream))
  return (await readProbes(world.database))
    .filter(({ is_nightly, stream }) => is_nightly && !watched.has(stream))
    .filter(({ stream, probed_at }) => probed_at.getTime() < lastTurn(stream, now, salt))
    .map(({ stream }) => stream)
}
