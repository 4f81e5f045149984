import { readDomain } from '@baize/names'
import { attributeOf, parseDom, textOf, within } from './dom.ts'
import { fold } from './fold.ts'
import { lobbyRanks } from './words.ts'

const linksMax = 3
const labelWordsMax = 4

/** Returns the likeliest links to the lobby, best first: those of the same site whose label has lobby words. */
export function findLobbyLinks(html: string, url: string): string[] {
  const site = siteOf(url)
  const found = new Map<string, number>()
  for (const link of within(parseDom(html))) {
    const target = link.tagName === 'a' ? URL.parse(attributeOf(link, 'href') ?? '', url) : null
    if (target === null || !target.protocol.startsWith('http') || siteOf(target.href) !== site) continue
    target.hash = ''
    const label = fold(textOf(link) || attributeOf(link, 'aria-label') || attributeOf(link, 'title') || '')
    const rank = rankOf(label)
    if (rank === null || target.href === url) continue
    found.set(target.href, Math.min(rank, found.get(target.href) ?? rank))
  }
  return [...found]
    .toSorted(([, one], [, other]) => one - other)
    .slice(0, linksMax)
    .map(([href]) => href)
}

/** Ranks whole labels before those that only contain a word. Lower is better. */
function rankOf(label: string): number | null {
  const whole = lobbyRanks.get(label)
  if (whole !== undefined) return whole
  const words = label.split(' ')
  if (label === '' || words.length > labelWordsMax) return null
  const ranks = words.flatMap(word => lobbyRanks.get(word) ?? [])
  return ranks.length === 0 ? null : 100 + Math.min(...ranks)
}

function siteOf(url: string): string | null {
  const domain = readDomain(URL.parse(url)?.hostname ?? '')
  return domain.ok ? domain.domain : null
}
