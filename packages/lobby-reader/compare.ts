import { fold } from './fold.ts'
import type { LobbyGame, LobbySection } from './lobby.ts'

export type ComparedLobby = {
  sections: readonly Pick<LobbySection, 'name' | 'gamesSeen' | 'isComplete'>[]
  games: readonly Pick<LobbyGame, 'section' | 'position' | 'title' | 'supplierSlug'>[]
}

export type LobbyChange = {
  section: string | null
  title: string
  supplierSlug: string | null
  /** The position before; null if it entered. */
  before: number | null
  /** The position after; null if it left. */
  after: number | null
}

export type LobbyChanges = { entered: LobbyChange[]; left: LobbyChange[]; moved: LobbyChange[] }

type Section = { name: string | null; isComplete: boolean; seen: number; games: Map<string, Game> }
type Game = ComparedLobby['games'][number]

/**
 * Compares sections of the same name. A game that shifts only because others entered or left has not moved.
 * It left only if both sections are complete, and entered only where the earlier run saw that far.
 */
export function compareLobbies(before: ComparedLobby, after: ComparedLobby): LobbyChanges {
  const changes: LobbyChanges = { entered: [], left: [], moved: [] }
  const earlier = sectionsOf(before)
  const later = sectionsOf(after)
  for (const key of new Set([...later.keys(), ...earlier.keys()])) {
    const [old, now] = [earlier.get(key), later.get(key)]
    const section = (now ?? old)?.name ?? null
    const change = (was: Game | undefined, is: Game | undefined): LobbyChange => ({
      section,
      title: (is ?? was)?.title ?? '',
      supplierSlug: (is ?? was)?.supplierSlug ?? null,
      before: was?.position ?? null,
      after: is?.position ?? null,
    })
    for (const [title, game] of now?.games ?? [])
      if (
        old?.games.has(title) !== true &&
        (old === undefined || old.isComplete || game.position <= old.seen)
      )
        changes.entered.push(change(undefined, game))
    for (const [title, game] of old?.games ?? [])
      if (old?.isComplete && now?.isComplete && !now.games.has(title))
        changes.left.push(change(game, undefined))
    if (old === undefined || now === undefined) continue
    const shared = [...now.games].filter(([title]) => old.games.has(title))
    const places = shared.map(([title]) => old.games.get(title)?.position ?? 0)
    const kept = longestIncreasing(places)
    for (const [index, [title, game]] of shared.entries())
      if (!kept.has(index)) changes.moved.push(change(old.games.get(title), game))
  }
  return changes
}

function sectionsOf({ sections, games }: ComparedLobby): Map<string, Section> {
  const found = new Map<string, Section>()
  for (const [index, { name, gamesSeen: seen, isComplete }] of sections.entries()) {
    const ofSection = games.filter(game => game.section === index)
    const titles = new Map(ofSection.map(game => [fold(game.title), game]))
    found.set(fold(name ?? ''), { name, isComplete, seen, games: titles })
  }
  return found
}

/** Returns the indexes of a longest increasing subsequence. */
function longestIncreasing(values: readonly number[]): ReadonlySet<number> {
  const ends: number[] = []
  const previous: number[] = []
  for (const [index, value] of values.entries()) {
    let at = 0
    while (at < ends.length && (values[ends[at] as number] as number) < value) at++
    previous[index] = at === 0 ? -1 : (ends[at - 1] as number)
    ends[at] = index
  }
  const kept = new Set<number>()
  for (let index = ends.at(-1) ?? -1; index !== -1; index = previous[index] as number) kept.add(index)
  return kept
}
