/** Finds the legal, licence and payment pages that the root links, and chooses those that a check reads. */
import { readDomain } from '@baize/names'
import type { PageFields, PageLink } from '../page/page-fields.ts'
import { readRuleFile } from '../read-rule-file.ts'
import { findPhrases, wordsOfSentence, wordsWithPlaces } from './place-words.ts'

/** Types of pages, the most useful first. */
const pageTypes = [
  'imprint',
  'licence',
  'terms',
  'about',
  'payments',
  'responsible_gambling',
  'privacy',
  'contact',
  'bonus_terms',
  'affiliate',
  'cookies',
] as const
export type PageType = (typeof pageTypes)[number]

/** An element of `web_presence.legal_pages` (§2.10). */
export type LegalPage = { page_type: PageType; url: string }

const pagesReadMax = 6
/** A link with a longer text is ignored, because the text is a sentence and not the name of a page. */
const linkTextCharactersMax = 80
const linksMax = 2_000

type Rules = Record<PageType, { any: { link_text: string[] }[] }>

const phrases: { type: PageType; phrase: readonly string[] }[] = Object.entries(
  readRuleFile<Rules>('legal-pages'),
).flatMap(([type, { any }]) =>
  any.flatMap(each =>
    each.link_text.map(text => ({ type: type as PageType, phrase: wordsOfSentence(text) })),
  ),
)
/** Groups phrases by their first word, so that a link is compared with few of them. */
const phrasesByFirst = Map.groupBy(phrases, ({ phrase }) => phrase[0])

/** Chooses the found pages that a check reads. */
export const choosePages = (found: readonly LegalPage[]): LegalPage[] => found.slice(0, pagesReadMax)

/**
 * Finds pages of the same registrable domain, one of each type, the most useful first. The best fitting
 * link text decides.
 */
export function findLegalPages(root: PageFields, domain: string): LegalPage[] {
  const best = new Map<PageType, { url: string; length: number }>()
  for (const link of root.links.slice(0, linksMax)) {
    const url = readableUrl(link, root, domain)
    const found = url === null ? null : typeOf(link)
    if (url === null || found === null) continue
    if (found.length > (best.get(found.type)?.length ?? 0))
      best.set(found.type, { url, length: found.length })
  }
  const seen = new Set<string>()
  return pageTypes.flatMap(page_type => {
    const url = best.get(page_type)?.url
    if (url === undefined || seen.has(url)) return []
    seen.add(url)
    return [{ page_type, url }]
  })
}

const otherFiles = /\.(pdf|docx?|xlsx?|zip|apk|exe|dmg|ipa|jpe?g|png|gif|svg|webp|mp4|css|js|json|xml)$/i
const sessionWords = new Set(['logout', 'signout', 'logoff', 'signoff', 'login', 'signin'])

/**
 * Returns null for another site, port or scheme, the root itself, a file, or a page that ends the session.
 */
function readableUrl(link: PageLink, root: PageFields, domain: string): string | null {
  const url = URL.parse(link.url, root.url)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return null
  if (url.port !== '' || url.username !== '' || url.password !== '') return null
  const host = readDomain(url.hostname)
  if (!host.ok || host.domain !== domain) return null
  if (otherFiles.test(url.pathname) || pathWords(url.pathname).some(word => sessionWords.has(word)))
    return null
  url.hash = ''
  const isRoot = url.pathname === '/' && url.search === ''
  return isRoot || url.href === URL.parse(root.url)?.href ? null : url.href
}

/** Returns the type with the longest phrase in the text of the link, or else in its path. */
function typeOf(link: PageLink): { type: PageType; length: number } | null {
  const text = link.text.length > linkTextCharactersMax ? '' : link.text
  return longest(wordsOfSentence(text), 1_000) ?? longest(pathWords(link.path), 0)
}

function longest(words: readonly string[], extra: number): { type: PageType; length: number } | null {
  const placed = wordsWithPlaces(words.join(' '))
  let found: { type: PageType; length: number } | null = null
  for (const first of new Set(words))
    for (const { type, phrase } of phrasesByFirst.get(first) ?? []) {
      const length = phrase.join(' ').length + extra
      if (length > (found?.length ?? 0) && findPhrases(placed, phrase).length > 0) found = { type, length }
    }
  return found
}

function pathWords(path: string): string[] {
  try {
    return wordsOfSentence(decodeURIComponent(path).replace(/\.[a-z]{2,5}$/i, ''))
  } catch {
    return wordsOfSentence(path)
  }
}
