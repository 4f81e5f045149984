import type { Term } from '../contract.ts'

/** The most bytes of one table; 1,000,000 Companies take about a third. */
const bytesMaxDefault = 64 * 1024 * 1024
const noRow = 0
const growth = 1.5
const slotsMin = 1_024
const facetTermsMax = 0xffff

/**
 * Stores the counted terms of each search row by id, outside the heap, in about 20 bytes a row. An entry is
 * the number of terms, then their numbers in this table, which are smaller than the ids of `search_terms`.
 */
export class FacetTable {
  readonly #bytesMax: number
  /** The place of each row's entry, by the row's id. */
  #places = new Uint32Array(slotsMin)
  #entries = new Uint16Array(slotsMin)
  #end = 1
  #unused = 0
  readonly #numbers = new Map<number, number>()
  readonly #terms: Term[] = []
  #counts = new Uint32Array(slotsMin)

  constructor(bytesMax = bytesMaxDefault) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#places.byteLength + this.#entries.byteLength
  }

  knowsTerm(id: number): boolean {
    return this.#numbers.has(id)
  }

  addTerm(id: number, term: Term): void {
    this.#numbers.set(id, this.#terms.length)
    this.#terms.push(term)
  }

  /**
   * Stores the terms of a row, which must all be known. Returns false if the table would become too large;
   * it is useless then.
   */
  put(id: number, terms: readonly number[]): boolean {
    if (this.#terms.length > facetTermsMax || !this.#makeRoom(id, terms.length + 1)) return false
    let place = this.#places[id] as number
    const before = place === noRow ? 0 : (this.#entries[place] as number)
    if (place === noRow || before < terms.length) {
      if (place !== noRow) this.#unused += before + 1
      place = this.#end
      this.#end += terms.length + 1
      this.#places[id] = place
    } else this.#unused += before - terms.length
    this.#entries[place] = terms.length
    for (const term of terms) {
      place += 1
      this.#entries[place] = this.#numbers.get(term) as number
    }
    return true
  }

  /** Counts the rows of `ids` by term. Returns null if a row is missing in the table. */
  count(ids: readonly number[]): (Term & { count: number })[] | null {
    if (this.#counts.length < this.#terms.length)
      this.#counts = new Uint32Array(Math.ceil(this.#terms.length * growth))
    const counts = this.#counts.fill(0, 0, this.#terms.length)
    for (const id of ids) {
      const place = this.#places[id] ?? noRow
      if (place === noRow) return null
      const last = place + (this.#entries[place] as number)
      for (let at = place + 1; at <= last; at += 1) (counts[this.#entries[at] as number] as number)++
    }
    return this.#terms.flatMap((term, number) => {
      const count = counts[number] as number
      return count === 0 ? [] : [{ ...term, count }]
    })
  }

  #makeRoom(id: number, length: number): boolean {
    if (id >= this.#places.length) {
      const places = grown(id + 1) * Uint32Array.BYTES_PER_ELEMENT
      if (places + this.#entries.byteLength > this.#bytesMax) return false
      this.#places = copied(this.#places, new Uint32Array(grown(id + 1)))
    }
    if (this.#end + length <= this.#entries.length) return true
    if (this.#unused > this.#end / 2) this.#compact()
    if (this.#end + length <= this.#entries.length) return true
    const entries = grown(this.#end + length) * Uint16Array.BYTES_PER_ELEMENT
    if (entries + this.#places.byteLength > this.#bytesMax) return false
    this.#entries = copied(this.#entries, new Uint16Array(grown(this.#end + length)))
    return true
  }

  #compact(): void {
    const before = this.#entries
    this.#entries = new Uint16Array(before.length)
    this.#end = 1
    this.#unused = 0
    for (const [id, place] of this.#places.entries()) {
      if (place === noRow) continue
      const length = (before[place] as number) + 1
      this.#entries.set(before.subarray(place, place + length), this.#end)
      this.#places[id] = this.#end
      this.#end += length
    }
  }
}

const grown = (wanted: number) => Math.ceil(wanted * growth)

function copied<Numbers extends Uint16Array | Uint32Array>(from: Numbers, into: Numbers): Numbers {
  into.set(from)
  return into
}
