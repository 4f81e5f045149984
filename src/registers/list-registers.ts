import type { World } from '../database/open.ts'
import { countOpenFacts, type OpenFacts, readStreamStates, type StreamState } from './history-store.ts'
import type { Stream } from './stream.ts'

/** A register that the service can read, and what it holds of it (`baize register list`). */
export type RegisterListing = {
  stream: string
  market: string
  regulator: string
  covers: readonly ('register' | 'blocklist')[]
  /** Null: no snapshot was ever applied. */
  last_snapshot: {
    snapshot_ref: string
    number: number
    taken_at: Date
    applied_at: Date
    rows: number
    rejected: number
  } | null
  last_taken_at: Date | null
  last_confirmed_at: Date | null
  last_run_at: Date | null
  open_facts: OpenFacts
}

/** One row for each stream given, in their order, synced or not. */
export async function listRegisters(world: World, streams: readonly Stream[]): Promise<RegisterListing[]> {
  const states = new Map((await readStreamStates(world.database)).map(state => [state.stream, state]))
  const facts = new Map((await countOpenFacts(world.database)).map(({ stream, ...open }) => [stream, open]))
  return streams.map(({ key, market, regulator, covers }) => {
    const state = states.get(key)
    return {
      stream: key,
      market,
      regulator,
      covers,
      last_snapshot: state === undefined ? null : snapshotOf(state),
      last_taken_at: state?.last_taken_at ?? null,
      last_confirmed_at: state?.last_confirmed_at ?? null,
      last_run_at: state?.last_run_at ?? null,
      open_facts: facts.get(key) ?? { licenses: 0, authorisations: 0, blocklist_entries: 0 },
    }
  })
}

function snapshotOf(state: StreamState): RegisterListing['last_snapshot'] {
  const { snapshot_ref, number, taken_at, applied_at, rows, rejected } = state
  if (snapshot_ref === null || number === null || taken_at === null || applied_at === null) return null
  return { snapshot_ref, number, taken_at, applied_at, rows: rows ?? 0, rejected: rejected ?? 0 }
}
