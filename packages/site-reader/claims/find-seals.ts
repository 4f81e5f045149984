/** Finds links to regulators' certificate pages. An image of a seal without its link is only a mention. */
import type { PageFields } from '../page/page-fields.ts'
import { readRuleFile } from '../read-rule-file.ts'
import { findNumbers } from './find-numbers.ts'

export type Seal = {
  market: string
  url: string
  /** The license number in the link. */
  number: string | null
}

type Declared = Record<string, { links: string[]; number_after?: string[] }>

type SealRule = { market: string; path: string; numberAfter: readonly string[] }

/** Groups the rules by host. */
const rules: ReadonlyMap<string, SealRule[]> = Map.groupBy(
  Object.entries(readRuleFile<Declared>('license-seals')).flatMap(
    ([market, { links, number_after: numberAfter = [] }]) =>
      links.map(link => {
        const [host = '', ...parts] = link.split('/')
        const path = parts.length === 0 ? '' : `/${parts.join('/')}`.toLowerCase()
        return { host, market, path, numberAfter }
      }),
  ),
  ({ host }) => host,
)

const urlCharactersMax = 2_000
const sealsMax = 20

export function findSeals(page: PageFields): Seal[] {
  const seals = page.links.flatMap(({ url, host }) => {
    if (rulesOf(host).length === 0) return []
    const target = url.length > urlCharactersMax ? null : URL.parse(url)
    if (target === null || !target.protocol.startsWith('http')) return []
    const path = target.pathname.toLowerCase()
    const rule = rulesOf(target.hostname).find(each => path.startsWith(each.path))
    if (rule === undefined) return []
    return [{ market: rule.market, url, number: numberIn(url, rule.market, rule.numberAfter) }]
  })
  return [...new Map(seals.map(seal => [seal.url, seal])).values()].slice(0, sealsMax)
}

/** Returns rules for the host and its parents, the nearest first. */
function rulesOf(host: string): SealRule[] {
  const found: SealRule[] = []
  for (let name = host; name !== ''; name = name.includes('.') ? name.slice(name.indexOf('.') + 1) : '')
    found.push(...(rules.get(name) ?? []))
  return found
}

/** Reads digits after a declared part of the link, or a number whose form needs no words around it. */
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
