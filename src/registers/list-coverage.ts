import { markets } from '@baize/names'
import type { Stream } from '@baize/registers'
import type { World } from '../database/open.ts'
import { readStreamStates } from './list-registers-store.ts'

type MarketCoverage = {
  market: string
  name: string
  country: string | null
  regulator: string
  /** `never_synced` means that the market has streams, but no snapshot was ever applied. */
  coverage: 'fed' | 'never_synced' | 'not_fed_yet'
  /** The number of streams, and how many were ever applied. A stream that covers both counts in both. */
  registers: number
  registers_synced: number
  blocklists: number
  blocklists_synced: number
  streams: string[]
}

/** Lists all markets in the order of §2.2, covered or not. */
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
