import { fold } from './fold.ts'
import type { LobbyGame } from './lobby.ts'

export type SupplierShare = {
  supplierSlug: string
  /** The number of distinct titles. */
  games: number
  share: number
  shareAboveFold: number
  bestPosition: number
}

/** What `shares` are shares of: distinct titles, also those of unknown suppliers. */
export type ShareBase = { titles: number; titlesAboveFold: number }

type CountedGame = Pick<LobbyGame, 'title' | 'supplierSlug' | 'position' | 'isAboveFold'>
type Counted = { games: number; above: number; best: number }

/** Counts distinct titles by supplier, those with most titles first. */
export function countShares(games: readonly CountedGame[]): ShareBase & { shares: SupplierShare[] } {
  const titles = new Map<string, CountedGame>()
  for (const game of games) {
    const known = titles.get(fold(game.title))
    titles.set(fold(game.title), {
      ...game,
      supplierSlug: known?.supplierSlug ?? game.supplierSlug,
      isAboveFold: game.isAboveFold || known?.isAboveFold === true,
      position: Math.min(game.position, known?.position ?? game.position),
    })
  }
  const counts = new Map<string, Counted>()
  for (const { supplierSlug, isAboveFold, position } of titles.values()) {
    if (supplierSlug === null) continue
    const { games, above, best } = counts.get(supplierSlug) ?? { games: 0, above: 0, best: position }
    counts.set(supplierSlug, {
      games: games + 1,
      above: above + (isAboveFold ? 1 : 0),
      best: Math.min(best, position),
    })
  }
  const titlesAboveFold = [...titles.values()].filter(({ isAboveFold }) => isAboveFold).length
  const shares = [...counts].map(([supplierSlug, { games, above, best }]) => ({
    supplierSlug,
    games,
    share: ratio(games, titles.size),
    shareAboveFold: ratio(above, titlesAboveFold),
    bestPosition: best,
  }))
  return {
    titles: titles.size,
    titlesAboveFold,
    shares: shares.toSorted(
      (one, other) => other.games - one.games || (one.supplierSlug < other.supplierSlug ? -1 : 1),
    ),
  }
}

/** Rounds to four decimals. */
const ratio = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 1e4) / 1e4)
