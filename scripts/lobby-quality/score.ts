import type { Lobby } from '@baize/lobby-reader'
import { foldedWords } from '@baize/names'
import type { LobbySite, TrueSection } from './lobby-sites.ts'

export type LobbyScore = {
  titles: { right: number; wrong: number; missed: number }
  suppliers: { right: number; wrong: number; missed: number }
  /** Sections whose games are all in the order of the page. */
  order: { right: number; wrong: number }
  /** Runs that must fail and would cost credits. */
  charged: number
  mistakes: string[]
}

export type EndOfRun = { status: string; reason: string | null; lobby: Lobby | null }

export const emptyScore = (): LobbyScore => ({
  titles: { right: 0, wrong: 0, missed: 0 },
  suppliers: { right: 0, wrong: 0, missed: 0 },
  order: { right: 0, wrong: 0 },
  charged: 0,
  mistakes: [],
})

const fold = (text: string) => foldedWords(text).join(' ')
type Found = { title: string; slug: string | null }

export function scoreRun(site: LobbySite, run: EndOfRun, score: LobbyScore): void {
  const { truth, name } = site
  const note = (mistake: string) => score.mistakes.push(`${name}: ${mistake}`)
  if (truth.reason !== null) {
    if (run.status !== 'failed') score.charged += 1
    if (run.status !== 'failed' || !truth.reason.includes(run.reason ?? ''))
      note(`ended ${run.status} ${run.reason}, expected ${truth.reason}`)
    return
  }
  if (!truth.status.includes(run.status)) note(`ended ${run.status} ${run.reason}`)
  const sections = new Map<string, Found[]>()
  for (const { section, title, supplierSlug } of run.lobby?.games ?? []) {
    const found = fold(run.lobby?.sections[section]?.name ?? '')
    sections.set(found, [...(sections.get(found) ?? []), { title: fold(title), slug: supplierSlug }])
  }
  for (const section of truth.sections) {
    scoreSection(section, { found: sections.get(fold(section.name)) ?? [], site, score, note })
    sections.delete(fold(section.name))
  }
  for (const [section, games] of sections) {
    score.titles.wrong += games.length
    note(`the section "${section}" with ${games.length} games is none`)
  }
}

type Scoring = { found: Found[]; site: LobbySite; score: LobbyScore; note(mistake: string): void }

function scoreSection({ name, games, needed }: TrueSection, { found, site, score, note }: Scoring): void {
  const wanted = games.map(({ title, supplier_slug }) => ({ title: fold(title), slug: supplier_slug }))
  const suppliers = new Map(wanted.map(({ title, slug }) => [title, slug]))
  const seen = new Set(found.map(({ title }) => title))
  for (const [place, { title }] of wanted.entries()) {
    if (seen.has(title)) score.titles.right += 1
    else if (place < needed) {
      score.titles.missed += 1
      note(`missed "${title}" in "${name}"`)
    }
  }
  for (const { title, slug } of found) {
    const right = suppliers.get(title)
    if (right === undefined) {
      score.titles.wrong += 1
      note(`"${title}" in "${name}" is no game`)
    } else if (slug === null) score.suppliers.missed += right === null ? 0 : 1
    else if (slug === right) score.suppliers.right += 1
    else {
      score.suppliers.wrong += 1
      note(`"${title}" has the supplier ${slug}, expected ${right}`)
    }
  }
  const isInOrder = ordersOf(
    wanted.map(({ title }) => title),
    site.truth.other_order?.[name],
  ).some(order => {
    const places = found.flatMap(({ title }) => (order.includes(title) ? [order.indexOf(title)] : []))
    return places.every((place, index) => index === 0 || place > (places[index - 1] as number))
  })
  score.order[isInOrder ? 'right' : 'wrong'] += 1
  if (!isInOrder) note(`the games of "${name}" are in another order`)
}

/** Returns the right orders: that of the page, and the other one of half of the visits. */
function ordersOf(titles: string[], other: string | undefined): string[][] {
  const rotated = /^rotated (\d+)$/.exec(other ?? '')?.[1]
  if (rotated !== undefined)
    return [titles, [...titles.slice(Number(rotated)), ...titles.slice(0, Number(rotated))]]
  return other === 'reversed' ? [titles, titles.toReversed()] : [titles]
}
