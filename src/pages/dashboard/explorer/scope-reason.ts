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

/** Shows what a listing counts for, and why. A scope of older rules has no reason. */
export function scopeCell({ listed_as: listedAs, scope }: Listed): Html {
  const site = readDomain(listedAs)
  const reason = site.ok && judgeEntry(site) === scope && reasons[explainScope(site)](site)
  return html`${scopeNames[scope]}<p class="hint">${reason}
<a href="/docs/guides/screen-a-portfolio#what-a-listing-counts-for">How a listing counts</a></p>`
}
