import type { SignalDraft } from './draft.ts'

type Feed = 'register_changes' | 'market_entries' | 'platform_sites'

export type Tally = {
  feed: Feed
  market: string
  stream: string
  event_type: string
  platform_id: number
  day: string
  signals: number
  first_number: number
  last_number: number
}

export class SignalTally {
  #tallies = new Map<string, Tally>()

  get size(): number {
    return this.#tallies.size
  }

  add(draft: SignalDraft, isMarketEntry: boolean, number: number): void {
    const day = draft.occurredAt.toISOString().slice(0, 10)
    if (draft.type === 'platform_new_site') {
      const { eventType: event_type, platformId: platform_id } = draft
      this.#count({ feed: 'platform_sites', market: '', stream: '', event_type, platform_id, day }, number)
      return
    }
    const { market, stream, eventType: event_type } = draft
    const kind = { market, stream, event_type, platform_id: 0, day }
    this.#count({ feed: 'register_changes', ...kind }, number)
    if (isMarketEntry) this.#count({ feed: 'market_entries', ...kind }, number)
  }

  flush(): Tally[] {
    const tallies = [...this.#tallies.values()]
    this.#tallies = new Map()
    return tallies
  }

  /** Call with ascending numbers. */
  #count(kind: Omit<Tally, 'signals' | 'first_number' | 'last_number'>, number: number): void {
    const key = JSON.stringify(kind)
    const tally = this.#tallies.get(key)
    if (tally === undefined) {
      this.#tallies.set(key, { ...kind, signals: 1, first_number: number, last_number: number })
    } else {
      tally.signals += 1
      tally.last_number = number
    }
  }
}
