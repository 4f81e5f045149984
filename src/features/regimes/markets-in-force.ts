import { findMarket } from '@baize/names'
import type { Database, World } from '../../database/open.ts'
import { cachedRead } from '../cached-read.ts'
import { type MarketInForce, type PastMarket, readMarkets } from './regimes-store.ts'
import type { RegimeInForce } from './schemas.ts'

/** An approval works in every process after this time, plus the lag of a replica. */
const cachedMs = 2_000

/**
 * The regimes that verdicts show, by market. They are few, so answers add them to the stored JSON of a
 * verdict while they are written, without a query.
 */
export class MarketsInForce {
  readonly #regimes: ReadonlyMap<string, RegimeInForce>
  readonly #members: ReadonlyMap<string, string>
  /** Matches the start of an element of `licensed_by` or `blocked_by`, which begins with its market. */
  readonly #elements: RegExp

  constructor(rows: readonly MarketInForce[]) {
    this.#regimes = new Map(rows.map(({ market, ...regime }) => [market, regime]))
    this.#members = new Map(
      [...this.#regimes].map(([market, regime]) => [market, `,"regime":${JSON.stringify(regime)}`]),
    )
    this.#elements = new RegExp(`\\{"geo":"(${[...this.#regimes.keys()].join('|')})"`, 'g')
  }

  addToEach<Element extends { geo: string }>(elements: Element[]): (Element & { regime?: RegimeInForce })[] {
    if (this.#regimes.size === 0) return elements
    return elements.map(element => {
      const regime = this.#regimes.get(element.geo)
      return regime === undefined ? element : { ...element, regime }
    })
  }

  /** Adds `regime` to the elements in JSON text. Texts in JSON have no unescaped quotes, so none matches. */
  addTo(text: string): string {
    if (this.#regimes.size === 0) return text
    return text.replace(this.#elements, (element, market: string) => element + this.#members.get(market))
  }

  /** Returns a sentence for each market in the texts where gambling is prohibited or suspended; else null. */
  describe(...texts: string[]): string | null {
    if (this.#regimes.size === 0) return null
    const found = new Set(
      texts.flatMap(text => [...text.matchAll(this.#elements)].map(match => match[1] ?? '')),
    )
    const sentences = [...found].flatMap(market => {
      const regime = this.#regimes.get(market)
      if (regime === undefined || !statedStates.has(regime.state)) return []
      return [`${findMarket(market)?.name ?? market}: ${regime.state} since ${regime.from}.`]
    })
    return sentences.length === 0 ? null : sentences.join(' ')
  }
}

const statedStates: ReadonlySet<string> = new Set(['prohibited', 'suspended'])

/** Returns the regimes of a day, as they were known at a time. */
function inForce(markets: readonly PastMarket[], day: string, knownAt: Date): MarketsInForce {
  const found = markets.filter(
    ({ from, to, known_from, known_to }) =>
      from <= day &&
      (to === null || to >= day) &&
      known_from <= knownAt &&
      (known_to === null || known_to > knownAt),
  )
  return new MarketsInForce(
    found.map(({ market, vertical, state, from, source_url }) => ({
      ...{ market, vertical, state, from, source_url },
    })),
  )
}

const dayOf = (now: Date) => now.toISOString().slice(0, 10)

const everKnown = new Date(8.64e15)

export const readInForce = async (database: Database, now: Date) =>
  inForce(await readMarkets(database), dayOf(now), everKnown)

export const marketsInForce = cachedRead(cachedMs, (world, now) => readInForce(world.replica, now))

const cachedMarkets = cachedRead(cachedMs, world => readMarkets(world.replica))

export const marketsInForceAt = async (
  world: World,
  now: Date,
  { day, knownAt }: { day: string; knownAt: Date },
) => inForce(await cachedMarkets(world, now), day, knownAt)
