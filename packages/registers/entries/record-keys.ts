import { hash } from 'node:crypto'

const wordsPerKey = 4
const slotsAtFirst = 1_024

/**
 * Stores the record keys of one snapshot as digests of 128 bits: 32 to 64 bytes a row, a third of what a Set
 * of strings needs. All words of an empty slot are 0.
 */
export class RecordKeys {
  #words = new Uint32Array(wordsPerKey * slotsAtFirst)
  #size = 0

  /** Returns true only for the first row with this key. */
  claim(key: string): boolean {
    const digest = hash('sha256', key, 'buffer')
    const words = Uint32Array.from({ length: wordsPerKey }, (_, word) => digest.readUInt32LE(4 * word))
    const slot = slotOf(this.#words, words)
    if (!isEmpty(this.#words, slot)) return false
    this.#words.set(words, slot)
    this.#size += 1
    if (2 * wordsPerKey * this.#size > this.#words.length) this.#grow()
    return true
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#words.length)
    for (let slot = 0; slot < this.#words.length; slot += wordsPerKey) {
      if (isEmpty(this.#words, slot)) continue
      const words = this.#words.subarray(slot, slot + wordsPerKey)
      larger.set(words, slotOf(larger, words))
    }
    this.#words = larger
  }
}

/** Returns where a key is, or the empty slot where it belongs. */
function slotOf(all: Uint32Array, words: Uint32Array): number {
  for (let place = words[0] as number; ; place += 1) {
    const slot = (place * wordsPerKey) % all.length
    if (isEmpty(all, slot) || words.every((word, index) => all[slot + index] === word)) return slot
  }
}

const isEmpty = (all: Uint32Array, slot: number) =>
  all[slot] === 0 && all[slot + 1] === 0 && all[slot + 2] === 0 && all[slot + 3] === 0
