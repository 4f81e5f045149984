import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { fold } from './fold.ts'
import type { SectionKind } from './lobby.ts'

type WordFile = {
  lobby_links: Record<string, string[]>
  kinds: Record<Exclude<SectionKind, 'hero' | 'other'>, string[]>
  no_games: string[]
  paths: { games: string[]; others: string[] }
  verbs: string[]
  prepositions: string[]
  more: string[]
}

const file = load(readFileSync(new URL('data/words.yaml', import.meta.url), 'utf8')) as WordFile

const folded = (words: readonly string[]) => new Set(words.map(fold))

const noGames = folded(file.no_games)
const paths = { games: folded(file.paths.games), others: folded(file.paths.others) }
const more = folded(file.more)
const kinds = Object.entries(file.kinds).map(([kind, words]) => ({
  kind: kind as SectionKind,
  words: folded(words),
}))
export const verbs = folded(file.verbs)
export const prepositions = folded(file.prepositions)
/** Lobby words with their rank within their language; lower ones are surer. */
export const lobbyRanks = new Map<string, number>()
for (const words of Object.values(file.lobby_links))
  for (const [rank, word] of words.entries())
    lobbyRanks.set(fold(word), Math.min(rank, lobbyRanks.get(fold(word)) ?? rank))

/** Checks for a phrase of the set as whole words. Scripts without blanks match anywhere. */
function mentions(text: string, phrases: ReadonlySet<string>): boolean {
  const words = fold(text).split(' ')
  for (let start = 0; start < words.length; start++)
    for (let end = start + 1; end <= Math.min(words.length, start + 4); end++)
      if (phrases.has(words.slice(start, end).join(' '))) return true
  return [...phrases].some(
    phrase =>
      /[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/u.test(phrase) && fold(text).includes(phrase),
  )
}

export const isOther = (heading: string): boolean => mentions(heading, noGames)
export const isMoreButton = (label: string): boolean => more.has(fold(label))
export const kindOf = (heading: string | null): SectionKind =>
  (heading !== null && kinds.find(({ words }) => mentions(heading, words))?.kind) || 'other'

/** Judges a link by the words of its path: of games, of something else, or unknown. */
export function judgePath(url: string): 'games' | 'others' | null {
  const path = URL.parse(url, 'https://site.invalid/')
  const parts = `${path?.pathname ?? ''}/${path?.search ?? ''}`.split(/[/?&=#.]+/).filter(part => part !== '')
  const words = parts.map(part => fold(part.replaceAll(/[-_]+/g, ' ')))
  if (words.some(word => paths.others.has(word))) return 'others'
  return words.some(word => paths.games.has(word)) ? 'games' : null
}
