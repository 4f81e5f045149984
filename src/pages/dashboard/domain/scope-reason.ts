import { readDomain } from '@baize/names'
import { explainScope, judgeEntry, type ScopeReason, type SiteScope } from '@baize/registers/entries'
import { type Html, html } from '../../html.ts'

type Listed = { listed_as: string; scope: SiteScope }
type Words = { domain: string; host: string }

const scopeNames: Readonly<Record<SiteScope, string>> = {
  domain: 'the whole site',
  host: 'this host alone',
  path: 'this path alone',
  shared_host: 'one party on a shared host',
}

const reasons: Readonly<Record<ScopeReason, (words: Words) => string>> = {
  site: ({ domain }) => `The list names ${domain} itself.`,
  site_label: ({ domain, host }) =>
    `The list names ${host}. Its front is a language, device or mirror of ${domain}.`,
  product_label: ({ domain, host }) =>
    `The list names ${host}. The name of ${domain} has a gambling word, so the whole site counts.`,
  deeper_host: ({ domain, host }) =>
    `The list names ${host}, which may belong to another party than ${domain}. It gives no verdict.`,
  path: ({ domain }) => `The list names one address on ${domain}, not the site. It gives no verdict.`,
  shared_host: ({ domain }) => `Many parties publish on ${domain}. The listing of one gives no verdict.`,
}

/** Returns why a listing counts for the whole site or not. A scope of older rules has no reason. */
export function scopeText({ listed_as: listedAs, scope }: Listed): string {
  const site = readDomain(listedAs)
  return site.ok && judgeEntry(site) === scope ? reasons[explainScope(site)](site) : ''
}

/** Shows what a listing counts for, and why. */
export function scopeCell(listed: Listed): Html {
  return html`${scopeNames[listed.scope]}<p class="hint">${scopeText(listed)}
<a href="/docs/guides/screen-a-portfolio#what-a-listing-counts-for">How a listing counts</a></p>`
}
