import { markets } from '../core/markets.ts'
import type { World } from '../database/open.ts'
import { readStreamStates } from './list-registers-store.ts'
import type { Stream } from './stream.ts'

/** A market, and what feeds it here (`baize register list`). */
export type MarketCoverage = {
  market: string
  name: string
  country: string | null
  regulator: string
  /**
   * `fed`: a snapshot of at least one of its streams was applied. `never_synced`: streams can read it, and none was.
   * `not_fed_yet`: known, and no stream reads it.
   */
  coverage: 'fed' | 'never_synced' | 'not_fed_yet'
  /** Streams that can read its registers, and how many of them were ever applied; one that covers both counts in both. */
  registers: number
  registers_synced: number
  blocklists: number
  blocklists_synced: number
  streams: string[]
}

/** One row for each known market, in the order of §2.2, so that what is not covered is told as well. */
export async function listCoverage(world: World, streams: readonly Stream[]): Promise<MarketCoverage[]> {
  const states = await readStreamStates(world.database)
  const synced = new Set(states.filter(state => state.number !== null).map(state => state.stream))
  return markets.map(({ code, name, country, regulator }) => {
    const feeding = streams.filter(stream => stream.market === code)
    const fed = feeding.filter(stream => synced.has(stream.key))
    return {
      market: code,
      name,
      country,
      regulator,
      coverage: fed.length > 0 ? 'fed' : feeding.length > 0 ? 'never_synced' : 'not_fed_yet',
      registers: covering('register', feeding),
      registers_synced: covering('register', fed),
      blocklists: covering('blocklist', feeding),
      blocklists_synced: covering('blocklist', fed),
      streams: feeding.map(stream => stream.key),
    }
  })
}

function covering(kind: Stream['covers'][number], streams: readonly Stream[]): number {
  return streams.filter(stream => stream.covers.includes(kind)).length
}
