/**
 * Decides what an entry of a blocklist blocks (contract section 13, "What blocks it, by scope"). Real lists
 * name deeper hosts of innocent sites: `www.friendsreunitedpoker.itv.com` says nothing about `itv.com`.
 */
import {
  gamblingWords,
  isSharedHost,
  notBet,
  productLabels,
  siteLabels,
  suppliers,
  tradeWords,
} from '@baize/names'

/**
 * Increase this version when a stored entry may be judged differently. Stored scopes are then judged again.
 */
export const scopeRulesVersion = 1

export type SiteScope =
  | 'domain' // the whole site
  | 'host' // one host below the registrable domain
  | 'path' // one path of a site
  | 'shared_host' // a host or page on a host of many parties (social network, app store)

export type EntrySite = { domain: string; host: string; path: string | null }

/** Why an entry has its scope. */
export type ScopeReason =
  | 'shared_host' // many parties publish on the host
  | 'path' // the entry names one path
  | 'site' // the entry names the registrable domain
  | 'site_label' // languages, devices or mirrors lead to the same site
  | 'product_label' // a product word before a name with a gambling word
  | 'deeper_host' // any other host

const scopeOfReason: Readonly<Record<ScopeReason, SiteScope>> = {
  shared_host: 'shared_host',
  path: 'path',
  site: 'domain',
  site_label: 'domain',
  product_label: 'domain',
  deeper_host: 'host',
}

export const judgeEntry = (site: EntrySite): SiteScope => scopeOfReason[explainScope(site)]

/** Returns the rule that decides what an entry blocks. */
export function explainScope({ domain, host, path }: EntrySite): ScopeReason {
  if (isSharedHost(domain)) return 'shared_host'
  if (path !== null) return 'path'
  if (host === domain) return 'site'
  const labels = host.slice(0, -domain.length - 1).split('.')
  if (labels.every(isSiteLabel)) return 'site_label'
  const isProduct = isGamblingName(domain) && labels.every(each => isSiteLabel(each) || isProductLabel(each))
  return isProduct ? 'product_label' : 'deeper_host'
}

const isSiteLabel = (label: string): boolean =>
  siteLabels.has(label.replace(/\d+$/, '')) || mirror.test(label)

/** Matches numbered mirrors such as `www2`, `ww1` and `12`. */
const mirror = /^(?:ww\d{0,2}|www\d{1,3}|\d{1,4})$/

/** Matches generated names of a site's mirrors, such as `a2` and `m6b6bea`. */
const generated = /^(?:[a-z]\d{1,2}|m[\da-f]{6})$/

const isProductLabel = (label: string): boolean =>
  generated.test(label) ||
  label.split('-').every(part => isSiteLabel(part) || productLabels.has(part.replace(/\d+$/, '')))

function isGamblingName(domain: string): boolean {
  const [name = ''] = domain.split('.')
  if (suppliers.has(name) || tradeWords.test(name)) return false
  if (gamblingWords.some(word => domain.includes(word))) return true
  return domain.replaceAll(notBet, '-').includes('bet')
}
