import { fold } from './fold.ts'
import { type Lobby, type LobbyGame, type LobbySection, type LobbyView, lobbyLimits } from './lobby.ts'
import { readStep, type StepSection } from './read-step.ts'
import type { TileReading } from './read-tiles.ts'
import { kindOf } from './words.ts'

type Merged = {
  name: string | null
  isHero: boolean
  hasMore: boolean
  games: TileReading[]
  places: Map<string, TileReading>
}

/** Reads the sections and games that a visit saw. */
export function readLobby({ steps, frames, viewportHeight, hasSeenEnd }: LobbyView): Lobby {
  const merged = new Map<string, Merged>()
  for (const html of steps)
    for (const section of readStep(html, viewportHeight)) mergeSection(merged, section)
  for (const html of frames)
    for (const section of readStep(html, viewportHeight)) mergeSection(merged, section)
  const all = [...merged.values()]
  const games: LobbyGame[] = []
  const sections: LobbySection[] = []
  const titles = new Set<string>()
  for (const [index, { name, isHero, hasMore, games: tiles }] of all
    .slice(0, lobbyLimits.sections)
    .entries()) {
    const left = lobbyLimits.games - games.length
    if (left === 0) break
    const seen = tiles.slice(0, left)
    const isLast = index === all.length - 1
    sections.push({
      name,
      kind: isHero && !sections.some(({ kind }) => kind === 'hero') ? 'hero' : kindOf(name),
      gamesSeen: seen.length,
      isComplete: !hasMore && seen.length === tiles.length && (!isLast || hasSeenEnd),
    })
    for (const [place, { title, found, box }] of seen.entries()) {
      games.push({
        section: index,
        position: place + 1,
        title,
        ...found,
        isAboveFold: box !== null && box.y + box.height / 2 < viewportHeight,
        isRepeat: titles.has(fold(title)),
      })
    }
    for (const { title } of seen) titles.add(fold(title))
  }
  return { sections, games, isCut: games.length < all.reduce((count, { games }) => count + games.length, 0) }
}

/** Adds what a later DOM shows after the game that precedes it there. */
function mergeSection(merged: Map<string, Merged>, { name, isHero, hasMore, games }: StepSection): void {
  const key = fold(name ?? '')
  const section: Merged = merged.get(key) ?? { name, isHero, hasMore, games: [], places: new Map() }
  merged.set(key, section)
  section.hasMore ||= hasMore
  let before = -1
  for (const tile of games) {
    const title = fold(tile.title)
    const known = section.places.get(title)
    if (known !== undefined) {
      before = Math.max(before, section.games.indexOf(known))
      if (known.found.match === 'none') known.found = tile.found
      continue
    }
    before += 1
    section.games.splice(before, 0, tile)
    section.places.set(title, tile)
  }
}
