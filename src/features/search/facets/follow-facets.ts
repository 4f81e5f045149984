/** Counts facets of text searches in Node, from a table in memory that follows the data (decision 8). */
import type { World } from '../../../database/open.ts'
import type { SearchSubject } from '../contract.ts'
import type { FacetRow } from '../list-facets.ts'
import { readFacetChanges, readTerms } from './facet-changes-store.ts'
import { FacetTable } from './facet-table.ts'

/** The number of rows in a chunk, which blocks the event loop for 1.5 ms. */
const rowsAtOnce = 2_000
/** The wait after a failure, during which PostgreSQL counts. */
const retryAfterMs = 10_000

/** The table is `catching up` after a start or a large change. `too large` lasts as long as the process. */
type State = 'following' | 'catching up' | 'too large'

export class FacetFollower {
  readonly #world: World
  readonly #subject: SearchSubject
  #table = new FacetTable()
  /** The version of all rows in the table; null while it is being loaded. */
  #version: number | null = null
  /** The latest version at which any row was read. */
  #versionMin = 0
  #change = 0
  #state: State = 'catching up'
  #reading: Promise<void> | null = null
  #failedAt = Number.NEGATIVE_INFINITY

  constructor(world: World, subject: SearchSubject) {
    this.#world = world
    this.#subject = subject
  }

  /** Is true if `count` can count the facets of the next search. Starts loading the table if necessary. */
  get isReady(): boolean {
    if (this.#state === 'catching up') this.#read()
    return this.#state === 'following'
  }

  /**
   * Counts the rows of `ids`. Returns null if the table is at another version, because writers commit
   * meanwhile or change many rows.
   */
  async count(ids: readonly number[], version: number): Promise<FacetRow[] | null> {
    if (this.#version !== version && this.#state === 'following') await this.#read()
    return this.#version === version ? this.#table.count(ids) : null
  }

  /** Resolves when the table is current, or after the first of several chunks. It never rejects. */
  #read(): Promise<void> {
    if (performance.now() - this.#failedAt < retryAfterMs) return Promise.resolve()
    if (this.#reading === null) {
      const first = this.#readChunk()
      this.#reading = first.then(
        () => {},
        () => {},
      )
      this.#readOthers(first)
        .catch(() => {
          this.#failedAt = performance.now()
          if (this.#state === 'following') this.#state = 'catching up'
        })
        .finally(() => {
          this.#reading = null
        })
    }
    return this.#reading
  }

  async #readOthers(first: Promise<boolean>): Promise<void> {
    for (let isLast = await first; !isLast; ) isLast = await this.#readChunk()
  }

  /** Reads a chunk, and returns true if it was the last. Rows that change meanwhile are in a later chunk. */
  async #readChunk(): Promise<boolean> {
    const database = this.#world.searches
    const { version, rows } = await readFacetChanges(database, this.#subject, this.#change, rowsAtOnce)
    await this.#readTermsOf(rows.flatMap(([, , terms]) => terms))
    // A replica and the primary may answer the two statements, so the rows count as of the later version.
    this.#versionMin = Math.max(this.#versionMin, version)
    const isLast = rows.length < rowsAtOnce
    if (!isLast || rows.length > 0) this.#version = null
    if (!rows.every(([id, , terms]) => this.#table.put(id, terms))) {
      this.#table = new FacetTable()
      this.#state = 'too large'
      return true
    }
    this.#change = rows.at(-1)?.[1] ?? this.#change
    if (!isLast) this.#state = 'catching up'
    else if (version === this.#versionMin) {
      this.#version = version
      this.#state = 'following'
    }
    return isLast
  }

  async #readTermsOf(ids: readonly number[]): Promise<void> {
    const unknown = [...new Set(ids)].filter(id => !this.#table.knowsTerm(id))
    if (unknown.length === 0) return
    const terms = await readTerms(this.#world.searches, unknown)
    if (terms.length < unknown.length) throw new Error('search_terms lacks terms of search rows')
    for (const { id, ...term } of terms) this.#table.addTerm(id, term)
  }
}

const followers = new WeakMap<World, Map<SearchSubject, FacetFollower>>()

export function followFacets(world: World, subject: SearchSubject): FacetFollower {
  const ofWorld = followers.get(world) ?? new Map<SearchSubject, FacetFollower>()
  followers.set(world, ofWorld)
  const follower = ofWorld.get(subject) ?? new FacetFollower(world, subject)
  ofWorld.set(subject, follower)
  return follower
}
