/**
 * What a string on a published list means (contract section 8, "What blocks it"): a site, one path of a site,
 * a page on a host of many parties, or nothing certain.
 *
 * Only the root is the site: `/`, no path, an empty query, a fragment. `/en`, `/index.html` and `/?ref=5` are
 * pages, evidence without a verdict, because a wrong verdict costs more than a missing one. A deeper host
 * counts for its registrable domain. Look-alike letters stay what they are: `сasino.com` with a Cyrillic
 * letter reads as its own punycode name, never as `casino.com`.
 */
import { type DomainProblem, type DomainReading, readDomain } from '../../core/domain-name.ts'
import { isSharedHost } from '../../core/shared-hosts.ts'
import { boundedKey } from './readings.ts'

type Site = Extract<DomainReading, { ok: true }>

export type PublishedEntry =
  | {
      ok: true
      scope: 'domain' | 'path' | 'shared_host'
      /** Null where the host belongs to many parties. */
      domain: string | null
      /** Canonical ASCII host as published, `www.` kept. */
      host: string
      /**
       * Host and path: the entry's identity in a list that gives none, in whatever spelling it is printed.
       */
      key: string
      published: string
    }
  | { ok: false; reason: DomainProblem | 'unparsable' }

export function readPublishedEntry(text: string): PublishedEntry {
  const published = text.trim()
  const site = readSite(published)
  if (!site.ok) return site
  const shared = isSharedHost(site.domain)
  return {
    ok: true,
    scope: shared ? 'shared_host' : site.path === null ? 'domain' : 'path',
    domain: shared ? null : site.domain,
    host: site.host,
    key: boundedKey(site.host + (site.path ?? '')),
    published,
  }
}

/** A cell can hold one URL glued to itself; the parts must name one site, or none of them is believed. */
function readSite(published: string): Site | { ok: false; reason: DomainProblem | 'unparsable' } {
  const parts = gluedParts(published)
  const readings = parts.map(part => readDomain(withoutDecoration(part)))
  const failed = readings.find(reading => !reading.ok)
  if (failed !== undefined) return { ok: false, reason: parts.length > 1 ? 'not_a_domain' : failed.problem }
  const sites = readings.filter(reading => reading.ok)
  const first = sites[0]
  if (first === undefined) return { ok: false, reason: 'empty' }
  if (sites.some(site => site.domain !== first.domain)) return { ok: false, reason: 'unparsable' }
  return { ...first, path: sites.find(site => site.path !== null)?.path ?? null }
}

/** `a.com/http://a.com/http` → two times `a.com/`. A URL behind `=` is a query's value and stays. */
function gluedParts(published: string): string[] {
  const parts = published.split(/\s+|(?<!=)(?=https?:\/\/)/i).filter(part => !/^(?:https?:\/*)?$/i.test(part))
  if (parts.length < 2) return parts
  return parts.map(part => part.replace(/(?<=.)https?:?\/{0,2}$/i, ''))
}

/**
 * Wildcards (`*.a.com`, `.a.com`) mean the site and all below it; a list's separators are not part of a name. They are looked
 * at once: from each of them anew, a row of nothing else took seconds.
 */
function withoutDecoration(part: string): string {
  return part.replace(/^\*?\.(?=[^.])/, '').replace(/(?<![.,;])[.,;]+$/, '')
}
