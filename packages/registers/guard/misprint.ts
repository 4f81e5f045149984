/**
 * Judges whether an entry of one snapshot was a misprint of an entry in the next. Real lists have thousands
 * of different sites one edit apart: mirrors with counting numbers (bet365, bet366) or letters (casino-a,
 * casino-b), and other suffixes. In 70 real pairs of snapshots no removed host has a near new one.
 */
import { domainToUnicode } from 'node:url'
import { editDistance, readDomain } from '@baize/names'

export type ListedSite = { domain: string; recordKey: string }
/**
 * With `hasReturned`, the snapshot before the misprint had the site, and the one with the misprint lacked
 * it.
 */
export type Replacement = ListedSite & { hasReturned: boolean }

/**
 * Finds the site that replaces a misprint. `neighbours` are the other domains of the new snapshot one edit
 * from `entry`. A record that returned in place of the entry was misprinted. So was a new site that is the
 * only neighbour and differs in a letter.
 */
export function replacementOf(
  entry: ListedSite,
  candidates: readonly Replacement[],
  neighbours: ReadonlySet<string>,
): Replacement | undefined {
  const fitting = candidates.filter(
    each => each.recordKey === entry.recordKey.replace(entry.domain, each.domain),
  )
  const encoded = fitting.filter(each => isEncodedTwice(entry.domain, each.domain))
  const returned = candidates.filter(each => each.hasReturned && isNear(entry, each))
  const spelled = fitting.filter(
    each =>
      neighbours.size === 1 && neighbours.has(each.domain) && differsInLetter(entry.domain, each.domain),
  )
  const [found, ...others] = [encoded, returned, spelled].find(each => each.length > 0) ?? []
  return others.length === 0 ? found : undefined
}

function isNear(one: ListedSite, other: ListedSite): boolean {
  const isSameBut = one.recordKey.replace(one.domain, other.domain) === other.recordKey
  return isOneEdit(one.recordKey, other.recordKey) || (isSameBut && isOneEdit(one.domain, other.domain))
}

function isOneEdit(one: string, other: string): boolean {
  return editDistance(lettersOf(one), lettersOf(other), 1) === 1
}

/** Returns a domain in Unicode. A record key with a path or a date stays unchanged. */
const lettersOf = (text: string) => [...(/^[a-z0-9.-]+$/.test(text) ? domainToUnicode(text) || text : text)]

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')
const suffixOf = (domain: string) => domain.slice(domain.indexOf('.'))

function differsInLetter(one: string, other: string): boolean {
  const [left, right] = [domainToUnicode(one), domainToUnicode(other)]
  return digitsOf(left) === digitsOf(right) && suffixOf(left) === suffixOf(right)
}

/** Returns whether `wrong` is `right` in UTF-8, read as a one-byte encoding. */
function isEncodedTwice(wrong: string, right: string): boolean {
  const unicode = domainToUnicode(right)
  if (unicode === right) return false
  const bytes = Buffer.from(unicode, 'utf8')
  return ['windows-1252', 'windows-1250'].some(encoding => {
    const reading = readDomain(new TextDecoder(encoding).decode(bytes))
    return reading.ok && reading.domain === wrong
  })
}

/** Finds texts one edit apart: both are equal without one character. */
export class NearTexts {
  readonly #shorter = new Map<string, Set<string>>()
  readonly #found = new Map<string, Set<string>>()

  constructor(known: Iterable<string>) {
    for (const each of known) {
      this.#found.set(each, new Set())
      for (const text of withoutOne(each)) {
        const sharing = this.#shorter.get(text) ?? new Set()
        this.#shorter.set(text, sharing.add(each))
      }
    }
  }

  /** Returns whether `other` is one edit from a known text. */
  add(other: string): boolean {
    const sharing = new Set(withoutOne(other).flatMap(text => [...(this.#shorter.get(text) ?? [])]))
    const near = [...sharing].filter(known => isOneEdit(known, other))
    for (const known of near) this.#found.get(known)?.add(other)
    return near.length > 0
  }

  of(known: string): ReadonlySet<string> {
    return this.#found.get(known) ?? new Set()
  }
}

/** Includes the text itself, because an inserted character is missing in the other text. */
function withoutOne(text: string): string[] {
  const letters = lettersOf(text)
  return [letters.join(''), ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))]
}
