import type { LobbyGame } from '@baize/lobby-reader'
import { compareLobbies, type LobbyChange } from '@baize/lobby-reader/compare'
import { viewports } from '@baize/lobby-reader/see'
import { countShares } from '@baize/lobby-reader/shares'
import { foldedWords } from '@baize/names'
import type { Static } from '../../core/operation.ts'
import type { StoredRun } from './lobby-store.ts'
import type { changesData, runData } from './schemas.ts'

export type DescribedRun = Static<typeof runData>
export type DescribedChanges = Static<typeof changesData>

const absentNote =
  'Not seen in this run. That is no proof of absence: lobbies differ by visitor, place and time.'
const language = 'en'

export const summaryOf = (run: StoredRun) => ({
  lobby_run_ref: run.ref,
  domain: run.domain,
  device: run.device,
  url: run.url,
  status: run.state,
  reason: run.reason,
  requested_at: run.requestedAt.toISOString(),
  completed_at: run.finishedAt?.toISOString() ?? null,
  credits_charged: run.creditsCharged,
  titles_seen: run.titlesSeen,
})

export function describeRun(run: StoredRun): DescribedRun {
  const games = run.games ?? []
  const { titles, titlesAboveFold, shares } = countShares(games)
  const { width, height } = viewports[run.device]
  const seenAt = run.games === null ? null : run.finishedAt
  return {
    ...summaryOf(run),
    titles_seen: titles,
    titles_above_fold: titlesAboveFold,
    seen_from: seenAt && {
      device: run.device,
      viewport: `${width}x${height}`,
      language,
      country: run.country,
      final_url: run.finalUrl,
      seen_at: seenAt.toISOString(),
    },
    sections: (run.sections ?? []).map(({ name, kind, gamesSeen, isComplete }, index) => ({
      name,
      kind,
      order: index + 1,
      games_seen: gamesSeen,
      is_complete: isComplete,
    })),
    games: games.map(game => ({
      section: game.section + 1,
      position: game.position,
      title: game.title,
      supplier: game.supplier,
      supplier_slug: game.supplierSlug,
      match: game.match,
      is_above_fold: game.isAboveFold,
      is_repeat: game.isRepeat,
    })),
    shares: shares.map(share => ({
      supplier_slug: share.supplierSlug,
      games: share.games,
      share: share.share,
      share_above_fold: share.shareAboveFold,
      best_position: share.bestPosition,
    })),
    absent: run.games === null ? [] : absentOf(run.suppliers, games),
  }
}

/** Squeezes a name or key, so that `Play'n GO` and `play-n-go` compare alike. */
export const supplierKey = (name: string) => foldedWords(name.replaceAll('-', ' ')).join('')

const absentOf = (suppliers: readonly string[], games: readonly LobbyGame[]) => {
  const seen = new Set(
    games
      .flatMap(each => [each.supplierSlug, each.supplier])
      .flatMap(each => (each === null ? [] : supplierKey(each))),
  )
  return suppliers
    .filter(supplier => !seen.has(supplierKey(supplier)))
    .map(supplier => ({ supplier, seen: false, note: absentNote }))
}

export function describeChanges(run: StoredRun, since: StoredRun): DescribedChanges {
  const of = ({ sections, games }: StoredRun) => ({ sections: sections ?? [], games: games ?? [] })
  const { entered, left, moved } = compareLobbies(of(since), of(run))
  const describe = ({ supplierSlug, ...change }: LobbyChange) => ({ ...change, supplier_slug: supplierSlug })
  return {
    lobby_run_ref: run.ref,
    since: since.ref,
    entered: entered.map(describe),
    left: left.map(describe),
    moved: moved.map(describe),
  }
}
