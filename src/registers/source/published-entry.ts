/**
 * Reads the meaning of a list entry (contract sections 8 and 13, "What blocks it"). Only the root is the
 * site: `/`, no path, an empty query, a fragment. `/en`, `/index.html` and `/?ref=5` give no verdict, since a
 * wrong verdict costs more than a missing one. `сasino.com` with a Cyrillic letter is its own punycode name.
 */
import { type DomainProblem, type DomainReading, readDomain } from '../../core/domain-name.ts'
import { judgeEntry, type SiteScope } from '../../core/judge-entry.ts'
import type { BlocklistRow } from '../stream.ts'
import { boundedKey } from './readings.ts'

type Site = Extract<DomainReading, { ok: true }>

export type PublishedEntry =
  | {
      ok: true
      scope: SiteScope
      /** Null on a shared host. */
      domain: string | null
      /** Canonical ASCII host, with `www.` */
      host: string
      /** Host and path: the record key in lists without one, independent of spelling. */
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
    key: boundedKey(site.host + (site.path ?? '')),
    published,
  }
}

type Judged = Pick<BlocklistRow, 'scope' | 'domain' | 'listedAs'>

/** An entry that other rules judged, by today's. Its scope stays if the text now names another domain. */
export function judgeAgain({
  published,
  scope,
  domain,
}: Pick<BlocklistRow, 'published' | 'scope' | 'domain'>): Judged {
  const read = scope === 'app' || scope === 'payment_account' ? null : readPublishedEntry(published)
  if (!read?.ok || (read.domain !== null && read.domain !== domain)) return { scope, domain, listedAs: null }
  return { scope: read.scope, domain: read.domain, listedAs: read.key }
}

/** A cell may repeat one URL without a separator; different sites in one cell are rejected. */
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

/** `a.com/http://a.com/http` → two times `a.com/`. A URL after `=` belongs to the query. */
function gluedParts(published: string): string[] {
  const parts = published.split(/\s+|(?<!=)(?=https?:\/\/)/i).filter(part => !/^(?:https?:\/*)?$/i.test(part))
  if (parts.length < 2) return parts
  return parts.map(part => part.replace(/(?<=.)https?:?\/{0,2}$/i, ''))
}

/** Removes wildcards (`*.a.com`, `.a.com`) and separators. The lookbehind keeps the match linear. */
function withoutDecoration(part: string): string {
  return part.replace(/^\*?\.(?=[^.])/, '').replace(/(?<![.,;])[.,;]+$/, '')
}
