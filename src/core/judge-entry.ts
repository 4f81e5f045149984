/**
 * Judges what an entry of a blocklist condemns (contract section 13, "What blocks it, by scope"). Real lists
 * name deeper hosts of innocent sites: `www.friendsreunitedpoker.itv.com` says nothing about `itv.com`.
 */
import { gamblingWords, notBet, productFronts, siteFronts, suppliers, tradeWords } from './host-fronts.ts'
import { isSharedHost } from './shared-hosts.ts'

/** Increased whenever a stored entry may be judged differently: stored scopes are judged again. */
export const scopeRulesVersion = 1

export type SiteScope =
  | 'domain' // the whole site
  | 'host' // one host below the registrable domain
  | 'path' // one path of a site
  | 'shared_host' // a host or page on a host of many parties (social network, app store)

export type EntrySite = { domain: string; host: string; path: string | null }

export function judgeEntry({ domain, host, path }: EntrySite): SiteScope {
  if (isSharedHost(domain)) return 'shared_host'
  if (path !== null) return 'path'
  return host === domain || isFront(host.slice(0, -domain.length - 1), domain) ? 'domain' : 'host'
}

/** Whether every label in front of the registrable domain leads to the same site. */
function isFront(prefix: string, domain: string): boolean {
  const labels = prefix.split('.')
  if (labels.every(isSiteFront)) return true
  return isGamblingName(domain) && labels.every(label => isSiteFront(label) || isProductFront(label))
}

const isSiteFront = (label: string): boolean =>
  siteFronts.has(label.replace(/\d+$/, '')) || mirror.test(label)

/** `www2`, `ww1`, `12`. */
const mirror = /^(?:ww\d{0,2}|www\d{1,3}|\d{1,4})$/

/** Generated names of mirrors of one site: `a2`, `m6b6bea`. */
const generated = /^(?:[a-z]\d{1,2}|m[\da-f]{6})$/

const isProductFront = (label: string): boolean =>
  generated.test(label) ||
  label.split('-').every(part => isSiteFront(part) || productFronts.has(part.replace(/\d+$/, '')))

function isGamblingName(domain: string): boolean {
  const [name = ''] = domain.split('.')
  if (suppliers.has(name) || tradeWords.test(name)) return false
  if (gamblingWords.some(word => domain.includes(word))) return true
  return domain.replaceAll(notBet, '-').includes('bet')
}
