/** Finds phrases in texts by whole words. The time is linear in the text for any number of phrases. */
import { pageWords } from './page-words.ts'

type Node<Payload> = { next: Map<string, Node<Payload>>; payloads: Payload[] }

export class PhraseIndex<Payload> {
  private readonly root: Node<Payload> = { next: new Map(), payloads: [] }

  /** Creates an index of phrases that have no payload. */
  static of(phrases: readonly string[]): PhraseIndex<true> {
    const index = new PhraseIndex<true>()
    for (const phrase of phrases) index.add(phrase, true)
    return index
  }

  add(phrase: string, payload: Payload): void {
    let node = this.root
    for (const word of pageWords(phrase)) {
      const next = node.next.get(word) ?? { next: new Map(), payloads: [] }
      node.next.set(word, next)
      node = next
    }
    node.payloads.push(payload)
  }

  /**
   * Reports each phrase once for each `seen` set, which belongs to one page. `accepts` may reject a place of
   * a phrase by the indexes of its words.
   */
  find(
    words: readonly string[],
    seen: Set<unknown>,
    report: (payload: Payload, word: string) => void,
    accepts: (start: number, end: number) => boolean = () => true,
  ): void {
    for (let start = 0; start < words.length; start += 1) {
      let node = this.root.next.get(words[start] as string)
      for (let end = start + 1; node !== undefined; end += 1) {
        if (node.payloads.length > 0 && !seen.has(node) && accepts(start, end)) {
          seen.add(node)
          for (const payload of node.payloads) report(payload, words[start] as string)
        }
        node = end < words.length ? node.next.get(words[end] as string) : undefined
      }
    }
  }

  /** Returns the longest phrase that begins at a word. `end` is the index of the word after it. */
  longestAt(words: readonly string[], start: number): { payloads: readonly Payload[]; end: number } | null {
    let longest: { payloads: readonly Payload[]; end: number } | null = null
    let node = this.root.next.get(words[start] as string)
    for (let end = start + 1; node !== undefined; end += 1) {
      if (node.payloads.length > 0) longest = { payloads: node.payloads, end }
      node = end < words.length ? node.next.get(words[end] as string) : undefined
    }
    return longest
  }

  has(words: readonly string[]): boolean {
    let isFound = false
    this.find(words, new Set(), () => {
      isFound = true
    })
    return isFound
  }
}
