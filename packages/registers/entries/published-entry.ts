/**
 * Interprets a list entry (contract sections 8 and 13, "What blocks it"). Only the root names the whole
 * site: `/`, no path, an empty query or a fragment. `/en`, `/index.html` and `/?ref=5` give no verdict,
 * since a wrong verdict costs more than a missing one. `сasino.com` with a Cyrillic letter is another
 * domain in punycode.
 */
import { type DomainProblem, type DomainReading, readDomain } from '@baize/names'
import type { BlocklistRow } from '../stream.ts'
import { judgeEntry, type SiteScope } from './judge-entry.ts'
import { boundedRecordKey } from './readings.ts'

type Site = Extract<DomainReading, { ok: true }>

export type PublishedEntry =
  | {
      ok: true
      scope: SiteScope
      /** The registrable domain; null on a shared host. */
      domain: string | null
      /** The canonical ASCII host, with `www.` if published. */
      host: string
      /** The host and path, equal for all spellings. It is the record key in lists that have none. */
      key: string
      published: string
    }
  | { ok: false; reason: DomainProblem }

export function readPublishedEntry(text: string): PublishedEntry {
  const published = text.trim()
  const site = readSite(published)
  if (!site.ok) return site
  const scope = judgeEntry(site)
  return {
    ok: true,
    scope,
    domain: scope === 'shared_host' ? null : site.domain,
    host: site.host,
    key: boundedRecordKey(site.host + (site.path ?? '')),
    published,
  }
}

type Judged = Pick<BlocklistRow, 'scope' | 'domain' | 'listedAs'>

/** Judges a stored entry again by the current rules. Its scope stays if the text now names another domain. */
export function judgeAgain({
  published,
  scope,
  domain,
}: Pick<BlocklistRow, 'published' | 'scope' | 'domain'>): Judged {
  const read = scope === 'app' || scope === 'payment_account' ? null : readPublishedEntry(published)
  if (!read?.ok || (read.domain !== null && read.domain !== domain)) return { scope, domain, listedAs: null }
  return { scope: read.scope, domain: read.domain, listedAs: read.key }
}

/**
 * Reads the site of a cell, which may repeat one URL without a separator. Different sites in one cell are
 * rejected.
 */
function readSite(published: string): Site | { ok: false; reason: DomainProblem } {
  const parts = gluedParts(published)
  const readings = parts.map(part => readDomain(withoutDecoration(part)))
  const failed = readings.find(reading => !reading.ok)
  if (failed !== undefined) {
    const whole = parts.length > 1 ? readDomain(published) : failed
    return { ok: false, reason: whole.ok ? failed.problem : whole.problem }
  }
  const sites = readings.filter(reading => reading.ok)
  const first = sites[0]
  if (first === undefined) return { ok: false, reason: 'empty' }
  if (sites.some(site => site.domain !== first.domain)) return { ok: false, reason: 'several_sites' }
  return { ...first, path: sites.find(site => site.path !== null)?.path ?? null }
}

/**
 * Splits glued URLs: `a.com/http://a.com/http` gives `a.com/` twice. A URL after `=` belongs to the query.
 */
function gluedParts(published: string): string[] {
  const parts = published.split(/\s+|(?<!=)(?=https?:\/\/)/i).filter(part => !/^(?:https?:\/*)?$/i.test(part))
  if (parts.length < 2) return parts
  return parts.map(part => part.replace(/(?<=.)https?:?\/{0,2}$/i, ''))
}

/** Removes wildcards (`*.a.com`, `.a.com`) and separators. The lookbehind keeps the match linear. */
function withoutDecoration(part: string): string {
  return part.replace(/^\*?\.(?=[^.])/, '').replace(/(?<![.,;])[.,;]+$/, '')
}
