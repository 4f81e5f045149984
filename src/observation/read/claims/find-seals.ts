/** Finds links to regulators' certificate pages. An image of a seal without its link is only a mention. */
import type { PageFields } from '../page/page-fields.ts'
import { findNumbers } from './find-numbers.ts'
import { readClaimRules } from './number-rules.ts'

export type Seal = {
  market: string
  url: string
  /** The number that the link contains. */
  number: string | null
}

type Declared = Record<string, { links: string[]; number_after?: string[] }>

const rules = Object.entries(readClaimRules<Declared>('license-seals.yaml')).map(
  ([market, { links, number_after: numberAfter = [] }]) => ({
    market,
    links: links.map(link => {
      const slash = link.indexOf('/')
      return slash < 0
        ? { host: link, path: '' }
        : { host: link.slice(0, slash), path: link.slice(slash).toLowerCase() }
    }),
    numberAfter,
  }),
)

const urlCharactersMax = 2_000
const sealsMax = 20

export function findSeals(page: PageFields): Seal[] {
  const seals = page.links.flatMap(({ url }) => {
    const target = url.length > urlCharactersMax ? null : URL.parse(url)
    if (target === null || !target.protocol.startsWith('http')) return []
    const rule = rules.find(({ links }) => links.some(link => isBelow(target, link)))
    if (rule === undefined) return []
    return [{ market: rule.market, url, number: numberIn(url, rule.market, rule.numberAfter) }]
  })
  return [...new Map(seals.map(seal => [seal.url, seal])).values()].slice(0, sealsMax)
}

function isBelow(target: URL, { host, path }: { host: string; path: string }): boolean {
  const isHost = target.hostname === host || target.hostname.endsWith(`.${host}`)
  return isHost && target.pathname.toLowerCase().startsWith(path)
}

/** Digits after a declared part of the link, or a form that needs no words around it. */
function numberIn(url: string, market: string, numberAfter: readonly string[]): string | null {
  const lower = url.toLowerCase()
  for (const part of numberAfter) {
    const at = lower.indexOf(part)
    const digits = at < 0 ? null : /^\d{3,6}(?![\w-])/.exec(url.slice(at + part.length))
    if (digits !== null) return digits[0]
  }
  return findNumbers(decoded(url)).find(number => number.market === market)?.number ?? null
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url)
  } catch {
    return url
  }
}
